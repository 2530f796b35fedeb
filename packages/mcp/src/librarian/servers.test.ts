import { fileURLToPath } from "node:url";
import { createRouter, type Router } from "@constellation/core";
import { testContext } from "@constellation/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import { bundle } from "../../../../scripts/bundle.js";
import { type Loopback, serveLoopback } from "../../test/loopback.js";
import { exampleMesh } from "../../test/meshes.js";
import { createMcpHandler } from "../index.js";
import { createMcpLibrarian } from "./mcp-librarian.js";
import type { McpLibrarianOptions } from "./options.js";

const cleanUp: (() => Promise<unknown> | undefined)[] = [];

afterEach(async () => {
  for (const each of cleanUp.splice(0).toReversed()) await each();
});

/** For what takes a moment, on a machine that may be busy, in milliseconds. */
const patienceMs = 40_000;

const { signal: unending } = new AbortController();

function librarianOf(options: Pick<McpLibrarianOptions, "server"> & Partial<McpLibrarianOptions>) {
  const definition = createMcpLibrarian({
    id: "remote",
    description: "a remote tool",
    tool: "search",
    timeoutMs: patienceMs,
    ...options,
  });
  cleanUp.push(() => definition.close?.(unending));
  const { librarian } = definition;
  return {
    ...definition,
    ask: (query: string, context = testContext(), withinMs = patienceMs) =>
      librarian(query, { ...context, deadline: Date.now() + withinMs }),
  };
}

