import { createRouter, type Router } from "@constellation/core";
import type { Transport } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { afterEach, describe, expect, it } from "vitest";
import { inMemory, text } from "../test/tool-server.js";
import { createMcpLibrarian, createMcpServer, type McpServerOptions } from "./index.js";

const cleanUp: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const each of cleanUp.splice(0).toReversed()) await each();
});

/** Connects to a mesh as an MCP server in this process. */
function connectTo(router: () => Router, options: McpServerOptions): () => Promise<Transport> {
  return async () => {
    const [near, far] = InMemoryTransport.createLinkedPair();
    await createMcpServer(router(), options).connect(far);
    return near;
  };
}

/** A librarian that asks another mesh by its tool `query`. */
function bridge(router: () => Router, options: object = {}, server: McpServerOptions = {}) {
  const definition = createMcpLibrarian({
    id: "next",
    description: "asks the next mesh",
    server: connectTo(router, server),
    tool: "query",
    ...options,
  });
  cleanUp.push(async () => definition.close?.(new AbortController().signal));
  return definition;
}

describe("a call over MCP, between meshes", () => {
  it("is a loop when it comes back after two other meshes, and calls each librarian once", async () => {
    const calls: string[] = [];
    const routers = ["a", "b", "c"].map((name) => {
      const router = createRouter({ name, entry: "front" });
      router.register({
        id: "front",
        description: "delegates to the next mesh",
        librarian: async () => {
          calls.push(name);
          return { delegate: { to: "next" } };
        },
      });
      return router;
    });
    for (const [index, router] of routers.entries()) {
      router.register(bridge(() => routers[(index + 1) % 3] ?? router));
    }

    const response = await routers[0]?.ask("who knows?");

    expect(response?.error).toMatchObject({
      code: "LOOP_DETECTED",
      details: {
        path: ["a/front", "a/next", "b/front", "b/next", "c/front", "c/next", "a/front"],
      },
    });
    expect(calls).toEqual(["a", "b", "c"]);
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
    const local = createRouter({ name: "local", timeoutMs: 20_000 });
    local.register(bridge(() => remote));

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
    const local = createRouter({ name: "local" });
    local.register(bridge(() => remote));

    const response = await local.ask("what now?");

    expect(response).toMatchObject({ answer: "Restart it.", confidence: 0.8, metadata });
  });

  it("carries nothing to a server that does not announce that it reads it", async () => {
    let meta: unknown;
    const definition = createMcpLibrarian({
      id: "next",
      description: "asks a tool",
      server: inMemory((_query, { mcpReq }) => {
        meta = mcpReq._meta;
        return text("so");
      }),
      tool: "search",
    });
    cleanUp.push(async () => definition.close?.(new AbortController().signal));
    const local = createRouter({ name: "secret-mesh" });
    local.register(definition);

    expect((await local.ask("q")).answer).toBe("so");
    expect(JSON.stringify(meta ?? {})).not.toContain("secret-mesh");
  });

  it("brings back the hops of the other mesh, and names the librarian there that ignored its deadline", async () => {
    let release = () => {};
    const remote = createRouter({ name: "remote" });
    remote.register({
      id: "stubborn",
      description: "ignores its signal",
      librarian: () => new Promise((resolve) => (release = () => resolve({ answer: "late" }))),
    });
    const local = createRouter({ name: "local", timeoutMs: 5_000 });
    local.register(bridge(() => remote));

    const run = local.start("who knows?");
    const { error } = await run.response;
    release();

    expect(error?.code).toBe("TIMEOUT");
    const [hop] = run.explain().hops;
    expect(hop?.remote?.hops[0]).toMatchObject({ to: "stubborn", abandoned: true });
    expect(hop?.remoteUnsettled).toMatchObject([{ librarian: "stubborn", mesh: "remote" }]);
  });

  it("is made for the caller's user where the caller is a trusted peer, else for the server's", async () => {
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
      const local = createRouter({ name: "local" });
      const options = { user: { id: "local" }, trustedPeers };
      local.register(bridge(() => remote, { sendUser: true }, options));
      await local.ask("q", { user: { id: "ada" }, metadata: { alert: { name: "x" } } });
    }

    expect(users).toEqual(["ada", "local"]);
    expect(metadata).toEqual([{ alert: { name: "x" } }, { alert: { name: "x" } }]);
  });
});
