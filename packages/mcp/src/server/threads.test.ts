import { createRouter } from "@constellation/core";
import { createJournal, createMemoryStore } from "@constellation/journal";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { describe, expect, it, onTestFinished } from "vitest";
import { createMcpServer } from "./create-mcp-server.js";

function createMesh() {
  const router = createRouter({ journal: createJournal({ store: createMemoryStore() }) });
  router.register({
    ...{ id: "recalling", description: "recalls" },
    librarian: async (query, { thread }) => ({
      answer: `${query} after ${JSON.stringify(thread?.turns.map((turn) => turn.query))}`,
    }),
  });
  onTestFinished(() => router.close());
  return router;
}

async function connect(router: ReturnType<typeof createMesh>, id: string, threads = true) {
  const [near, far] = InMemoryTransport.createLinkedPair();
  await createMcpServer(router, { user: { id }, threads }).connect(far);
  const client = new Client({ name: "test", version: "1" });
  await client.connect(near);
  onTestFinished(() => client.close());
  const call = async (name: string, given: object) =>
    (await client.callTool({ name, arguments: { ...given } })).structuredContent;
  return { client, call };
}

describe("the argument thread", () => {
  it("keeps a conversation of the user, whichever tool asks", async () => {
    const router = createMesh();
    const ann = await connect(router, "ann");
    const bob = await connect(router, "bob");

    await ann.call("query", { query: "One?", thread: "t" });
    const second = await ann.call("query_librarian", {
      ...{ librarian: "recalling", query: "Two?", thread: "t" },
    });
    const other = await bob.call("query", { query: "Mine?", thread: "t" });

    expect(second).toMatchObject({ answer: 'Two? after ["One?"]' });
    expect(other).toMatchObject({ error: { code: "NOT_FOUND" } });
  });

  it("is not offered where there are no threads", async () => {
    const { client } = await connect(createMesh(), "ann", false);

    const { tools } = await client.listTools();

    expect(JSON.stringify(tools)).not.toContain("thread");
  });
});
