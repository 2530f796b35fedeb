import {
  type AITool,
  type AskOptions,
  createRouter,
  type Librarian,
  type Router,
  type RouterOptions,
} from "@constellation/core";
import { aiRateLimit, scriptedAI } from "@constellation/testing";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { exampleMesh } from "../../test/meshes.js";
import { createMcpServer } from "./create-mcp-server.js";
import type { McpServerOptions } from "./options.js";

const opened: Client[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((client) => client.close()));
});

async function clientOf(router: Router, options?: McpServerOptions): Promise<Client> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  await createMcpServer(router, options).connect(far);
  const client = new Client({ name: "test", version: "1" });
  await client.connect(near);
  opened.push(client);
  return client;
}

function meshOf(librarian: Librarian, options?: RouterOptions): Router {
  const router = createRouter(options);
  router.register({ id: "only", description: "the only one", librarian });
  return router;
}

/** A librarian that says when it was called, and stops when it is asked to. */
function waiting() {
  const calls: { readonly query: string; readonly reason: Promise<unknown> }[] = [];
  let called: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => {
    called = resolve;
  });
  const librarian: Librarian = (query, context) =>
    new Promise((resolve) => {
      const reason = new Promise<unknown>((tell) => {
        context?.signal?.addEventListener("abort", () => {
          tell(context.signal?.reason);
          resolve({ answer: "too late" });
        });
      });
      calls.push({ query, reason });
      called();
    });
  return { librarian, calls, begun };
}

