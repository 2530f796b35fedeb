import { createRouter, type Router } from "@constellation/core";
import { afterEach, describe, expect, it } from "vitest";
import { cardOf, serveAgent, task, tasks } from "../test/agents.js";
import { serveLoopback } from "../test/loopback.js";
import { envelopeExtension } from "./envelope-extension.js";
import { createA2AHandler, createA2ALibrarian } from "./index.js";

const cleanUp: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const each of cleanUp.splice(0).toReversed()) await each();
});

async function serve(router: Router): Promise<string> {
  const handler = createA2AHandler(router);
  const server = await serveLoopback(handler);
  cleanUp.push(server.close, handler.close);
  return server.url;
}

/** A mesh whose `front` delegates to another mesh, and how often it was called. */
function link(name: string, urlOfNext: () => string, options: object = {}) {
  const calls = { count: 0 };
  const router = createRouter({ name, entry: "front", ...options });
  router.register({
    id: "front",
    description: "delegates to the next mesh",
    librarian: async () => {
      calls.count++;
      if (!router.list().some(({ id }) => id === "next")) {
        router.register(createA2ALibrarian({ id: "next", url: urlOfNext() }));
      }
      return { delegate: { to: "next" } };
    },
  });
  return { router, calls };
}

describe("a call over A2A, between meshes", () => {
  it("is a loop when it comes back after two other meshes, and calls each librarian once", async () => {
    const urls: Record<string, string> = {};
    const [a, b, c] = [
      link("a", () => urls.b ?? ""),
      link("b", () => urls.c ?? ""),
      link("c", () => urls.a ?? ""),
    ];
    urls.a = await serve(a.router);
    urls.b = await serve(b.router);
    urls.c = await serve(c.router);

    const { error } = await a.router.ask("who knows?");

    expect(error).toMatchObject({
      code: "LOOP_DETECTED",
      details: {
        path: ["a/front", "a/next", "b/front", "b/next", "c/front", "c/next", "a/front"],
      },
    });
    expect([a, b, c].map(({ calls }) => calls.count)).toEqual([1, 1, 1]);
  });

  it("ends in the other mesh no later than in this one", async () => {
    let remaining = Number.POSITIVE_INFINITY;
    const remote = createRouter({ name: "remote" });
    remote.register({
      id: "remote",
      description: "answers",
      librarian: async (_query, context) => {
        remaining = context?.remainingMs?.() ?? remaining;
        return { answer: "so" };
      },
    });
    const url = await serve(remote);
    const local = createRouter({ name: "local", timeoutMs: 20_000 });
    local.register(createA2ALibrarian({ id: "next", url }));

    expect((await local.ask("who knows?")).answer).toBe("so");
    expect(remaining).toBeLessThan(20_000);
  });

  it("brings back the whole response, metadata too", async () => {
    const metadata = { workflowSelection: { workflow: "restart", parameters: { replicas: 3 } } };
    const remote = createRouter({ name: "remote" });
    remote.register({
      id: "selector",
      description: "selects",
      librarian: async () => ({ answer: "Restart it.", confidence: 0.8, metadata }),
    });
    const url = await serve(remote);
    const local = createRouter({ name: "local" });
    local.register(createA2ALibrarian({ id: "next", url }));

    const response = await local.ask("what now?");

    expect(response).toMatchObject({ answer: "Restart it.", confidence: 0.8, metadata });
  });

  it("carries nothing to an agent that does not announce that it reads it", async () => {
    const sent: unknown[] = [];
    const completed = task("COMPLETED", {
      artifacts: [{ artifactId: "a", parts: [{ text: "so" }] }],
    });
    const stranger = await serveAgent((request) => {
      sent.push(request);
      return tasks(completed)(request);
    }, cardOf);
    cleanUp.push(stranger.close);
    const local = createRouter({ name: "secret-mesh" });
    local.register(createA2ALibrarian({ id: "next", url: stranger.url }));

    expect((await local.ask("q")).answer).toBe("so");
    expect(JSON.stringify(sent)).not.toMatch(/secret-mesh|call-envelope/);
  });

  it("is refused when its envelope cannot be read, and no librarian is called", async () => {
    const { router, calls } = link("b", () => "http://127.0.0.1:1");
    const url = await serve(router);

    const reply: unknown = await (
      await fetch(`${url}/a2a`, {
        method: "POST",
        headers: { "content-type": "application/json", "a2a-version": "1.0" },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "SendMessage",
          params: {
            message: {
              messageId: "m",
              role: "ROLE_USER",
              parts: [{ text: "q" }],
              metadata: { [envelopeExtension]: { v: 1, path: [{ mesh: "a", id: 5 }] } },
            },
          },
        }),
      })
    ).json();

    expect(JSON.stringify(reply)).toContain("path[0].id");
    expect(JSON.stringify(reply)).toContain("INVALID_QUERY");
    expect(calls.count).toBe(0);
  });

  it("brings back the hops of the other mesh, and names the librarian there that ignored its deadline", async () => {
    let release = () => {};
    const remote = createRouter({ name: "remote" });
    remote.register({
      id: "stubborn",
      description: "ignores its signal",
      librarian: () => new Promise((resolve) => (release = () => resolve({ answer: "late" }))),
    });
    const url = await serve(remote);
    const local = createRouter({ name: "local", timeoutMs: 2_000 });
    local.register(createA2ALibrarian({ id: "next", url }));

    const run = local.start("who knows?");
    const { error } = await run.response;

    expect(error?.code).toBe("TIMEOUT");
    // On a busy machine the report comes after the response.
    await expect
      .poll(() => run.explain().hops[0]?.remoteUnsettled, { timeout: 20_000 })
      .toMatchObject([{ librarian: "stubborn", mesh: "remote" }]);
    release();
    expect(run.explain().hops[0]?.remote?.hops[0]).toMatchObject({
      to: "stubborn",
      abandoned: true,
    });
  });

  it("names the librarian there that ignored the caller's cancel", async () => {
    let release = () => {};
    let begun = () => {};
    const working = new Promise<void>((resolve) => (begun = resolve));
    const remote = createRouter({ name: "remote" });
    remote.register({
      id: "stubborn",
      description: "ignores its signal",
      librarian: () =>
        new Promise((resolve) => {
          release = () => resolve({ answer: "late" });
          begun();
        }),
    });
    const url = await serve(remote);
    const local = createRouter({ name: "local" });
    local.register(createA2ALibrarian({ id: "next", url }));
    const reported = new Promise((resolve) => local.on("hop:remote", resolve));

    const run = local.start("who knows?");
    await working;
    run.cancel();
    await reported;
    release();

    expect(run.explain().hops[0]?.remoteUnsettled).toMatchObject([{ librarian: "stubborn" }]);
  });

  it("is made for the caller's user where the caller is a trusted peer, else for the caller itself", async () => {
    const users: unknown[] = [];
    const metadata: unknown[] = [];
    const remote = createRouter({ name: "remote" });
    remote.register({
      id: "remote",
      description: "answers",
      librarian: async (_query, context) => {
        users.push(context?.user?.id);
        metadata.push(context?.metadata);
        return { answer: "so" };
      },
    });
    for (const trustedPeers of [["local"], []]) {
      const handler = createA2AHandler(remote, { trustedPeers });
      const server = await serveLoopback((request) => handler(request, { user: { id: "local" } }));
      cleanUp.push(server.close, handler.close);
      const local = createRouter({ name: "local" });
      local.register(createA2ALibrarian({ id: "next", url: server.url, sendUser: true }));
      await local.ask("q", { user: { id: "ada" }, metadata: { alert: { name: "x" } } });
    }

    expect(users).toEqual(["ada", "local"]);
    expect(metadata).toEqual([{ alert: { name: "x" } }, { alert: { name: "x" } }]);
  });
});
