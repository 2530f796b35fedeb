import { createRouter, type MeshLibrarian, type User } from "@constellation/core";
import { createJournal, createMemoryStore } from "@constellation/journal";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { createMcpServer } from "./create-mcp-server.js";

const opened: Client[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((client) => client.close()));
});

const operator: MeshLibrarian = async (query, context) => {
  const { approved, outcome, by } = await context.approve({
    what: `Restart ${query}?`,
    data: { replicas: 3 },
    ...(query === "theirs" && { excludeRequester: true }),
  });
  if (!approved) return { answer: `${outcome} by ${by}` };
  const count = await context.askUser("How many?", z.number());
  return { answer: `Restarted ${count.outcome === "answered" ? count.value : "none"}.` };
};

type Reply = { readonly action: "accept" | "decline" | "cancel"; readonly content?: object };

/** A client whose user gives these replies, one after the other. */
async function connect(replies: readonly Reply[] | undefined, user: User = { id: "ann" }) {
  const router = createRouter({ journal: createJournal({ store: createMemoryStore() }) });
  router.register({ id: "operator", description: "restarts", librarian: operator });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await createMcpServer(router, { user }).connect(far);
  const client = new Client(
    { name: "test", version: "1" },
    replies === undefined ? {} : { capabilities: { elicitation: {} } },
  );
  const asked: unknown[] = [];
  if (replies !== undefined) {
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      asked.push(params);
      return { ...{ action: "cancel" as const }, ...replies[asked.length - 1] } as never;
    });
  }
  await client.connect(near);
  opened.push(client);
  const call = async (query = "checkout") =>
    (await client.callTool({ name: "query", arguments: { query } })).structuredContent;
  return { call, asked };
}

describe("a run that waits", () => {
  it("is continued with what the client's user approves and answers, in one call", async () => {
    const { call, asked } = await connect([
      { action: "accept", content: { approve: true } },
      { action: "accept", content: { value: 2 } },
    ]);

    expect(await call()).toMatchObject({ answer: "Restarted 2.", partial: false });
    expect(asked).toMatchObject([
      {
        message: expect.stringContaining('Restart checkout?\n{\n "replicas": 3'),
        requestedSchema: { required: ["approve"] },
      },
      { message: "How many?", requestedSchema: { properties: { value: { type: "number" } } } },
    ]);
  });

  it("is refused where the user declines, or accepts without approving", async () => {
    for (const reply of [
      { action: "decline" },
      { action: "accept", content: { approve: false } },
    ] as const) {
      const { call } = await connect([reply]);
      expect(await call()).toMatchObject({ answer: "refused by ann" });
    }
  });

  it.each([
    ["the user puts it off", [{ action: "cancel" } as const], "checkout", 1],
    ["the client cannot ask", undefined, "checkout", 0],
    ["the user may not answer it", [], "theirs", 0],
  ])("waits on where %s", async (_where, replies, query, count) => {
    const { call, asked } = await connect(replies);

    expect(await call(query)).toMatchObject({ partial: true });
    expect(asked).toHaveLength(count);
  });
});