describe("createMcpServer", () => {
  describe("with further tools", () => {
    const search: AITool = {
      name: "search_workflow_catalog",
      description: "Searches workflows.",
      input: z.strictObject({ query: z.string().max(10) }),
      run: async (input) => JSON.stringify({ found: input }),
    };

    it("lists them, and gives what they return byte for byte", async () => {
      const client = await clientOf(exampleMesh(), { tools: [search] });

      const { tools } = await client.listTools();
      const found = await client.callTool({ name: search.name, arguments: { query: "OOM" } });

      expect(tools.find(({ name }) => name === search.name)).toMatchObject({
        description: "Searches workflows.",
        annotations: { readOnlyHint: true },
      });
      expect(found.content).toEqual([{ type: "text", text: '{"found":{"query":"OOM"}}' }]);
    });

    it("passes no input on that does not fit, and nothing of what a tool throws", async () => {
      const failing = { ...search, run: () => Promise.reject(new Error("secret path")) };
      const client = await clientOf(exampleMesh(), { tools: [failing] });

      const failed = await client.callTool({ name: search.name, arguments: { query: "OOM" } });
      const refused = await client
        .callTool({ name: search.name, arguments: { query: "far too long" } })
        .catch((thrown: unknown) => ({ isError: true, content: String(thrown) }));

      expect(failed).toMatchObject({ isError: true, content: [{ text: "The tool failed." }] });
      expect(refused.isError).toBe(true);
      expect(JSON.stringify([failed, refused])).not.toContain("secret");
    });

    it("serves those of librarians to users who may ask them, and the host's own before them", async () => {
      const router = exampleMesh();
      const found = (text: string) => ({ ...search, run: async () => text });
      const details = { description: "d", librarian: async () => ({ answer: "a" }) };
      router.register({
        ...{ ...details, id: "catalog", allow: { users: ["ada"] } },
        services: { tools: [found("of the librarian"), { ...search, name: "get_workflow" }] },
      });
      const user = { id: "ada" };
      const named = async (client: Client) =>
        (await client.listTools()).tools.map(({ name }) => name).slice(3);
      const called = async (client: Client) =>
        (await client.callTool({ name: search.name, arguments: { query: "OOM" } })).content;
      const [ofAda, ofAnyone, withOwn] = await Promise.all([
        clientOf(router, { user }),
        clientOf(router),
        clientOf(router, { user, tools: [found("of the host")] }),
      ]);

      expect(await named(ofAda)).toEqual([search.name, "get_workflow"]);
      expect(await called(ofAda)).toEqual([{ type: "text", text: "of the librarian" }]);
      expect(await named(ofAnyone)).toEqual([]);
      expect(await called(withOwn)).toEqual([{ type: "text", text: "of the host" }]);
      router.unregister("catalog");
      expect(await called(ofAda)).toEqual([
        { type: "text", text: "UNAUTHORIZED: the user may not use this tool." },
      ]);
    });

    it.each([[[{ ...search, name: "query" }]], [[search, search]], [[{ name: "x" }]], [7]])(
      "refuses %j at creation",
      (tools) => {
        const options = { tools } as unknown as McpServerOptions; // as from JavaScript
        expect(() => createMcpServer(exampleMesh(), options)).toThrow(TypeError);
      },
    );
  });

  it("has the three tools, and says what they return", async () => {
    const client = await clientOf(exampleMesh());

    const { tools } = await client.listTools();

    expect(tools.map(({ name }) => name)).toEqual(["query", "query_librarian", "list_librarians"]);
    expect(tools.every(({ outputSchema }) => outputSchema !== undefined)).toBe(true);
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
  });

  it("answers a query with text to read and the same as data", async () => {
    const client = await clientOf(exampleMesh());
    await client.listTools(); // so that the client checks the data against the schema

    const result = await client.callTool({
      name: "query",
      arguments: { query: "restart billing" },
    });

    expect(result.isError).not.toBe(true);
    expect(result.structuredContent).toStrictEqual({
      answer: 'See the runbook for "restart billing".',
      confidence: 0.9,
      partial: false,
      sources: [{ name: "runbooks/billing.md#Restart", url: "https://example.test/billing" }],
      missing: [],
    });
    expect(result.content).toEqual([
      {
        type: "text",
        text: 'See the runbook for "restart billing".\n\nSources:\n- runbooks/billing.md#Restart: https://example.test/billing',
      },
    ]);
  });

  it("reports an answer that is being written, line by line", async () => {
    const router = meshOf(async (_query, context) => {
      context?.report?.({ text: "A dra" });
      context?.report?.({ text: "ft\n" });
      context?.report?.({ text: "", replaces: true });
      context?.report?.({ text: "The answer\nis short." });
      return { answer: "The answer\nis short." };
    });
    const client = await clientOf(router);
    const messages: unknown[] = [];

    await client.callTool(
      { name: "query", arguments: { query: "q" } },
      { onprogress: ({ message }) => messages.push(message) },
    );

    expect(messages).toEqual(["Asking only.", "only: A draft", "only: The answer"]);
  });

  it("says which model a librarian waits for, and why that was of no use", async () => {
    const ai = scriptedAI([aiRateLimit()]);
    const router = meshOf(
      async (_query, context) => {
        await context?.ai?.complete({ prompt: "q" }).catch(() => undefined);
        return { answer: "By rules." };
      },
      { ai: Object.assign(ai, { model: "model-1" }) },
    );
    const client = await clientOf(router);
    const messages: unknown[] = [];

    await client.callTool(
      { name: "query", arguments: { query: "q" } },
      { onprogress: ({ message }) => messages.push(message) },
    );

    expect(messages).toEqual([
      "Asking only.",
      "only: asking the model (model-1)",
      expect.stringMatching(/^only: continuing without the model: .+ \[RATE_LIMITED\]$/),
    ]);
  });

  it("asks one librarian by its id", async () => {
    const client = await clientOf(exampleMesh());

    const result = await client.callTool({
      name: "query_librarian",
      arguments: { librarian: "empty", query: "anything" },
    });

    expect(result).toMatchObject({
      isError: true,
      structuredContent: {
        error: {
          code: "NOT_FOUND",
          reason: "no-information",
          suggestion: "Ask the runbooks.",
          recoverable: false,
        },
      },
      content: [{ text: expect.stringContaining("Ask the runbooks.") }],
    });
  });

  it("calls a librarian that changes something for a plain order of its acts only", async () => {
    const called: string[] = [];
    const router = createRouter();
    router.register({
      id: "refunds",
      description: "Gives money back",
      effects: "write",
      acts: ["refund"],
      examples: ["Refund order 4410"],
      librarian: async (query) => {
        called.push(query);
        return { answer: "done" };
      },
    });
    const client = await clientOf(router);
    const query = (text: string) =>
      client.callTool({
        name: "query_librarian",
        arguments: { librarian: "refunds", query: text },
      });

    for (const text of ["was order 1001 refunded?", "do not refund order 1001"]) {
      const { isError, content } = await query(text);
      expect([isError, JSON.stringify(content)]).toEqual([
        true,
        expect.stringContaining("Refund order 4410"),
      ]);
    }
    expect(called).toEqual([]);
    expect((await query("Refund order 1001")).isError).toBeFalsy();
    expect(called).toEqual(["Refund order 1001"]);
  });

  it.each([
    ["a blank query", { name: "query", arguments: { query: " " } }, "INVALID_QUERY"],
    [
      "an unknown librarian",
      { name: "query_librarian", arguments: { librarian: "nobody", query: "hello" } },
      "NOT_FOUND",
    ],
  ])("answers %s with an error in the words of the mesh", async (_what, call, code) => {
    const client = await clientOf(exampleMesh());

    const result = await client.callTool(call);

    expect(result).toMatchObject({ isError: true, structuredContent: { error: { code } } });
  });

  it.each([
    ["a query of the wrong type", { query: 7 }],
    ["a query that is too long", { query: "x".repeat(101) }],
    ["more time than it may ask for", { query: "hello", timeoutMs: 1_001 }],
  ])("refuses %s without asking anybody", async (_what, asked) => {
    const { librarian, calls } = waiting();
    const client = await clientOf(meshOf(librarian), { maxQueryLength: 100, maxTimeoutMs: 1_000 });

    const result = await client.callTool({ name: "query", arguments: asked });

    expect(result.isError).toBe(true);
    expect(calls).toEqual([]);
  });

  it("names the branches that an answer lacks", async () => {
    const router = exampleMesh();
    router.register({
      id: "both",
      description: "asks two",
      librarian: async () => ({ delegate: [{ to: "runbooks" }, { to: "empty" }] }),
    });
    const client = await clientOf(router);

    const result = await client.callTool({
      name: "query_librarian",
      arguments: { librarian: "both", query: "restart" },
    });

    expect(result.isError).not.toBe(true);
    expect(result.structuredContent).toMatchObject({
      partial: true,
      missing: [{ to: "empty", code: "NOT_FOUND", reason: "no-information" }],
    });
    expect(result.content).toEqual([
      { type: "text", text: expect.stringContaining("- empty: NOT_FOUND: Nothing is known") },
    ]);
  });

  it("stops the run when the client cancels", async () => {
    const { librarian, calls, begun } = waiting();
    const client = await clientOf(meshOf(librarian));
    const caller = new AbortController();
    const result = client.callTool(
      { name: "query", arguments: { query: "slow" } },
      { signal: caller.signal },
    );
    await begun;

    caller.abort("no longer wanted");

    await expect(result).rejects.toThrow();
    await expect(calls[0]?.reason).resolves.toMatchObject({
      code: "TIMEOUT",
      details: { reason: "cancelled" },
    });
  });

  it("stops the run when the connection closes", async () => {
    const { librarian, calls, begun } = waiting();
    const client = await clientOf(meshOf(librarian));
    const result = client.callTool({ name: "query", arguments: { query: "slow" } });
    const failed = expect(result).rejects.toThrow();
    await begun;

    await client.close();

    await failed;
    await expect(calls[0]?.reason).resolves.toMatchObject({ details: { reason: "cancelled" } });
  });

  it("tells a client that asks for it how far the run is", async () => {
    const client = await clientOf(exampleMesh());
    const reported: unknown[] = [];

    await client.callTool(
      { name: "query", arguments: { query: "restart" } },
      { onprogress: (progress) => reported.push(progress) },
    );

    expect(reported).toEqual([
      { progress: 1, message: "Asking desk." },
      { progress: 2, message: "Asking runbooks." },
      { progress: 3, message: "runbooks: reading runbooks" },
    ]);
  });

  it("continues the client's trace, and asks as the user it was given", async () => {
    const asked: AskOptions[] = [];
    const router = exampleMesh();
    const watched: Router = {
      ...router,
      start: (query, options = {}) => {
        asked.push(options);
        return router.start(query, options);
      },
    };
    const client = await clientOf(watched, { user: { id: "ada", teams: ["platform"] } });
    const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";

    await client.callTool({
      name: "query",
      arguments: { query: "restart" },
      _meta: { traceparent: `00-${traceId}-00f067aa0ba902b7-01`, tracestate: "vendor=1" },
    });
    await client.callTool({
      name: "query",
      arguments: { query: "restart" },
      _meta: { traceparent: "no trace at all" },
    });

    expect(asked[0]).toMatchObject({
      user: { id: "ada", teams: ["platform"] },
      trace: { traceId, spanId: "00f067aa0ba902b7", traceFlags: 1, traceState: "vendor=1" },
    });
    expect(asked[1]?.trace).toBeUndefined();
  });

  it("answers no more queries at once than it may", async () => {
    const { librarian, begun } = waiting();
    const client = await clientOf(meshOf(librarian), { maxQueries: 1 });
    const caller = new AbortController();
    const first = client.callTool(
      { name: "query", arguments: { query: "slow" } },
      { signal: caller.signal },
    );
    await begun;

    const second = await client.callTool({ name: "query", arguments: { query: "one more" } });

    expect(second).toMatchObject({
      isError: true,
      structuredContent: { error: { code: "SERVICE_UNAVAILABLE", reason: "overloaded" } },
    });
    caller.abort();
    await expect(first).rejects.toThrow();
  });

  it("lists the librarians, all or those with a capability, page by page", async () => {
    const client = await clientOf(exampleMesh());
    const list = async (asked: Record<string, unknown>) =>
      (await client.callTool({ name: "list_librarians", arguments: asked })).structuredContent;

    expect(await list({ offset: 1, limit: 1 })).toMatchObject({
      total: 3,
      librarians: [{ id: "runbooks" }],
    });
    expect(await list({ capability: "docs" })).toMatchObject({
      total: 1,
      librarians: [{ id: "runbooks", capabilities: ["docs.runbooks"] }],
    });
    expect(await list({ capability: "weather" })).toEqual({ total: 0, librarians: [] });
  });

  it("neither lists nor asks a librarian that the user may not ask", async () => {
    const router = exampleMesh();
    let calls = 0;
    router.register({
      id: "payroll",
      description: "knows salaries",
      allow: { roles: ["hr"] },
      librarian: async () => {
        calls++;
        return { answer: "42" };
      },
    });
    const listed = async (client: Client) => {
      const list = await client.callTool({ name: "list_librarians", arguments: {} });
      const uri = "constellation://librarians";
      const { resources } = await client.listResources();
      return JSON.stringify([list, await client.readResource({ uri }), resources]);
    };
    const payroll = { name: "query_librarian", arguments: { librarian: "payroll", query: "?" } };
    const clerk = await clientOf(router, { user: { id: "u1", roles: ["clerk"] } });
    const hr = await clientOf(router, { user: { id: "u2", roles: ["hr"] } });

    expect(await listed(clerk)).not.toContain("payroll");
    expect(await listed(hr)).toContain("payroll");
    await expect(
      clerk.readResource({ uri: "constellation://librarians/payroll" }),
    ).rejects.toThrow();
    expect(JSON.stringify(await clerk.callTool(payroll))).toContain("UNAUTHORIZED");
    expect(calls).toBe(0);
    expect(JSON.stringify(await hr.callTool(payroll))).toContain("42");
  });

  it("has the hierarchy of the librarians as resources", async () => {
    const client = await clientOf(exampleMesh());
    const read = async (uri: string): Promise<unknown> => {
      const { contents } = await client.readResource({ uri });
      const [content] = contents;
      return JSON.parse(content !== undefined && "text" in content ? content.text : "");
    };

    expect(await read("constellation://librarians")).toMatchObject({
      librarians: [{ id: "desk", delegatesTo: ["runbooks"] }, { id: "runbooks" }, { id: "empty" }],
      capabilities: [
        {
          capability: "docs",
          librarians: [],
          children: [{ capability: "docs.runbooks", librarians: ["runbooks"], children: [] }],
        },
      ],
    });
    expect(await read("constellation://librarians/runbooks")).toMatchObject({ name: "Runbooks" });
    await expect(read("constellation://librarians/nobody")).rejects.toThrow("not found");
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toContain("constellation://librarians/empty");
  });

  it.each([
    [{ maxQueries: 0 }, RangeError, "maxQueries: expected an integer from 1 to 100000, got 0."],
    [{ name: " " }, RangeError, "name"],
    [{ user: {} }, TypeError, "user: expected an object with an id, got an object."],
    [{ retries: 3 }, TypeError, 'options: unknown key "retries".'],
  ])("refuses the options %j, naming key and value", (options, kind, message) => {
    const create = () => createMcpServer(exampleMesh(), options as McpServerOptions);

    expect(create).toThrow(kind);
    expect(create).toThrow(message);
  });
});
