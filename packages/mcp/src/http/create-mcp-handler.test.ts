import { createRouter, type Router, type User } from "@constellation/core";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Loopback, serveLoopback } from "../../test/loopback.js";
import { exampleMesh } from "../../test/meshes.js";
import { createMcpHandler, type McpHandler } from "./create-mcp-handler.js";
import type { McpHandlerOptions } from "./options.js";

const cleanUp: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const each of cleanUp.splice(0).toReversed()) await each();
});

interface Served {
  readonly handler: McpHandler;
  readonly server: Loopback;
  /** The user, as the host of the handler authenticated it. */
  user: User | undefined;
}

async function serve(router: Router, options?: McpHandlerOptions): Promise<Served> {
  const handler = createMcpHandler(router, options);
  const server = await serveLoopback((request) => handler(request, { user: served.user }));
  const served: Served = { handler, server, user: undefined };
  cleanUp.push(server.close, handler.close);
  return served;
}

type Mode = "legacy" | "auto";

async function connect({ server }: Served, mode: Mode = "legacy"): Promise<Client> {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", server.url)));
  cleanUp.push(() => client.close());
  return client;
}

function post({ server }: Served, body: unknown, headers: Record<string, string> = {}) {
  return fetch(`${server.url}/mcp`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "by hand", version: "1" },
  },
};

/** Begins a session by hand, and gives its id. */
async function begin(served: Served): Promise<string> {
  const response = await post(served, initialize);
  await response.text();
  return response.headers.get("mcp-session-id") ?? "";
}

const listTools = { jsonrpc: "2.0", id: 2, method: "tools/list" };

/** A mesh whose librarian waits until it is asked to stop. */
function slowMesh() {
  const router = createRouter();
  const stopped = vi.fn();
  let called: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => {
    called = resolve;
  });
  router.register({
    id: "slow",
    description: "never comes to an end",
    librarian: (_query, context) =>
      new Promise((resolve) => {
        context?.signal?.addEventListener("abort", () => {
          stopped();
          resolve({ answer: "too late" });
        });
        called();
      }),
  });
  return { router, stopped, begun };
}