/** A promise with the function that resolves it. */
function withResolvers() {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

describe("a server that is started", () => {
  it("answers", async () => {
    const script = fileURLToPath(new URL("../../test/stdio-tool.ts", import.meta.url));
    const server = {
      command: process.execPath,
      args: [await bundle(script)],
      env: { TICKETS: "two" },
    };

    expect((await librarianOf({ server }).ask("billing")).answer).toContain("two tickets");
  });
});

describe("a server on the network", () => {
  async function meshServer(router: Router = exampleMesh()) {
    const handler = createMcpHandler(router);
    const seen: Request[] = [];
    const server = await serveLoopback((request) => {
      seen.push(request);
      return handler(request);
    });
    cleanUp.push(server.close, handler.close);
    return { handler, server, seen, url: `${server.url}/mcp` };
  }

  /** A server that is not an MCP server, but answers its handshake; `reply` answers the call. */
  async function rawServer(reply: (id: number) => Response | Promise<Response>): Promise<Loopback> {
    const server = await serveLoopback(async (request) => {
      if (request.method !== "POST") return new Response(null, { status: 405 });
      const { id, method } = (await request.json()) as { id?: number; method: string };
      if (id === undefined) return new Response(null, { status: 202 });
      if (method === "tools/call") return reply(id);
      if (method !== "initialize") {
        const error = { code: -32_601, message: "Method not found" };
        return Response.json({ jsonrpc: "2.0", id, error });
      }
      const result = {
        protocolVersion: "2025-06-18",
        capabilities: { tools: {} },
        serverInfo: { name: "raw", version: "1" },
      };
      return Response.json({ jsonrpc: "2.0", id, result });
    });
    cleanUp.push(server.close);
    return server;
  }

  it("answers, with our headers on each request", async () => {
    const { url, seen } = await meshServer();
    const remote = librarianOf({
      server: { url, headers: { authorization: "Bearer t0ken" } },
      tool: "query",
    });

    expect(await remote.ask("restart")).toMatchObject({
      answer: 'See the runbook for "restart".',
      confidence: 0.9,
    });
    expect(await remote.health?.(unending)).toEqual({ status: "up" });
    expect(seen.map(({ headers }) => headers.get("authorization"))).not.toContain(null);
  });

  it("is one trace with the mesh that asks it, over both", async () => {
    const there = exampleMesh();
    const traces: (string | undefined)[] = [];
    there.register({
      id: "traced",
      description: "reports its trace",
      librarian: async (_query, context) => {
        traces.push(context?.trace?.traceId);
        return { answer: "traced" };
      },
    });
    const { url } = await meshServer(there);
    const { ask: _, ...definition } = librarianOf({
      server: { url },
      tool: "query_librarian",
      argumentsFor: (query) => ({ query, librarian: "traced" }),
    });
    const here = createRouter();
    here.register(definition);
    const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";

    await here.ask("hello", { trace: { traceId, spanId: "00f067aa0ba902b7" } });

    expect(traces).toEqual([traceId]);
  });

  it("observes the cancel of its caller, garbage collected or not", async () => {
    const router = createRouter();
    const stopped = vi.fn();
    const { promise: begun, resolve: called } = withResolvers();
    router.register({
      id: "slow",
      description: "never ends by itself",
      librarian: (_query, context) =>
        new Promise((resolve) => {
          context?.signal?.addEventListener("abort", () => {
            stopped();
            resolve({ answer: "late" });
          });
          called();
        }),
    });
    const { url } = await meshServer(router);
    const remote = librarianOf({ server: { url }, tool: "query" });
    const context = testContext();
    const response = remote.ask("slow", context);
    await begun;
    global.gc?.();

    context.cancel();

    await expect(response).resolves.toMatchObject({ error: { code: "TIMEOUT" } });
    await vi.waitFor(() => expect(stopped).toHaveBeenCalledOnce(), { timeout: patienceMs });
  });

  it("is found again after it was started anew and forgot us", async () => {
    let handler = createMcpHandler(exampleMesh());
    const server = await serveLoopback((request) => handler(request));
    cleanUp.push(server.close, () => handler.close());
    const remote = librarianOf({ server: { url: `${server.url}/mcp` }, tool: "query" });
    await remote.ask("restart");

    await handler.close();
    handler = createMcpHandler(exampleMesh());

    expect((await remote.ask("restart")).answer).toBe('See the runbook for "restart".');
  });

  it("is begun with anew when a session is unknown to it", async () => {
    let sessions = 0;
    let calls = 0;
    const server = await serveLoopback(async (request) => {
      if (request.method !== "POST") return new Response(null, { status: 405 });
      const { id, method } = (await request.json()) as { id?: number; method: string };
      if (id === undefined) return new Response(null, { status: 202 });
      if (method === "initialize") {
        sessions++;
        const result = {
          protocolVersion: "2025-06-18",
          capabilities: { tools: {} },
          serverInfo: { name: "forgetful", version: "1" },
        };
        return Response.json(
          { jsonrpc: "2.0", id, result },
          { headers: { "mcp-session-id": `s${sessions}` } },
        );
      }
      if (method !== "tools/call") return new Response(null, { status: 404 });
      calls++;
      if (request.headers.get("mcp-session-id") === "s1")
        return new Response(null, { status: 404 });
      return Response.json({
        jsonrpc: "2.0",
        id,
        result: { content: [{ type: "text", text: "here" }] },
      });
    });
    cleanUp.push(server.close);

    const { answer } = await librarianOf({ server: { url: server.url } }).ask("billing");

    expect({ answer, sessions, calls }).toEqual({ answer: "here", sessions: 2, calls: 2 });
  });

  it.each<[string, (id: number) => Response, string]>([
    ["answers with garbage", () => new Response("garbage"), "DATA_SOURCE_ERROR"],
    [
      "answers with JSON that is not a message",
      () => Response.json({ hello: "world" }),
      "DATA_SOURCE_ERROR",
    ],
    [
      "answers with something that is not a result of a tool",
      (id) => Response.json({ jsonrpc: "2.0", id, result: { content: "text" } }),
      "DATA_SOURCE_ERROR",
    ],
    [
      "refuses the call",
      (id) => Response.json({ jsonrpc: "2.0", id, error: { code: -32_602, message: "no" } }),
      "DATA_SOURCE_ERROR",
    ],
    [
      "sends 50 MB",
      (id) =>
        Response.json({
          jsonrpc: "2.0",
          id,
          result: { content: [{ type: "text", text: "x".repeat(50_000_000) }] },
        }),
      "DATA_SOURCE_ERROR",
    ],
    [
      "streams 50 MB",
      () =>
        new Response(`data: ${"x".repeat(50_000_000)}\n\n`, {
          headers: { "content-type": "text/event-stream" },
        }),
      "DATA_SOURCE_ERROR",
    ],
    [
      "ends its stream without a result",
      () => new Response(": nothing\n\n", { headers: { "content-type": "text/event-stream" } }),
      "SERVICE_UNAVAILABLE",
    ],
    ["rejects the credentials", () => new Response(null, { status: 401 }), "UNAUTHORIZED"],
    ["has too many requests", () => new Response(null, { status: 429 }), "RATE_LIMITED"],
    ["is not available", () => new Response(null, { status: 503 }), "SERVICE_UNAVAILABLE"],
    ["fails", () => new Response("stack trace", { status: 500 }), "DATA_SOURCE_ERROR"],
    [
      "sends us elsewhere",
      () => new Response(null, { status: 307, headers: { location: "http://127.0.0.2:9/mcp" } }),
      "DATA_SOURCE_ERROR",
    ],
  ])("that %s gives the code that fits", async (_what, reply, code) => {
    const { url } = await rawServer(reply);

    const { error } = await librarianOf({ server: { url } }).ask("billing");

    expect(error?.code).toBe(code);
  });

  it.each([
    [401, "UNAUTHORIZED"],
    [403, "UNAUTHORIZED"],
    [404, "SERVICE_UNAVAILABLE"],
    [500, "DATA_SOURCE_ERROR"],
  ])("that answers with %i from the first request on is %s", async (status, code) => {
    const server = await serveLoopback(async () => new Response("secret", { status }));
    cleanUp.push(server.close);

    const { error } = await librarianOf({ server: { url: server.url } }).ask("billing");

    expect(error?.code).toBe(code);
    expect(JSON.stringify(error)).not.toContain("secret");
  });

  it("is SERVICE_UNAVAILABLE when it goes away in the middle of a stream", async () => {
    const { promise: isStreaming, resolve: streams } = withResolvers();
    const server = await rawServer(
      () =>
        new Response(
          new ReadableStream({
            start: (controller) => controller.enqueue(new TextEncoder().encode(": wait\n\n")),
            pull: () => streams(), // the first piece was taken
          }),
          { headers: { "content-type": "text/event-stream" } },
        ),
    );
    const response = librarianOf({ server: { url: server.url } }).ask("billing");
    await isStreaming;

    await server.close();

    await expect(response).resolves.toMatchObject({ error: { code: "SERVICE_UNAVAILABLE" } });
  });

  it("is SERVICE_UNAVAILABLE when no server listens", async () => {
    const server = await serveLoopback(async () => new Response());
    await server.close();

    const { error } = await librarianOf({ server: { url: server.url } }).ask("billing");

    expect(error).toMatchObject({ code: "SERVICE_UNAVAILABLE", librarian: "librarian-under-test" });
  });

  it("is late when it never answers", async () => {
    const server = await serveLoopback(() => new Promise(() => undefined));
    cleanUp.push(server.close);

    const { error } = await librarianOf({ server: { url: server.url }, timeoutMs: 100 }).ask(
      "billing",
    );

    expect(error).toMatchObject({ code: "TIMEOUT", details: { reason: "deadline" } });
  });
});
