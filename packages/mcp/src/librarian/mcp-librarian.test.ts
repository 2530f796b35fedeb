import {
  createRouter,
  type Librarian,
  type LibrarianDefinition,
  type Response,
} from "@constellation/core";
import { itBehavesLikeALibrarian, testContext } from "@constellation/testing";
import type { CallToolResult, Transport } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/client";
import { describe, expect, it, vi } from "vitest";
import { exampleMesh } from "../../test/meshes.js";
import { inMemory, type Tool, text } from "../../test/tool-server.js";
import { createMcpServer } from "../index.js";
import { createMcpLibrarian } from "./mcp-librarian.js";
import type { McpLibrarianOptions } from "./options.js";

function librarianOf(
  tool: Tool,
  more: Partial<McpLibrarianOptions> = {},
): LibrarianDefinition<Librarian> {
  return createMcpLibrarian({
    id: "tickets",
    description: "searches tickets",
    server: inMemory(tool),
    tool: "search",
    ...more,
  });
}

/** Asks once, and lets go of the server. */
async function ask(
  definition: LibrarianDefinition<Librarian>,
  query = "billing",
  context = testContext(),
) {
  try {
    return await definition.librarian(query, context);
  } finally {
    await definition.close?.(new AbortController().signal);
  }
}

describe("createMcpLibrarian", () => {
  itBehavesLikeALibrarian({
    create: () => librarianOf((query) => (query === "billing" ? text("Two tickets.") : text())),
    query: "billing",
    unanswerable: "weather",
    failing: (thrown) =>
      librarianOf(() => text(), {
        server: () => {
          throw thrown;
        },
      }),
    hanging: () => librarianOf(() => new Promise<never>(() => undefined)),
    withOptions: (options) => librarianOf(() => text("Two tickets."), options),
    without: ["delegation"],
  });

  it("answers with the text of the tool, and names its links and itself as sources", async () => {
    const response = await ask(
      librarianOf(() => ({
        content: [
          { type: "text", text: "Two tickets are open." },
          { type: "resource_link", name: "T-1", uri: "https://tickets.test/1", title: "Billing" },
          { type: "resource_link", name: "run me", uri: "javascript:alert(1)" },
          { type: "resource", resource: { uri: "tickets://2", text: "billing restarts" } },
          { type: "image", data: "AAAA", mimeType: "image/png" },
        ],
        structuredContent: { open: 2 },
      })),
    );

    expect(response).toEqual({
      answer: "Two tickets are open.",
      sources: [
        { name: "Billing", url: "https://tickets.test/1", type: "resource" },
        { name: "run me", type: "resource" },
        { name: "tickets://2", url: "tickets://2", type: "resource" },
        { name: "search (tickets)", type: "tool" },
      ],
      confidence: 0.7,
      metadata: { structured: { open: 2 } },
    });
  });

  it.each<[string, CallToolResult, string]>([
    [
      "an embedded resource",
      { content: [{ type: "resource", resource: { uri: "tickets://2", text: "restarts" } }] },
      "restarts",
    ],
    [
      "data alone",
      { content: [], structuredContent: { open: 2 } },
      '```json\n{\n  "open": 2\n}\n```',
    ],
  ])("answers from %s where there is no text", async (_what, result, answer) => {
    expect(await ask(librarianOf(() => result))).toMatchObject({ answer });
  });

  it.each<[string, McpLibrarianOptions["answerFrom"], Partial<Response>]>([
    ["a path to text", "result.summary", { answer: "Two are open." }],
    ["a path to data", "result.open", { answer: "```json\n2\n```" }],
    [
      "a function",
      ({ text, data }) => `${text}: ${JSON.stringify(data?.result)}`,
      { answer: 'raw: {"summary":"Two are open.","open":2}' },
    ],
  ])("takes the answer from where `answerFrom` says: %s", async (_what, answerFrom, expected) => {
    const result = {
      ...text("raw"),
      structuredContent: { result: { summary: "Two are open.", open: 2 } },
    };

    expect(await ask(librarianOf(() => result, { answerFrom }))).toMatchObject(expected);
  });

  it("has no answer where `answerFrom` finds none, and hides what it throws", async () => {
    const none = await ask(librarianOf(() => text("raw"), { answerFrom: "result.summary" }));
    const thrown = await ask(
      librarianOf(() => text("raw"), {
        answerFrom: () => {
          throw new Error("password=hunter2");
        },
      }),
    );

    expect(none.error).toMatchObject({ code: "NOT_FOUND", details: { reason: "no-information" } });
    expect(thrown.error?.code).toBe("INTERNAL_ERROR");
    expect(JSON.stringify(thrown)).not.toContain("hunter2");
  });

  it("takes what a tool says for text, and no more", async () => {
    const response = await ask(
      librarianOf(() =>
        text("\u001b[31mred\u001b[0m <script>alert(1)</script>\u0000 `<b>` \u202egnp"),
      ),
    );

    expect(response.answer).toBe("red \\<script>alert(1)\\</script> `<b>` gnp");
    expect(response.delegate).toBeUndefined();
  });

  it("cuts an answer that is too long, and says that it is partial", async () => {
    const response = await ask(librarianOf(() => text("x".repeat(500)), { maxAnswerLength: 100 }));

    expect(response).toMatchObject({ answer: `${"x".repeat(99)}…`, partial: true });
  });

  it("calls the tool with the arguments of its options", async () => {
    const called: unknown[] = [];
    const router = createRouter();
    const connect = inMemory(() => text("ok"));
    const spying = async (): Promise<Transport> => {
      const transport = await connect();
      const send = transport.send.bind(transport);
      transport.send = async (message, options) => {
        if ("params" in message && message.method === "tools/call") called.push(message.params);
        await send(message, options);
      };
      return transport;
    };
    const options = { description: "searches", server: spying, tool: "search" };
    router.register(
      createMcpLibrarian({ ...options, id: "fixed", arguments: { limit: 5, query: "never" } }),
    );
    router.register(
      createMcpLibrarian({
        ...options,
        id: "made",
        argumentsFor: (query, { user }) => ({ query: query.toUpperCase(), as: user?.id }),
      }),
    );
    const trace = { traceId: "4bf92f3577b34da6a3ce929d0e0e4736", spanId: "00f067aa0ba902b7" };

    await router.ask("billing", { to: "fixed", trace: { ...trace, traceState: "vendor=1" } });
    await router.ask("billing", { to: "made", user: { id: "ada" } });

    expect(called).toMatchObject([
      {
        name: "search",
        arguments: { limit: 5, query: "billing" },
        _meta: {
          traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
          tracestate: "vendor=1",
        },
      },
      { arguments: { query: "BILLING", as: "ada" } },
    ]);
    await router.close();
  });

  it("reports the tool's progress", async () => {
    const context = testContext();
    const report = vi.fn();

    await ask(
      librarianOf(async (_query, { mcpReq }) => {
        const progressToken = mcpReq._meta?.progressToken ?? "";
        const method = "notifications/progress";
        await mcpReq.notify({
          method,
          params: { progressToken, progress: 1, message: "half way" },
        });
        await mcpReq.notify({ method, params: { progressToken, progress: 2, total: 3 } });
        return text("done");
      }),
      "billing",
      { ...context, report } as typeof context,
    );

    expect(report.mock.calls).toEqual([[{ message: "half way" }], [{ message: "2 of 3" }]]);
  });

  it("ends the call at the server when no one waits any more", async () => {
    let stopped: (reason: unknown) => void = () => undefined;
    const reported = new Promise((resolve) => {
      stopped = resolve;
    });
    let called: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => {
      called = resolve;
    });
    const definition = librarianOf((_query, { mcpReq: { signal } }) => {
      called();
      return new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          stopped(signal.reason);
          resolve(text("too late"));
        });
      });
    });
    const context = testContext();
    const response = definition.librarian("billing", context);
    await begun;

    context.cancel();

    await expect(response).resolves.toMatchObject({
      error: { code: "TIMEOUT", details: { reason: "cancelled" } },
    });
    await reported;
    await definition.close?.(new AbortController().signal);
  });

  it("is late when the server is, by its own limit", async () => {
    const response = await ask(
      librarianOf(() => new Promise<never>(() => undefined), { timeoutMs: 30 }),
    );

    expect(response.error).toMatchObject({ code: "TIMEOUT", details: { reason: "deadline" } });
  });

  it("is late when the server takes too long to say hello", async () => {
    const response = await ask(
      librarianOf(() => text(), {
        server: async () => InMemoryTransport.createLinkedPair()[0], // no one is at the other end
        connectTimeoutMs: 30,
      }),
    );

    expect(response.error).toMatchObject({ code: "TIMEOUT" });
  });

  it("shows what a tool reports of an error", async () => {
    const response = await ask(
      librarianOf(() => ({ ...text("no such project: \u001b[1mbilling"), isError: true })),
    );

    expect(response.error).toMatchObject({
      code: "DATA_SOURCE_ERROR",
      message: 'The tool "search" reported an error: no such project: billing',
      librarian: "librarian-under-test",
      details: { text: "no such project: billing" },
    });
  });

  it("fails with DATA_SOURCE_ERROR when the server has no such tool", async () => {
    const response = await ask(librarianOf(() => text("ok"), { tool: "find" }));

    expect(response.error?.code).toBe("DATA_SOURCE_ERROR");
  });

  it("says how it is, and looks for its tool when it starts", async () => {
    const up = librarianOf(() => text("ok"), { eager: true });
    const wrong = librarianOf(() => text("ok"), { eager: true, tool: "find" });
    const { signal } = new AbortController();

    expect(await up.health?.(signal)).toEqual({ status: "up" });
    await expect(up.start?.(signal)).resolves.toBeUndefined();
    const message = 'The server has no tool "find". It has: search.';
    expect(await wrong.health?.(signal)).toEqual({ status: "down", message });
    await expect(wrong.start?.(signal)).rejects.toThrow(message);
    await up.close?.(signal);
    await wrong.close?.(signal);
  });

  it("connects once for calls side by side, and anew after the server was lost", async () => {
    const connections: Transport[] = [];
    const connect = inMemory(() => text("ok"));
    const definition = librarianOf(() => text("ok"), {
      server: async () => {
        const transport = await connect();
        connections.push(transport);
        return transport;
      },
    });

    await Promise.all([
      definition.librarian("billing", testContext()),
      definition.librarian("billing", testContext()),
    ]);
    expect(connections).toHaveLength(1);
    await connections[0]?.close();
    const again = await definition.librarian("billing", testContext());

    expect(again.answer).toBe("ok");
    expect(connections).toHaveLength(2);
    await definition.close?.(new AbortController().signal);
  });

  it("reads the tools of another mesh as what they are", async () => {
    const remote = createMcpLibrarian({
      id: "remote",
      description: "another mesh",
      server: async () => {
        const [near, far] = InMemoryTransport.createLinkedPair();
        await createMcpServer(exampleMesh()).connect(far);
        return near;
      },
      tool: "query_librarian",
      argumentsFor: (query) => ({ librarian: query.startsWith("?") ? "empty" : "desk", query }),
    });

    const answered = await remote.librarian("restart", testContext());
    const failed = await ask(remote, "?");

    expect(answered).toMatchObject({
      answer: 'See the runbook for "restart".',
      confidence: 0.9,
      sources: [
        { name: "runbooks/billing.md#Restart", url: "https://example.test/billing" },
        { name: "query_librarian (constellation)" },
      ],
    });
    expect(failed.error).toMatchObject({
      code: "NOT_FOUND",
      message: "Nothing is known about it.",
      suggestion: "Ask the runbooks.",
      details: { reason: "no-information" },
    });
  });

  it.each([
    [{ id: "Tickets" }, RangeError, 'id: expected 1 to 64 of a-z, 0-9 and "-", got "Tickets".'],
    [{ server: { url: "ftp://x" } }, RangeError, "server.url: expected an http or https URL"],
    [{ server: 7 }, TypeError, "server: expected { command"],
    [{ tool: "" }, RangeError, 'tool: expected the name of a tool, got "".'],
    [{ confidence: 2 }, RangeError, "confidence: expected a number from 0 to 1, got 2."],
    [{ port: 1 }, TypeError, 'options: unknown key "port".'],
    [
      { argumentsFor: () => ({}), queryArgument: "q" },
      RangeError,
      "queryArgument: expected none beside `argumentsFor`",
    ],
  ])("refuses the options %j, naming key and value", (options, kind, message) => {
    const create = () => librarianOf(() => text(), options as Partial<McpLibrarianOptions>);

    expect(create).toThrow(kind);
    expect(create).toThrow(message);
  });

  it("estimates by what its tool says of itself, once the server has listed it", async () => {
    const definition = librarianOf(() => text("Two tickets."), { eager: true });
    const signal = new AbortController().signal;
    const probe = (query: string) =>
      definition.canAnswer?.({ query, signal, deadline: Number.POSITIVE_INFINITY });

    expect(await probe("search tickets")).toBeUndefined();
    await definition.start?.(signal);
    expect((await probe("search tickets"))?.coverage).toBe(1);
    expect((await probe("who painted the chapel?"))?.chance).toBeLessThan(0.01);
    await definition.close?.(signal);
  });
});
