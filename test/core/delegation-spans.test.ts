import { setTimeout as wait } from "node:timers/promises";
import { createRouter, type Librarian, type Router, type RouterOptions } from "@constellation/core";
import { scriptedAI } from "@constellation/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type InMemorySpans, keepSpans } from "../../packages/core/test/in-memory-spans.js";

const slow: Librarian = async () => {
  await wait(15);
  return { answer: "ok", confidence: 0.8, sources: [{ name: "a" }] };
};

function chain(options: RouterOptions = {}): Router {
  const router = createRouter({ entry: "desk", ...options });
  router.register({
    id: "desk",
    description: "delegates",
    librarian: async () => ({ delegate: { to: "guide", context: { reason: "it knows" } } }),
  });
  router.register({
    id: "guide",
    description: "delegates",
    librarian: async () => ({ delegate: [{ to: "left" }, { to: "right" }] }),
  });
  router.register({ id: "left", description: "answers", librarian: slow });
  router.register({ id: "right", description: "answers", librarian: slow });
  return router;
}

describe("the spans of a delegation", () => {
  let spans: InMemorySpans;

  beforeEach(() => {
    spans = keepSpans();
  });
  afterEach(async () => {
    await spans.close();
  });

  const eventsOf = (name: string) =>
    spans
      .readable()
      .find((span) => span.name === name)
      ?.events.map(({ name: event, attributes }) => ({ name: event, ...attributes })) ?? [];

  it("cover everything below them, along a chain and a fan-out", async () => {
    await chain().ask("how?");

    const finished = spans.finished(); // in the order in which they ended
    const below = finished.filter(({ name }) => name !== "invoke_workflow constellation");
    for (const span of below) {
      const parent = finished.findIndex(({ spanId }) => spanId === span.parentSpanId);
      expect(parent).toBeGreaterThan(finished.indexOf(span));
    }
    expect(below).toHaveLength(5);
  });

  it("end with what they delegated, in the middle of a run too", async () => {
    const router = chain({ entry: "asker" });
    router.register({
      id: "asker",
      description: "asks",
      librarian: async (query, context) => {
        await context?.ask?.(query, { to: "guide" });
        await wait(30);
        return { answer: "asked" };
      },
    });

    await router.ask("how?");

    const guide = spans.named("invoke_agent guide");
    expect(spans.named("invoke_agent asker").endMs - guide.endMs).toBeGreaterThan(15);
  });

  it("note when the librarian responded, to whom it delegated, and the time limit", async () => {
    await chain().ask("how?");

    expect(eventsOf("invoke_agent desk")).toEqual([
      { name: "librarian.responded", "librarian.delegation.to": ["guide"] },
    ]);
    expect(eventsOf("invoke_agent guide")).toEqual([
      { name: "librarian.delegation", "librarian.timeout_ms": expect.any(Number) },
      { name: "librarian.responded", "librarian.delegation.to": ["left", "right"] },
    ]);
  });

  it("have the reason with recordContent, and the id of the user beside its hash", async () => {
    await chain({ recordContent: true }).ask("how?", { user: { id: "ada" } });

    expect(eventsOf("invoke_agent guide")[0]).toMatchObject({
      "librarian.delegation.reason": "it knows",
    });
    expect(spans.named("invoke_workflow constellation").attributes).toMatchObject({
      "user.hash": expect.stringMatching(/^[0-9a-f]{16}$/),
      "user.id": "ada",
    });
  });

  it("have the same hash for the same user, and no id", async () => {
    for (const id of ["ada", "ada", "bob"]) await chain().ask("how?", { user: { id } });

    const runs = spans.finished().filter(({ name }) => name === "invoke_workflow constellation");
    const hashes = runs.map(({ attributes }) => attributes["user.hash"]);
    expect(new Set(hashes).size).toBe(2);
    expect(hashes[0]).toBe(hashes[1]);
    expect(runs.map(({ attributes }) => attributes["user.id"])).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("lead to a run that has the confidence, sources and tokens of the answer", async () => {
    const router = createRouter({ ai: scriptedAI(["ok"]) });
    router.register({
      id: "one",
      description: "answers",
      librarian: async (query, context) => {
        await context?.ai?.complete({ prompt: query });
        return { answer: "ok", confidence: 0.75, sources: [{ name: "a" }, { name: "b" }] };
      },
    });

    await router.ask("how?");

    expect(spans.named("invoke_workflow constellation").attributes).toMatchObject({
      "librarian.confidence": 0.75,
      "librarian.sources.count": 2,
      "gen_ai.usage.input_tokens": 1,
      "librarian.usage.model_calls": 1,
    });
  });
});

describe("the span of a librarian that throws", () => {
  let spans: InMemorySpans;

  beforeEach(() => {
    spans = keepSpans();
  });
  afterEach(async () => {
    await spans.close();
  });

  async function exceptionOf(recordContent: boolean) {
    const router = createRouter({ recordContent });
    router.register({
      id: "broken",
      description: "throws",
      librarian: async () => {
        throw new TypeError("password=hunter2");
      },
    });
    await router.ask("how?");
    return spans.readable().find(({ name }) => name === "invoke_agent broken")?.events[0];
  }

  it("has the kind of what was thrown", async () => {
    expect(await exceptionOf(false)).toMatchObject({
      name: "exception",
      attributes: { "exception.type": "TypeError" },
    });
    expect(JSON.stringify(spans.finished())).not.toContain("hunter2");
  });

  it("has the frames of its stack with recordContent, and not its message", async () => {
    const event = await exceptionOf(true);

    expect(event?.attributes?.["exception.stacktrace"]).toContain("delegation-spans.test");
    expect(JSON.stringify(event)).not.toContain("hunter2");
  });
});

describe("the span of a librarian that reports progress", () => {
  it("has an event for each report, its text only with recordContent, at most 100", async () => {
    const spans = keepSpans();
    try {
      for (const recordContent of [false, true]) {
        const router = createRouter({ recordContent });
        router.register({
          id: `busy-${recordContent}`,
          description: "works",
          librarian: async (_query, context) => {
            for (let step = 1; step <= 120; step++) context?.report?.(`step ${step}`);
            context?.report?.({ text: "a piece of the answer" });
            return { answer: "ok" };
          },
        });
        await router.ask("how?");
      }
      const [without, withContent] = [false, true].map((each) =>
        spans.readable().find(({ name }) => name === `invoke_agent busy-${each}`),
      );
      expect(without?.events).toHaveLength(100);
      expect(without?.events[0]).toMatchObject({ name: "librarian.progress", attributes: {} });
      expect(withContent?.events[0]?.attributes).toEqual({
        "librarian.progress.message": "step 1",
      });
    } finally {
      await spans.close();
    }
  });
});