describe("createMcpHandler", () => {
  describe.each<Mode>(["legacy", "auto"])("with a client that speaks %s", (mode) => {
    it("answers, telling how far it is", async () => {
      const client = await connect(await serve(exampleMesh()), mode);
      const reported: unknown[] = [];

      const result = await client.callTool(
        { name: "query", arguments: { query: "restart" } },
        { onprogress: ({ message }) => reported.push(message) },
      );

      expect(client.getProtocolEra()).toBe(mode === "auto" ? "modern" : "legacy");
      expect(result.structuredContent).toMatchObject({ answer: 'See the runbook for "restart".' });
      expect(reported).toEqual(["Asking desk.", "Asking runbooks.", "runbooks: reading runbooks"]);
    });

    it("stops the run when the client cancels", async () => {
      const { router, stopped, begun } = slowMesh();
      const client = await connect(await serve(router), mode);
      const caller = new AbortController();
      const result = client.callTool(
        { name: "query", arguments: { query: "slow" } },
        { signal: caller.signal },
      );
      const failed = expect(result).rejects.toThrow();
      await begun;

      caller.abort();

      await failed;
      await vi.waitFor(() => expect(stopped).toHaveBeenCalledOnce(), 20_000);
    });

    it("stops the runs when it closes, and answers 503 from then on", async () => {
      const { router, stopped, begun } = slowMesh();
      const served = await serve(router);
      const client = await connect(served, mode);
      const result = client.callTool({ name: "query", arguments: { query: "slow" } });
      const failed = expect(result).rejects.toThrow();
      await begun;

      await served.handler.close();

      await vi.waitFor(() => expect(stopped).toHaveBeenCalledOnce(), 20_000);
      expect((await post(served, initialize)).status).toBe(503);
      await client.close();
      await failed;
    });

    it("asks as the user of each request", async () => {
      const router = createRouter();
      router.register({
        id: "who",
        description: "says who asks",
        librarian: async (_query, context) => ({
          answer: `${context?.user?.id} ${context?.user?.roles?.join()}`,
        }),
      });
      const served = await serve(router);
      served.user = { id: "ada", roles: ["admin"] };
      const client = await connect(served, mode);

      served.user = { id: "ada", roles: ["reader"] };
      const result = await client.callTool({ name: "query", arguments: { query: "who am I?" } });

      expect(result.structuredContent).toMatchObject({ answer: "ada reader" });
    });
  });

  it("shows a session to no one but the user who began it", async () => {
    const served = await serve(exampleMesh());
    served.user = { id: "ada" };
    const id = await begin(served);
    const asked = { "mcp-session-id": id };

    served.user = { id: "eve" };
    expect((await post(served, listTools, asked)).status).toBe(404);
    served.user = undefined;
    expect((await post(served, listTools, asked)).status).toBe(404);
    served.user = { id: "ada" };
    expect((await post(served, listTools, asked)).status).toBe(200);
  });

  it("ends a session that its client ends", async () => {
    const served = await serve(exampleMesh());
    const id = await begin(served);

    const ended = await fetch(`${served.server.url}/mcp`, {
      method: "DELETE",
      headers: { "mcp-session-id": id },
    });

    expect(ended.status).toBe(200);
    expect((await post(served, listTools, { "mcp-session-id": id })).status).toBe(404);
  });

  describe("with a clock of the test", () => {
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
    });
    afterEach(() => {
      vi.useRealTimers();
    });

    it("ends a session that is idle too long, and none that answers", async () => {
      const { router, stopped, begun } = slowMesh();
      const served = await serve(router, { sessionIdleMs: 5_000 });
      const client = await connect(served);
      const result = client.callTool({
        name: "query",
        arguments: { query: "slow" },
      });
      const failed = expect(result).rejects.toThrow();
      await begun;
      const id = await begin(served);

      await vi.advanceTimersByTimeAsync(4_000);
      expect((await post(served, listTools, { "mcp-session-id": id })).status).toBe(200);
      await vi.advanceTimersByTimeAsync(4_000);
      expect((await post(served, listTools, { "mcp-session-id": id })).status).toBe(200);
      await vi.advanceTimersByTimeAsync(6_000);

      expect((await post(served, listTools, { "mcp-session-id": id })).status).toBe(404);
      expect(stopped).not.toHaveBeenCalled();
      await client.close();
      await failed;
    });

    it("makes room for a session by ending the one that was idle longest", async () => {
      const served = await serve(exampleMesh(), { maxSessions: 2 });
      const first = await begin(served);
      const second = await begin(served);
      vi.setSystemTime(Date.now() + 5);
      await (await post(served, listTools, { "mcp-session-id": first })).text();

      await begin(served);

      expect((await post(served, listTools, { "mcp-session-id": second })).status).toBe(404);
      expect((await post(served, listTools, { "mcp-session-id": first })).status).toBe(200);
    });
  });

  it("keeps no session for an `initialize` that it refuses", async () => {
    const served = await serve(exampleMesh(), { maxSessions: 2 });
    const first = await begin(served);

    for (let count = 0; count < 3; count++) {
      expect((await post(served, initialize, { accept: "text/plain" })).status).toBe(406);
    }

    expect((await post(served, listTools, { "mcp-session-id": first })).status).toBe(200);
  });

  it("refuses a session when every other one is busy", async () => {
    const { router, begun } = slowMesh();
    const served = await serve(router, { maxSessions: 1 });
    const client = await connect(served);
    const result = client.callTool({ name: "query", arguments: { query: "slow" } });
    const failed = expect(result).rejects.toThrow();
    await begun;

    const refused = await post(served, initialize);

    expect(refused.status).toBe(503);
    expect(refused.headers.get("retry-after")).toBe("5");
    await client.close();
    await failed;
  });

  it.each([
    ["a host name it does not know", { host: "evil.example:80" }],
    ["a page of an origin it does not know", { origin: "https://evil.example" }],
    ["a page without an origin of its own", { origin: "null" }],
  ])("refuses %s", async (_what, headers: Record<string, string>) => {
    const handler = createMcpHandler(exampleMesh());
    cleanUp.push(handler.close);
    const request = new Request("http://127.0.0.1/mcp", {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(initialize),
    });

    expect((await handler(request)).status).toBe(403);
  });

  it("accepts the hosts and origins that are allowed", async () => {
    const handler = createMcpHandler(exampleMesh(), {
      allowedHosts: ["mesh.example"],
      allowedOrigins: "any",
    });
    cleanUp.push(handler.close);
    const request = new Request("http://mesh.example/mcp", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        host: "mesh.example",
        origin: "https://console.example",
      },
      body: JSON.stringify(initialize),
    });

    expect((await handler(request)).status).toBe(200);
  });

  it.each([
    ["no JSON", "{", {}, 400],
    ["another content type", "query=1", { "content-type": "text/plain" }, 415],
    ["a body that is too large", JSON.stringify({ pad: "x".repeat(2_000) }), {}, 413],
    [
      "two calls of tools",
      JSON.stringify([{ method: "tools/call" }, { method: "tools/call" }]),
      {},
      400,
    ],
    ["too many messages", JSON.stringify(Array.from({ length: 33 }, () => ({}))), {}, 400],
    ["a request outside any session", JSON.stringify(listTools), {}, 400],
    ["an unknown session", JSON.stringify(listTools), { "mcp-session-id": "made-up" }, 404],
  ])("answers %s with the status that fits", async (_what, body, headers, status) => {
    const served = await serve(exampleMesh(), { maxBodyBytes: 1_000 });

    expect((await post(served, body, headers as Record<string, string>)).status).toBe(status);
  });

  it("answers whatever JSON it gets, and stays as it was", async () => {
    const handler = createMcpHandler(exampleMesh(), { maxSessions: 2 });
    cleanUp.push(handler.close);
    const messages = fc.record(
      {
        jsonrpc: fc.constantFrom("2.0", "1.0"),
        id: fc.oneof(fc.integer(), fc.string(), fc.constant(null)),
        method: fc.constantFrom("initialize", "tools/call", "tools/list", "server/discover", "x"),
        params: fc.oneof(
          fc.jsonValue(),
          fc.record({
            name: fc.constant("query"),
            arguments: fc.jsonValue(),
            _meta: fc.jsonValue(),
          }),
        ),
      },
      { requiredKeys: [] },
    );

    await fc.assert(
      fc.asyncProperty(fc.oneof(messages, fc.array(messages), fc.jsonValue()), async (body) => {
        const response = await handler(
          new Request("http://localhost/mcp", {
            method: "POST",
            headers: {
              "content-type": "application/json",
              accept: "application/json, text/event-stream",
            },
            body: JSON.stringify(body),
          }),
        );

        expect(response.status).toBeGreaterThanOrEqual(200);
        expect(response.status).toBeLessThan(500);
        await response.body?.cancel();
      }),
    );
  });

  it.each([
    ["logging/setLevel", { level: "info" }, -32_601],
    [
      "completion/complete",
      { ref: { type: "ref/prompt", name: "p" }, argument: { name: "a", value: "" } },
      -32_601,
    ],
    ["resources/subscribe", { uri: "constellation://librarians" }, -32_601],
    ["resources/unsubscribe", { uri: "constellation://librarians" }, -32_601],
    ["prompts/list", {}, -32_601],
    ["prompts/get", { name: "p" }, -32_601],
    ["tools/call", { name: "test_image_content", arguments: {} }, -32_602],
    ["resources/read", { uri: "test://static-text" }, -32_602],
  ])(
    "answers %s, which it does not have, with the protocol's error",
    async (method, params, code) => {
      const served = await serve(exampleMesh());
      const session = { "mcp-session-id": await begin(served) };

      const response = await post(served, { jsonrpc: "2.0", id: 2, method, params }, session);

      expect(await response.text()).toContain(`"code":${code}`);
    },
  );

  it("refuses methods it does not know", async () => {
    const { server } = await serve(exampleMesh());

    expect((await fetch(`${server.url}/mcp`, { method: "PUT", body: "{}" })).status).toBe(405);
  });

  it.each([
    [{ maxSessions: 0 }, RangeError, "maxSessions: expected an integer from 1 to 100000, got 0."],
    [{ allowedHosts: "localhost" }, TypeError, "allowedHosts: expected an array of host names"],
    [{ port: 3001 }, TypeError, 'options: unknown key "port".'],
  ])("refuses the options %j, naming key and value", (options, kind, message) => {
    const create = () => createMcpHandler(exampleMesh(), options as McpHandlerOptions);

    expect(create).toThrow(kind);
    expect(create).toThrow(message);
  });
});
