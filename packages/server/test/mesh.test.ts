import { readFileSync } from "node:fs";
import { createRouter } from "@constellation/core";
import { createServer } from "@constellation/server";
import { scriptedAI } from "@constellation/testing";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { librariansSchema } from "../src/mesh/mesh.schema.js";
import { echo, serveMesh, until } from "./served-mesh.js";

const documentSchema = z.object({
  openapi: z.string(),
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
});

describe("/librarians", () => {
  it("lists librarians, their health, and problems of the mesh", async () => {
    const mesh = await serveMesh({ echo });
    mesh.router.register({
      id: "k8s",
      description: "reads the cluster",
      delegatesTo: ["nobody"],
      librarian: echo,
      health: async () => ({ status: "degraded", message: "No metrics server." }),
    });

    const reply = librariansSchema.parse(await (await mesh.fetch("/librarians")).json());

    expect(reply.librarians).toEqual([
      { id: "echo", description: "answers as echo", health: { status: "unknown" } },
      {
        id: "k8s",
        description: "reads the cluster",
        delegatesTo: ["nobody"],
        health: { status: "degraded", message: "No metrics server." },
      },
    ]);
    expect(reply.check.problems).toContainEqual(
      expect.objectContaining({ kind: "unknown-target", ids: ["k8s", "nobody"] }),
    );
  });

  it("names the processes that serve a librarian, the oldest first, at most 100", async () => {
    const info = { id: "echo" };
    const replica = (pid: number) => ({ id: `p${pid}`, host: "node-1", pid, since: 10_000 - pid });
    let replicas = [replica(1), replica(2)];
    const mesh = await serveMesh(
      { echo, other: echo },
      {
        presence: () => {
          if (replicas.length === 0) throw new Error("not connected");
          return [{ info, replicas }];
        },
      },
    );
    const read = async () =>
      librariansSchema.parse(await (await mesh.fetch("/librarians")).json()).librarians;

    const [first, other] = await read();
    expect(first?.replicas).toEqual([
      { host: "node-1", pid: 2, since: 9_998 },
      { host: "node-1", pid: 1, since: 9_999 },
    ]);
    expect(other).not.toHaveProperty("replicas");

    replicas = Array.from({ length: 120 }, (_, pid) => replica(pid));
    const [many] = await read();
    expect([many?.replicas?.length, many?.replicaCount]).toEqual([100, 120]);

    replicas = [];
    expect(await read()).toHaveLength(2);
  });

  it("neither lists nor asks a librarian that the user may not ask", async () => {
    const tokens = [
      { token: "clerk-token-0123456789abcdef0123", user: { id: "u1", roles: ["clerk"] } },
      { token: "hr-token-0123456789abcdef01234567", user: { id: "u2", roles: ["hr"] } },
    ];
    const mesh = await serveMesh({ echo }, { auth: { tokens } });
    const payroll = vi.fn(async () => ({ answer: "42", delegate: { to: "echo" } }));
    mesh.router.register({
      id: "payroll",
      description: "knows salaries",
      allow: { roles: ["hr"] },
      librarian: payroll,
    });
    const [clerk, hr] = tokens.map(({ token }) => ({
      headers: { authorization: `Bearer ${token}` },
    }));
    const ask = { query: "salary?", to: "payroll" };

    const refused = await mesh.post("/ask", ask, clerk);
    expect([refused.status, await refused.json()]).toMatchObject([
      403,
      { error: { code: "UNAUTHORIZED", details: { reason: "not-allowed" } } },
    ]);
    expect(payroll).not.toHaveBeenCalled();
    expect((await mesh.post("/ask", ask, hr)).status).toBe(200);
    expect(await (await mesh.fetch("/librarians", clerk)).text()).not.toContain("payroll");
    expect(await (await mesh.fetch("/librarians", hr)).text()).toContain("payroll");
  });

  it("counts who passed a query on to whom", async () => {
    const mesh = await serveMesh({ desk: async () => ({ delegate: { to: "echo" } }), echo });
    await mesh.post("/ask", { query: "one" });
    await mesh.post("/ask", { query: "two" });

    const reply = librariansSchema.parse(await (await mesh.fetch("/librarians")).json());

    expect(reply.delegations).toEqual([{ from: "desk", to: "echo", count: 2 }]);
  });

  it("asks the librarians once for many who want to know", async () => {
    const health = vi.fn(async () => ({ status: "up" as const }));
    const mesh = await serveMesh({ echo });
    mesh.router.register({ id: "k8s", description: "reads", librarian: echo, health });

    await Promise.all(["/librarians", "/readyz", "/librarians"].map((path) => mesh.fetch(path)));

    expect(health).toHaveBeenCalledTimes(1);
  });
});

