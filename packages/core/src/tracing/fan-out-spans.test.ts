import { setTimeout as wait } from "node:timers/promises";
import { createRouter, type Librarian, type MergeStrategy, type Router } from "@constellation/core";
import { trace } from "@opentelemetry/api";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type InMemorySpans, keepSpans } from "../../test/in-memory-spans.js";
import { linkedTo } from "../../test/span-tree.js";

const ok: Librarian = async () => ({ answer: "ok" });
const fails: Librarian = async () => ({ error: { code: "DATA_SOURCE_ERROR", message: "down" } });
const never: Librarian = (_query, context) =>
  new Promise((_, reject) => {
    context?.signal?.addEventListener("abort", () => reject(new Error("stopped")), { once: true });
  });

function fanOutTo(branches: Readonly<Record<string, Librarian>>, merge?: MergeStrategy): Router {
  const router = createRouter({ entry: "desk", ...(merge !== undefined && { merge }) });
  const delegate = Object.keys(branches).map((to) => ({ to }));
  router.register({ id: "desk", description: "fans out", librarian: async () => ({ delegate }) });
  for (const [id, librarian] of Object.entries(branches)) {
    router.register({ id, description: id, librarian });
  }
  return router;
}

describe("the spans of a fan-out", () => {
  let spans: InMemorySpans;

  beforeEach(() => {
    spans = keepSpans();
  });
  afterEach(async () => {
    await spans.close();
  });

  it("are below the hop that asked, the merge among them", async () => {
    await fanOutTo({ a: ok, b: ok, c: ok }).ask("how?");

    const desk = spans.named("invoke_agent desk");
    for (const name of ["invoke_agent a", "invoke_agent b", "invoke_agent c", "merge merge-all"]) {
      expect(spans.named(name)).toMatchObject({ parentSpanId: desk.spanId, kind: "internal" });
    }
  });

  it("link the merge to each response it used, and to none that failed", async () => {
    await fanOutTo({ a: ok, broken: fails, c: ok }).ask("how?");

    const merge = spans.named("merge merge-all");
    expect(linkedTo(merge, spans.finished())).toEqual(["a", "c"]);
    expect(merge.links).toHaveLength(2);
    expect(merge.attributes).toEqual({
      "librarian.id": "desk",
      "librarian.delegation.strategy": "merge-all",
      "librarian.delegation.fanout.size": 3,
      "librarian.missing.count": 1,
    });
  });

  it("mark a failed child as Error, and not the parent that answered without it", async () => {
    await fanOutTo({ a: ok, broken: fails }).ask("how?");

    expect(spans.named("invoke_agent broken")).toMatchObject({
      status: "error",
      attributes: { "error.type": "DATA_SOURCE_ERROR" },
    });
    for (const name of ["invoke_agent desk", "merge merge-all", "invoke_workflow constellation"]) {
      const { status, attributes } = spans.named(name);
      expect({ name, status, type: attributes["error.type"] }).toEqual({
        name,
        status: "unset",
        type: undefined,
      });
    }
  });

  it("count those missing on the run", async () => {
    await fanOutTo({ a: ok, broken: fails }).ask("how?");

    const { attributes } = spans.named("invoke_workflow constellation");
    expect(attributes["librarian.missing.count"]).toBe(1);
  });

  it("mark merge and run as Error when every branch failed", async () => {
    await fanOutTo({ a: fails, b: fails }).ask("how?");

    const merge = spans.named("merge merge-all");
    expect(merge).toMatchObject({ status: "error", links: [] });
    expect(spans.named("invoke_workflow constellation").status).toBe("error");
    expect(spans.named("invoke_agent desk").status).toBe("unset");
  });

  it("count all delegates of a decided fan-out, link the winner, and call the losers cancelled", async () => {
    const run = fanOutTo({ slow: never, quick: ok, idle: never }, "race").start("how?");
    await run.response;
    await run.settled;

    const merge = spans.named("merge race");
    expect(merge.attributes["librarian.delegation.fanout.size"]).toBe(3);
    expect(linkedTo(merge, spans.finished())).toEqual(["quick"]);
    for (const loser of ["slow", "idle"]) {
      expect(spans.named(`invoke_agent ${loser}`)).toMatchObject({
        status: "unset",
        attributes: { "librarian.cancelled": true, "librarian.response.kind": "cancelled" },
      });
    }
  });

  it("cover the time of the merge, and hold what a merge function opens", async () => {
    const router = fanOutTo({ a: ok, b: ok }, async () => {
      await wait(20);
      trace.getTracer("test").startSpan("blend").end();
      return { answer: "blended" };
    });

    await router.ask("how?");

    const merge = spans.named("merge custom");
    expect(merge.endMs - merge.startMs).toBeGreaterThanOrEqual(15);
    expect(spans.named("blend").parentSpanId).toBe(merge.spanId);
  });
});
