import { createRouter, type Librarian, MeshError, type Router } from "@constellation/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type InMemorySpans, keepSpans } from "../../test/in-memory-spans.js";

const query = "why does billing-7f restart?";
const refined = "events of billing-7f";
const answer = "It runs out of memory.";
const secret = "hunter2";

/** A mesh in which something of every kind happens, secrets everywhere. */
function leakyRouter(recordContent: boolean): Router {
  const router = createRouter({ entry: "desk", recordContent });
  const librarians: Readonly<Record<string, Librarian>> = {
    desk: async () => ({
      delegate: [
        { to: "docs", query: refined, context: { reason: secret, token: secret } },
        { to: "throws" },
        { to: "rejects" },
        { to: "echoes" },
        { to: "garbage" },
        { to: "nobody" },
      ],
    }),
    docs: async () => ({ answer, sources: [{ name: secret }], metadata: { token: secret } }),
    throws: () => {
      throw new Error(`password=${secret}`);
    },
    rejects: () =>
      Promise.reject(new MeshError("UNAUTHORIZED", `The token ${secret} is not valid.`)),
    echoes: async (asked) => ({
      error: {
        code: "NOT_FOUND",
        message: `Nothing is known about "${asked}".`,
        details: { reason: secret, token: secret },
      },
    }),
    garbage: async () => ({ text: secret }) as never,
  };
  for (const [id, librarian] of Object.entries(librarians)) {
    router.register({ id, description: secret, librarian });
  }
  return router;
}

describe("what is said in spans", () => {
  let spans: InMemorySpans;

  beforeEach(() => {
    spans = keepSpans();
  });
  afterEach(async () => {
    await spans.close();
  });

  it("is neither query nor answer, nor the words of an error, nor a secret", async () => {
    await leakyRouter(false).ask(query, {
      user: { id: secret },
      metadata: { token: secret },
    });

    const reported = JSON.stringify(spans.finished());
    expect(spans.finished()).toHaveLength(9);
    for (const word of [query, refined, answer, secret, "billing-7f", "password"]) {
      expect(reported).not.toContain(word);
    }
  });

  it("is the content too with recordContent: the query and the answer of the run and of each hop", async () => {
    await leakyRouter(true).ask(query);

    const run = spans.named("invoke_workflow constellation").attributes;
    const docs = spans.named("invoke_agent docs").attributes;
    expect(JSON.parse(String(run["gen_ai.input.messages"]))).toEqual([
      { role: "user", parts: [{ type: "text", content: query }] },
    ]);
    expect(JSON.parse(String(run["gen_ai.output.messages"]))).toMatchObject([
      { role: "assistant", parts: [{ type: "text" }] },
    ]);
    expect(docs["gen_ai.input.messages"]).toContain(refined);
    expect(docs["gen_ai.output.messages"]).toContain(answer);
  });

  it("is never the text of a thrown error, not even with recordContent", async () => {
    await leakyRouter(true).ask(query);

    expect(JSON.stringify(spans.finished())).not.toContain("password");
  });

  it.each([true, false])("holds no secret of an error, recordContent %s", async (recordContent) => {
    const router = createRouter({ recordContent });
    const said = `password=${secret}\n    at ${secret} (a.ts:1:1)\n${"x".repeat(1_000_000)}`;
    const librarians: Readonly<Record<string, Librarian>> = {
      throws: () => Promise.reject(new Error(said)),
      returns: async () => ({ error: { code: "DATA_SOURCE_ERROR", message: said } }),
      reports: async (_, context) => {
        context?.report?.("x".repeat(1_000_000));
        return { delegate: { to: "throws" } };
      },
    };
    for (const [id, librarian] of Object.entries(librarians)) {
      router.register({ id, description: "fails", librarian });
    }

    for (const to of Object.keys(librarians)) await router.ask("why?", { to });

    const reported = JSON.stringify(
      spans
        .readable()
        .map(({ name, attributes, events, status }) => [name, attributes, events, status]),
    );
    expect(reported).not.toContain(secret);
    expect(reported.length).toBeLessThan(100_000);
  });

  it.each(["x".repeat(1_000_000), `sk-${secret} and more`, "a\u001b[31m"])(
    "names no unknown librarian by a text that is not an id",
    async (to) => {
      const router = createRouter({ entry: "desk" });
      router.register({
        id: "desk",
        description: "asks",
        librarian: async () => ({ delegate: { to } }),
      });

      await router.ask("why?");
      await router.ask("why?", { to });

      const reported = JSON.stringify(
        spans.readable().map(({ name, attributes, events }) => [name, attributes, events]),
      );
      expect(reported).not.toContain(to.slice(0, 200));
      expect(reported).not.toContain(JSON.stringify(to).slice(1, 12));
      expect(reported.length).toBeLessThan(20_000);
    },
  );

  it("is not recorded of a run that failed: there is no answer to record", async () => {
    const router = createRouter({ recordContent: true });
    router.register({ id: "docs", description: "fails", librarian: () => Promise.reject("no") });

    await router.ask(query);

    for (const { attributes } of spans.finished()) {
      expect(attributes).not.toHaveProperty(["gen_ai.output.messages"]);
    }
  });
});