describe("/healthz and /readyz", () => {
  it("is not ready while a librarian has failed to start, and is once it started", async () => {
    let isThere = false;
    const mesh = await serveMesh({ kind: echo });
    mesh.router.register({
      id: "needy",
      description: "needs a database",
      librarian: echo,
      start: async () => {
        if (!isThere) throw new Error("no database");
      },
    });
    await expect(mesh.router.open()).rejects.toThrow("did not start");

    const before = await mesh.fetch("/readyz");
    const librarians = await (await mesh.fetch("/librarians")).text();
    isThere = true;

    expect(before.status).toBe(503);
    expect(await before.json()).toMatchObject({ status: "not-ready", librarians: { down: 1 } });
    expect(librarians).toContain('"hasNotStarted":true');
    await until(async () => (await mesh.fetch("/readyz")).status === 200);
  });

  it("are alive and ready while somebody can be asked", async () => {
    const mesh = await serveMesh({ echo });

    expect(await (await mesh.fetch("/healthz")).json()).toEqual({ status: "ok" });
    const ready = await mesh.fetch("/readyz");
    expect(ready.status).toBe(200);
    expect(await ready.json()).toMatchObject({ status: "ready", librarians: { unknown: 1 } });
    expect((await mesh.fetch("/readyz", { method: "HEAD" })).status).toBe(200);
  });

  it("are alive and not ready while every librarian is down", async () => {
    const mesh = await serveMesh({});
    mesh.router.register({
      id: "k8s",
      description: "reads",
      librarian: echo,
      health: async () => ({ status: "down", message: "no route to 10.0.0.1" }),
    });

    expect((await mesh.fetch("/healthz")).status).toBe(200);
    const ready = await mesh.fetch("/readyz");
    expect(ready.status).toBe(503);
    expect(await ready.text()).not.toContain("10.0.0.1"); // it is open to anybody
  });
});

describe("/metrics", () => {
  it("counts runs and hops by what came of them, with their times", async () => {
    const mesh = await serveMesh({
      desk: async () => ({ delegate: [{ to: "echo" }, { to: "failing" }] }),
      echo,
      failing: async () => ({ error: { code: "NOT_FOUND", message: "no" } }),
    });
    await mesh.post("/ask", { query: "hello" });
    await mesh.router.ask("hello", { to: "echo" });

    const text = await (await mesh.fetch("/metrics")).text();

    for (const line of [
      'constellation_runs_total{stop_reason="partial"} 1',
      'constellation_runs_total{stop_reason="answered"} 1',
      'constellation_hops_total{librarian="echo",outcome="answer"} 2',
      'constellation_hops_total{librarian="failing",outcome="error"} 1',
      "constellation_run_duration_seconds_count 2",
      'constellation_hop_duration_seconds_count{librarian="echo"} 2',
      "constellation_runs_in_flight 0",
      'constellation_http_requests_total{route="/ask",method="POST",status="200"} 1',
    ]) {
      expect(text.split("\n")).toContain(line);
    }
  });

  it("has no more labels than there are librarians and routes, whatever callers send", async () => {
    const mesh = await serveMesh({ echo });
    await mesh.post("/ask", { query: "warm" });
    const before = await lines(mesh);

    for (let index = 0; index < 30; index++) {
      await mesh.post("/ask", { query: "hi", to: `nobody-${index}` });
      await mesh.fetch(`/nothing/${index}`);
      await mesh.fetch(`/runs/${index}`);
    }

    expect((await lines(mesh)) - before).toBeLessThan(10);
  });

  it("counts the tokens of the server's model", async () => {
    const ai = scriptedAI([{ text: "ok", usage: { inputTokens: 30, outputTokens: 4 } }]);
    const mesh = await serveMesh(
      {
        asking: async (_query, context) => ({
          answer: (await context?.ai?.complete({ prompt: "hi" }))?.text ?? "no model",
        }),
      },
      { ai },
    );

    await mesh.post("/ask", { query: "hello" });

    const text = await (await mesh.fetch("/metrics")).text();
    expect(text).toMatch(
      /^constellation_tokens_total\{librarian="asking",direction="input"\} 30$/m,
    );
    expect(text).toMatch(
      /^constellation_tokens_total\{librarian="asking",direction="output"\} 4$/m,
    );
  });

  async function lines(mesh: Awaited<ReturnType<typeof serveMesh>>): Promise<number> {
    return (await (await mesh.fetch("/metrics")).text()).split("\n").length;
  }
});

