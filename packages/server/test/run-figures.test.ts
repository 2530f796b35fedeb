import { type Librarian, MeshError } from "@constellation/core";
import { readCases } from "@constellation/testing/evals";
import { describe, expect, it } from "vitest";
import { echo, serveMesh } from "./served-mesh.js";

/** A reply's body. Its parts are compared, whatever they are. */
// biome-ignore lint/suspicious/noExplicitAny: what is wrong in it fails the comparison
async function readJson(reply: Response | Promise<Response>): Promise<any> {
  return (await reply).json();
}

/** A mesh in which `desk` answers by `docs`, and `broken` fails. */
async function servedMesh() {
  const mesh = await serveMesh({
    desk: async () => ({ delegate: { to: "docs" } }),
    docs: async (query) => ({
      answer: `First line on ${query}.\nSecond line.`,
      sources: [{ name: "runbook.md#Restart" }],
    }),
    broken: async () => {
      throw new MeshError("SERVICE_UNAVAILABLE", "It is down.");
    },
  });
  const runOf = async (query: string, to?: string) => {
    const run = mesh.router.start(query, { ...(to !== undefined && { to }) });
    await run.response;
    return run.id;
  };
  const rate = (id: string, body: unknown) =>
    mesh.fetch(`/runs/${id}/feedback`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const read = (path: string) => readJson(mesh.fetch(path));
  return { ...mesh, runOf, rate, read };
}

describe("the line of a run", () => {
  it("keeps of a model called twice that its tokens are an estimate, and which came from a cache", async () => {
    const usage = {
      inputTokens: 30,
      outputTokens: 20,
      cacheReadTokens: 10,
      estimated: true,
    } as const;
    const reply = { text: "yes", stopReason: "end", usage, model: "small" } as const;
    const ai = {
      complete: async () => reply,
      analyze: () => Promise.reject(new Error("It is not called.")),
      runTools: async () => reply,
    };
    const reader: Librarian = async (query, context) => {
      await context?.ai?.complete({ prompt: query });
      await context?.ai?.complete({ prompt: query });
      return { answer: "yes" };
    };
    const { router, fetch } = await serveMesh({ reader }, {}, { ai });
    await router.start("Is it up?").response;

    const { runs } = await readJson(fetch("/runs"));
    const expected = { inputTokens: 60, outputTokens: 40, cacheReadTokens: 20, estimated: true };
    expect(runs[0].models).toMatchObject([{ model: "small", usage: expected }]);
  });
});

describe("feedback on an answer", () => {
  it("is kept with the run, the last one counts, and lists can be asked for it", async () => {
    const mesh = await servedMesh();
    const [id, other] = [await mesh.runOf("restarts"), await mesh.runOf("other")];

    expect((await mesh.rate(id, { rating: "up" })).status).toBe(200);
    expect((await mesh.rate(id, { rating: "down", note: "It is out of date." })).status).toBe(200);
    await mesh.rate(other, { rating: "up" });

    expect(await mesh.read(`/runs/${id}`)).toMatchObject({
      feedback: { rating: "down", note: "It is out of date.", at: expect.any(Number) },
    });
    expect((await mesh.read("/runs?rating=down")).runs).toMatchObject([{ runId: id }]);
  });

  it("becomes cases for an eval: what was good is asked for again, what was bad must not be said again", async () => {
    const mesh = await servedMesh();
    const [good, bad] = [await mesh.runOf("restarts"), await mesh.runOf("other")];
    await mesh.rate(good, { rating: "up" });
    await mesh.rate(bad, { rating: "down" });

    const text = await (await mesh.fetch("/runs/cases")).text();

    expect(readCases(text, "cases.jsonl")).toEqual([
      {
        id: bad,
        query: "other",
        to: "desk",
        expect: { mustNotMention: ["First line on other."] },
        tags: ["feedback", "thumbs-down"],
      },
      {
        id: good,
        query: "restarts",
        to: "desk",
        expect: { librarians: ["docs"], sources: ["runbook.md"] },
        tags: ["feedback", "thumbs-up"],
      },
    ]);
  });

  it("goes with datasets: runs are their cases, and experiments answer those again", async () => {
    const mesh = await servedMesh();
    const put = (id: string, body: unknown) =>
      mesh.fetch(`/runs/${id}/dataset`, {
        method: "PUT",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    const [first, second, again] = [
      await mesh.runOf("restarts"),
      await mesh.runOf("other"),
      await mesh.runOf("restarts"),
    ];
    await put(first, { name: "runbooks" });
    await put(second, { name: "runbooks" });
    await put(again, { name: "runbooks", experiment: "new prompt", caseId: first });

    expect(await mesh.read("/runs/datasets")).toEqual({
      datasets: [{ name: "runbooks", cases: 2, experiments: ["new prompt"] }],
    });
    expect((await mesh.read("/runs?dataset=runbooks")).runs).toMatchObject([
      { runId: again, dataset: { caseId: first, experiment: "new prompt" } },
      { runId: second },
      { runId: first },
    ]);
    const cases = await (await mesh.fetch("/runs/cases?dataset=runbooks")).text();
    expect(readCases(cases, "cases.jsonl")).toMatchObject([
      { id: second, tags: ["runbooks"] },
      { id: first, expect: { librarians: ["docs"], sources: ["runbook.md"] } },
    ]);
    expect((await put(first, { name: "" })).status).toBe(400);
    expect((await put(first, { name: "runbooks", experiment: "alone" })).status).toBe(400);
    await mesh.fetch(`/runs/${second}/dataset`, { method: "DELETE" });
    expect(await mesh.read("/runs/datasets")).toMatchObject({ datasets: [{ cases: 1 }] });
  });

  it.each([
    [{ rating: "so-so" }, "rating"],
    [{ rating: "up", note: "x".repeat(2_001) }, "note"],
  ])("is refused with the field that is wrong: %s", async (body, field) => {
    const mesh = await servedMesh();

    const reply = await mesh.rate(await mesh.runOf("q"), body);

    expect(reply.status).toBe(400);
    expect((await readJson(reply)).error.message).toContain(field);
  });

  it("is for runs that are there, and of users who may read them", async () => {
    const tokens = ["anna", "berta"].map((id) => ({
      token: `token-of-${id}-123456`,
      user: { id },
    }));
    const mesh = await serveMesh({ echo }, { auth: { tokens } });
    const send = (user: string, path: string, init: RequestInit = {}) =>
      mesh.fetch(path, {
        ...init,
        headers: {
          "content-type": "application/json",
          authorization: `Bearer token-of-${user}-123456`,
        },
      });
    await send("anna", "/ask", { method: "POST", body: JSON.stringify({ query: "hi" }) });
    const { runs } = await readJson(send("anna", "/runs"));
    const rating = { method: "PUT", body: JSON.stringify({ rating: "up" }) };
    const path = `/runs/${runs[0].runId}/feedback`;

    expect((await send("berta", path, rating)).status).toBe(404);
    expect((await send("anna", path, rating)).status).toBe(200);
    expect((await send("anna", "/runs/no-run/feedback", rating)).status).toBe(404);
    expect(await (await send("berta", "/runs/cases")).text()).toBe("");
    expect((await readJson(send("berta", "/runs/stats"))).total.count).toBe(0);
  });
});

describe("figures of runs", () => {
  it("count what was answered and what failed, by librarian, and over time", async () => {
    const mesh = await servedMesh();
    for (const query of ["one", "two"]) await mesh.runOf(query);
    await mesh.runOf("three", "broken");

    const stats = await mesh.read("/runs/stats?seconds=3600&by=librarian,day");

    expect(stats).toMatchObject({
      total: { count: 3, answered: 2, errors: 1, before: { count: 0 } },
      hasMore: false,
    });
    expect(
      stats.groups.librarian.map(({ name, count, errors }: Record<string, unknown>) => [
        name,
        count,
        errors,
      ]),
    ).toEqual([
      ["desk", 2, 0],
      ["docs", 2, 0],
      ["broken", 1, 1],
    ]);
    expect(stats.groups.day).toMatchObject([{ count: 3, errors: 1 }]);
    expect(stats.timeline).toHaveLength(24);
    expect(stats.timeline.at(-1)).toMatchObject({ count: 3, errors: 1 });
  });

  it("and lists are of the runs asked for", async () => {
    const mesh = await servedMesh();
    const [one, failed] = [await mesh.runOf("one"), await mesh.runOf("three", "broken")];
    const idsOf = async (parameters: string) =>
      (await mesh.read(`/runs?${parameters}`)).runs.map(({ runId }: { runId: string }) => runId);

    expect(await idsOf("librarian=docs")).toEqual([one]);
    expect(await idsOf("error=SERVICE_UNAVAILABLE")).toEqual([failed]);
    expect(await idsOf("user=anna")).toEqual([]);
    expect(await idsOf("slower=3600000")).toEqual([]);
    expect(await idsOf("seconds=3600")).toEqual([failed, one]);
  });

  it.each(["seconds=1", "seconds=x", "by=colour", "by=day,colour"])(
    "name a wrong parameter: %s",
    async (parameter) => {
      const mesh = await servedMesh();
      const reply = await mesh.fetch(`/runs/stats?${parameter}`);

      expect(reply.status).toBe(400);
      expect((await readJson(reply)).error.message).toContain(parameter.split("=")[0]);
    },
  );
});
