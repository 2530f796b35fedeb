import { createRouter, type Response as MeshResponse } from "@constellation/core";
import { describe, expect, it } from "vitest";
import { createMemoryCatalog } from "../catalog/memory-catalog.js";
import { getWorkflow, searchWorkflowCatalog } from "../search/search-workflow-catalog.js";
import { createAlertHandler } from "./alert-handler.js";
import { createCatalogTools } from "./catalog-tools.js";
import { createWorkflowHandler } from "./workflow-handler.js";

const labels = { environment: ["production"], priority: "*", risk_tolerance: "low" };
const store = createMemoryCatalog([
  {
    workflow_id: "increase-memory",
    version: "1.0.0",
    description: "Increases the memory limits of a deployment that is OOMKilled",
    labels,
    parameters: [{ name: "LIMIT", type: "string", required: true }],
  },
  {
    workflow_id: "restart-pod",
    version: "1.0.0",
    description: "Restarts a pod that is OOMKilled",
    labels,
  },
  {
    workflow_id: "delete-all",
    version: "1.0.0",
    description: "Deletes deployments that are OOMKilled",
    labels: { ...labels, environment: ["staging"] },
  },
]);
const query = { incident_type: "OOMKilled", labels: { environment: "production" } };
const signal = new AbortController().signal;
const [search, get] = createCatalogTools(store);
const handler = createWorkflowHandler(store);
const at = (path: string, init?: RequestInit) =>
  handler(new Request(`http://mesh.example/workflows/${path}`, init));

describe("the catalog as a service", () => {
  it("gives, as a tool and over HTTP, byte for byte what a search gives here", async () => {
    const local = JSON.stringify(
      searchWorkflowCatalog(await store.read(), { ...query, max_results: 10 }),
    );

    expect(
      await search?.run({ incident_type: "OOMKilled", environment: "production" }, { signal }),
    ).toBe(local);
    const reply = await at("search?incident_type=OOMKilled&environment=production");
    expect([reply.status, await reply.text()]).toEqual([200, local]);
    expect(local).not.toContain("delete-all");
  });

  it("gives the parameters of a workflow", async () => {
    const local = JSON.stringify(
      getWorkflow(await store.read(), { workflow_id: "increase-memory" }),
    );

    expect(await get?.run({ workflow_id: "increase-memory" }, { signal })).toBe(local);
    expect(await (await at("increase-memory")).text()).toBe(local);
  });

  it("knows nothing of an id that the filter hides", async () => {
    const hidden = { workflow_id: "delete-all", environment: "production" };

    expect(await get?.run(hidden, { signal })).toBe("NOT_FOUND");
    const reply = await at("delete-all?environment=production");
    const missing = await at("never-there?environment=production");
    expect(reply.status).toBe(404);
    expect(await reply.text()).toBe(await missing.text());
  });

  it("gives a catalog page by page", async () => {
    const all = searchWorkflowCatalog(await store.read(), query).workflows;
    const pages = await Promise.all(
      [0, 1, 2].map(async (offset) => {
        const path = `search?incident_type=OOMKilled&environment=production&max_results=1&offset=${offset}`;
        return (await (await at(path)).json()) as ReturnType<typeof searchWorkflowCatalog>;
      }),
    );

    expect(pages.flatMap(({ workflows }) => workflows)).toEqual(all);
    expect(pages.map(({ total_results }) => total_results)).toEqual([2, 2, 2]);
  });

  it.each([
    ["search?max_results=0", 400, "max_results"],
    ["search?max_results=ten", 400, "max_results"],
    ["search?colour=red", 400, "colour"],
    ["increase-memory?version=9.9.9", 404, "NOT_FOUND"],
  ])("refuses %s with %d, naming what is wrong", async (path, status, word) => {
    const reply = await at(path);

    expect(reply.status).toBe(status);
    expect(await reply.text()).toContain(word);
  });

  it("refuses another method, and says when the catalog cannot be read", async () => {
    const broken = createWorkflowHandler({ read: () => Promise.reject(new Error("secret path")) });
    const reply = await broken(new Request("http://mesh.example/workflows/search"));

    expect((await at("search", { method: "DELETE" })).status).toBe(405);
    expect(reply.status).toBe(502);
    expect(await reply.text()).not.toContain("secret");
  });
});

describe("webhooks of Alertmanager", () => {
  const webhook = (more: object = {}) => ({
    version: "4",
    groupKey: '{}:{alertname="KubePodCrashLooping"}',
    status: "firing",
    alerts: [{ status: "firing", labels: { alertname: "KubePodCrashLooping", pod: "web-1" } }],
    ...more,
  });
  const post = (body: unknown, path = "") =>
    new Request(`http://mesh.example/alerts${path}`, {
      method: "POST",
      body: typeof body === "string" ? body : JSON.stringify(body),
    });

  function mesh(options: Parameters<typeof createAlertHandler>[1] = {}) {
    const asked: string[] = [];
    let answer: (response: MeshResponse) => void = () => {};
    const router = createRouter();
    router.register({
      id: "workflow-selector",
      description: "Proposes a workflow.",
      librarian: (query) => {
        asked.push(query);
        return new Promise((resolve) => {
          answer = resolve;
        });
      },
    });
    const take = createAlertHandler(router, options);
    return { asked, take, router, answer: (text: string) => answer({ answer: text }) };
  }

  it("begins a run for a group that fires, and does not wait for it", async () => {
    const { take, asked, answer, router } = mesh();

    const reply = await take(post(webhook()));
    const again = await take(post(webhook()));
    answer("done");

    expect(reply.status).toBe(202);
    expect(await again.json()).toEqual(await reply.json());
    expect(asked.map((one) => JSON.parse(one) as unknown)).toEqual([webhook()]);
    await router.close();
  });

  it("replies with the proposal where it is asked to wait, and gives it to onResponse", async () => {
    const given: MeshResponse[] = [];
    const { take, asked, answer, router } = mesh({
      onResponse: (response) => given.push(response),
    });

    const reply = take(post(webhook(), "?wait=true"));
    await expect.poll(() => asked.length).toBe(1);
    answer("restart-pod");

    expect(await (await reply).json()).toMatchObject({ answer: "restart-pod" });
    expect(given).toMatchObject([{ answer: "restart-pod" }]);
    await router.close();
  });

  it("asks about nothing that is resolved, and refuses more than it can do", async () => {
    const { take, asked, router } = mesh({ maxRuns: 1 });
    const resolved = webhook({ status: "resolved", alerts: [{ status: "resolved" }] });

    expect(await (await take(post(resolved))).json()).toEqual({ ignored: "no alert fires" });
    expect((await take(post(webhook()))).status).toBe(202);
    expect((await take(post(webhook({ groupKey: "another" })))).status).toBe(503);
    expect(asked).toHaveLength(1);
    await router.close();
  });

  it.each([
    ["no JSON", "{", 400],
    ["another shape", { alerts: "all" }, 400],
    ["too much", " ".repeat(1_048_577), 413],
  ])("refuses %s", async (_, body, status) => {
    const { take, asked, router } = mesh();

    expect((await take(post(body))).status).toBe(status);
    expect(asked).toEqual([]);
    await router.close();
  });
});