describe("/openapi.json", () => {
  it("describes each endpoint, and the schemas they take and give", async () => {
    const mesh = await serveMesh({ echo });

    const document = documentSchema.parse(await (await mesh.fetch("/openapi.json")).json());

    expect(document.openapi).toBe("3.1.0");
    const refs = JSON.stringify(document).match(/"#\/[^"]+"/g) ?? [];
    const schemas = Object.keys(document.components.schemas);
    for (const ref of new Set(refs)) {
      expect(schemas).toContain(ref.slice('"#/components/schemas/'.length, -1));
    }
    expect(document.components.schemas.AskRequest).toMatchObject({
      required: ["query"],
      additionalProperties: false,
      properties: { timeoutMs: { maximum: 60_000 }, query: { maxLength: 20_000 } },
    });
    const operationIds = Object.values(document.paths).flatMap((operations) =>
      Object.values(operations).map(
        (operation) => (operation as { operationId?: string }).operationId,
      ),
    );
    expect(new Set(operationIds).size).toBe(operationIds.length);
    expect(operationIds).not.toContain(undefined);
    for (const [path, operations] of Object.entries(document.paths)) {
      const [method = ""] = Object.keys(operations);
      const known = await mesh.fetch(path.replace("{id}", "1"), { method: method.toUpperCase() });
      expect(await known.text()).not.toContain("Endpoint not found.");
    }
    const names = [
      ...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g),
    ];
    for (const [, name = ""] of names) expect(document.components.schemas).toHaveProperty(name);
  });

  it("has the version of the package", async () => {
    const mesh = await serveMesh({ echo });
    const { version } = JSON.parse(
      readFileSync(new URL("../package.json", import.meta.url), "utf8"),
    );

    expect(await (await mesh.fetch("/openapi.json")).json()).toMatchObject({ info: { version } });
  });
});

it.each(["race", "quorum:1", "quorum:1000", "quorum:0", "quorum:1001", "quorum:9999", "any"])(
  "/openapi.json describes merge=%s as the server reads it",
  async (merge) => {
    const mesh = await serveMesh({ echo });
    const document = documentSchema.parse(await (await mesh.fetch("/openapi.json")).json());
    const { parameters } = z
      .object({ parameters: z.array(z.looseObject({ name: z.string(), schema: z.unknown() })) })
      .parse(document.paths["/ask/stream"]?.get);
    const { pattern } = z
      .object({ pattern: z.string() })
      .parse(parameters.find(({ name }) => name === "merge")?.schema);

    const reply = await mesh.fetch(`/ask/stream?query=hello&merge=${merge}`);
    await reply.body?.cancel();

    expect(new RegExp(pattern).test(merge)).toBe(reply.status === 200);
  },
);

describe("a method that no endpoint takes", () => {
  it.each(["QUERY", "PROPFIND", "DELETE"])("%s is refused with 405", async (method) => {
    const mesh = await serveMesh({ echo });

    const reply = await mesh.fetch("/librarians", { method });

    expect(reply.status).toBe(405);
    expect(reply.headers.get("allow")).toContain("GET");
  });
});

describe("the router of a closed server", () => {
  it("has no listener of it left", async () => {
    const router = createRouter();
    let listeners = 0;
    const counted = {
      ...router,
      on: ((name, listener) => {
        listeners++;
        const off = router.on(name, listener);
        return () => {
          listeners--;
          off();
        };
      }) as typeof router.on,
    };
    const server = await createServer(counted);
    expect(listeners).toBeGreaterThan(0);

    await server.close();

    expect(listeners).toBe(0);
  });
});
