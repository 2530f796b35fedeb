import type { Librarian } from "@constellation/core";
import { createJournal, createMemoryStore } from "@constellation/journal";
import { describe, expect, it } from "vitest";
import { threadListSchema, threadSchema } from "../src/threads/thread.schema.js";
import { echo, eventsOf, serveMesh } from "./served-mesh.js";

const auth = {
  tokens: ["ada", "bob"].map((id) => ({ token: `the-token-of-${id}`, user: { id } })),
};
const as = (id: string) => ({ headers: { authorization: `Bearer the-token-of-${id}` } });

function serve() {
  const journal = createJournal({ store: createMemoryStore() });
  const recalling: Librarian = async (query, context) => ({
    answer: `${query} after ${JSON.stringify(context?.thread?.turns.map((turn) => turn.query))}`,
  });
  return serveMesh({ recalling }, { journal, auth }, { journal });
}

describe("/threads", () => {
  it("keeps what a user asks in a thread, by POST and as a stream, for that user alone", async () => {
    const { post, fetch } = await serve();
    await post("/ask", { query: "One?", thread: "t" }, as("ada"));
    const stream = await fetch("/ask/stream?query=Two%3F&thread=t", as("ada"));
    const events = [];
    for await (const event of eventsOf(stream)) events.push(event);

    expect(events.at(-1)?.data).toMatchObject({ response: { answer: 'Two? after ["One?"]' } });
    const refused = await post("/ask", { query: "Mine?", thread: "t" }, as("bob"));
    expect(refused.status).toBe(404);
    const list = await (await fetch("/threads", as("ada"))).json();
    expect(threadListSchema.strict().parse(list)).toMatchObject({
      threads: [{ id: "t", title: "One?" }],
    });
    const thread = threadSchema.parse(await (await fetch("/threads/t", as("ada"))).json());
    expect(thread.turns.map(({ query, answer }) => [query, answer])).toEqual([
      ["One?", "One? after []"],
      ["Two?", 'Two? after ["One?"]'],
    ]);
    expect(await (await fetch("/threads", as("bob"))).json()).toEqual({ threads: [] });
    for (const method of ["GET", "DELETE"]) {
      expect((await fetch("/threads/t", { method, ...as("bob") })).status).toBe(404);
    }
  });

  it("renames and deletes a thread with its runs", async () => {
    const { post, fetch } = await serve();
    const asked = await post("/ask", { query: "One?", thread: "t" }, as("ada"));
    const runId = asked.headers.get("x-run-id") ?? "";
    const json = { "content-type": "application/json" };
    const patch = (body: object, user = "ada") =>
      fetch("/threads/t", {
        method: "PATCH",
        headers: { ...json, ...as(user).headers },
        body: JSON.stringify(body),
      });

    expect(await (await patch({ title: "Outage" })).json()).toMatchObject({ title: "Outage" });
    expect((await patch({ title: " " })).status).toBe(400);
    expect((await patch({ title: "Bob's" }, "bob")).status).toBe(404);
    const gone = await fetch("/threads/t", { method: "DELETE", ...as("ada") });
    expect(gone.status).toBe(204);
    expect((await fetch("/threads/t", as("ada"))).status).toBe(404);
    const cancelled = await post(`/runs/${runId}/cancel`, {}, as("ada"));
    expect(cancelled.status).toBe(404);
  });

  it("says what is wrong, and that there is no journal", async () => {
    const { fetch } = await serve();
    const bare = await serveMesh({ echo });

    expect((await fetch("/threads?limit=0", as("ada"))).status).toBe(400);
    expect((await fetch("/threads?before=May", as("ada"))).status).toBe(400);
    expect((await bare.fetch("/threads")).status).toBe(404);
    const asked = await bare.post("/ask", { query: "One?", thread: "t" });
    expect(asked.status).toBe(503);
    const tooLong = await bare.post("/ask", { query: "One?", thread: "t".repeat(201) });
    expect(await tooLong.json()).toMatchObject({
      error: { message: expect.stringContaining("thread") as string },
    });
  });
});
