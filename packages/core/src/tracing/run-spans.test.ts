import { type Context, createRouter, type Librarian } from "@constellation/core";
import { context, propagation, trace } from "@opentelemetry/api";
import { NodeTracerProvider, SamplingDecision } from "@opentelemetry/sdk-trace-node";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type InMemorySpans, keepSpans } from "../../test/in-memory-spans.js";
import { treeOfRecord, treesOfSpans } from "../../test/span-tree.js";

const answers =
  (answer: string): Librarian =>
  async () => ({ answer });
const delegatesTo =
  (to: string): Librarian =>
  async () => ({ delegate: { to } });

it("a sampler reads which run and which librarian it decides on", async () => {
  const seen: unknown[] = [];
  let runId: string | undefined;
  const provider = new NodeTracerProvider({
    sampler: {
      shouldSample(_context, _traceId, _name, _kind, attributes) {
        seen.push({ ...attributes });
        return { decision: SamplingDecision.RECORD_AND_SAMPLED };
      },
    },
  });
  provider.register();
  try {
    const router = createRouter({ name: "desk" });
    router.register({ id: "docs", description: "reads", librarian: answers("ok") });
    const run = router.start("how?");
    await run.response;
    runId = run.id;
  } finally {
    trace.disable();
    context.disable();
    propagation.disable();
    await provider.shutdown();
  }

  expect(seen).toEqual([
    {
      "gen_ai.operation.name": "invoke_workflow",
      "gen_ai.workflow.name": "desk",
      "librarian.run.id": runId,
    },
    {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "docs",
      "librarian.id": "docs",
    },
  ]);
});

describe("the spans of a run", () => {
  let spans: InMemorySpans;

  beforeEach(() => {
    spans = keepSpans();
  });
  afterEach(async () => {
    await spans.close();
  });

  it("are invoke_workflow for the run and invoke_agent for its one hop, both internal", async () => {
    const router = createRouter({ name: "desk" });
    router.register({ id: "docs", description: "reads", librarian: answers("ok") });

    await router.ask("how?");

    const run = spans.named("invoke_workflow desk");
    const hop = spans.named("invoke_agent docs");
    expect(spans.finished()).toHaveLength(2);
    expect(run).toMatchObject({ kind: "internal", status: "unset", parentSpanId: undefined });
    expect(hop).toMatchObject({ kind: "internal", status: "unset", parentSpanId: run.spanId });
  });

  it("say of a run what it is, how it ended, and nothing else", async () => {
    const router = createRouter({ name: "desk" });
    router.register({ id: "docs", description: "reads", librarian: answers("ok") });

    const run = router.start("how?");
    await run.response;

    expect(spans.named("invoke_workflow desk").attributes).toEqual({
      "gen_ai.operation.name": "invoke_workflow",
      "gen_ai.workflow.name": "desk",
      "librarian.run.id": run.id,
      "librarian.stop_reason": "answered",
      "librarian.timeout_ms": 30_000,
    });
  });

  it("say of a hop who, why, where on the path, and what came of it", async () => {
    const router = createRouter({ entry: "desk" });
    router.register({ id: "desk", description: "delegates", librarian: delegatesTo("docs") });
    router.register({
      id: "docs",
      description: "reads",
      librarian: async () => ({ answer: "ok", confidence: 0.8, sources: [{ name: "a" }] }),
    });

    await router.ask("how?");

    expect(spans.named("invoke_agent desk").attributes).toEqual({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "desk",
      "librarian.id": "desk",
      "librarian.hop.id": 1,
      "librarian.delegation.depth": 0,
      "librarian.delegation.mode": "entry",
      "librarian.attempt": 1,
      "librarian.response.kind": "delegate",
    });
    expect(spans.named("invoke_agent docs").attributes).toEqual({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "docs",
      "librarian.id": "docs",
      "librarian.hop.id": 2,
      "librarian.delegation.depth": 1,
      "librarian.delegation.mode": "delegate",
      "librarian.delegation.from": "desk",
      "librarian.attempt": 1,
      "librarian.response.kind": "answer",
      "librarian.confidence": 0.8,
      "librarian.sources.count": 1,
    });
  });

  it("put each hop of a chain below the one that delegated", async () => {
    const router = createRouter({ entry: "a" });
    router.register({ id: "a", description: "a", librarian: delegatesTo("b") });
    router.register({ id: "b", description: "b", librarian: delegatesTo("c") });
    router.register({ id: "c", description: "c", librarian: answers("ok") });

    await router.ask("how?");

    const [a, b, c] = ["a", "b", "c"].map((id) => spans.named(`invoke_agent ${id}`));
    expect(a?.parentSpanId).toBe(spans.named("invoke_workflow constellation").spanId);
    expect(b?.parentSpanId).toBe(a?.spanId);
    expect(c?.parentSpanId).toBe(b?.spanId);
  });

  it("put what context.ask calls below the hop that asked, which lasts longer", async () => {
    const asks: Librarian = async (query, context?: Context) => {
      const asked = await context?.ask?.(query, { to: "facts" });
      return { answer: `so: ${asked?.answer}` };
    };
    const router = createRouter({ entry: "desk" });
    router.register({ id: "desk", description: "asks", librarian: asks });
    router.register({ id: "facts", description: "knows", librarian: answers("ok") });

    await router.ask("how?");

    const desk = spans.named("invoke_agent desk");
    const facts = spans.named("invoke_agent facts");
    expect(facts.parentSpanId).toBe(desk.spanId);
    expect(facts.attributes["librarian.delegation.mode"]).toBe("ask");
    // Each span starts from the clock's whole millisecond: two spans agree to within one.
    expect(desk.endMs + 1).toBeGreaterThanOrEqual(facts.endMs);
  });

  it.each([
    ["answered", answers("ok")],
    ["partial", async () => ({ answer: "half", partial: true })],
    ["not-found", async () => ({ error: { code: "NOT_FOUND" as const, message: "no" } })],
    ["loop", delegatesTo("docs")],
    ["failed", () => Promise.reject(new Error("x"))],
  ] satisfies [string, Librarian][])("carry the stop reason %s", async (reason, librarian) => {
    const router = createRouter({ name: "desk" });
    router.register({ id: "docs", description: "reads", librarian });

    await router.ask("how?");

    const { attributes } = spans.named("invoke_workflow desk");
    expect(attributes["librarian.stop_reason"]).toBe(reason);
  });

  it("exist for a query that cannot be asked: one span, with its error", async () => {
    const router = createRouter({ name: "desk" });

    await router.ask(" ");

    expect(spans.finished()).toMatchObject([
      {
        name: "invoke_workflow desk",
        status: "error",
        attributes: { "error.type": "INVALID_QUERY" },
      },
    ]);
  });

  it("have one trace id, and concurrent runs never mix", async () => {
    const router = createRouter({ entry: "desk", fanoutConcurrency: 2 });
    const pause = () => new Promise<void>((resolve) => setImmediate(resolve));
    const slow: Librarian = async () => {
      await pause();
      return { answer: "ok" };
    };
    router.register({
      id: "desk",
      description: "fans out",
      librarian: async () => {
        await pause();
        return { delegate: ["a", "b", "c"].map((to) => ({ to })) };
      },
    });
    for (const id of ["a", "b", "c"]) router.register({ id, description: id, librarian: slow });

    const runs = Array.from({ length: 20 }, () => router.start("how?"));
    await Promise.all(runs.map(({ response }) => response));

    const trees = treesOfSpans(spans.finished());
    const byId = new Map(trees.map((tree) => [tree.runId, tree]));
    expect(spans.finished()).toHaveLength(20 * 6);
    expect(new Set(spans.finished().map(({ traceId }) => traceId)).size).toBe(20);
    for (const run of runs) expect(byId.get(run.id)).toEqual(treeOfRecord(run.explain()));
  });

  it("rebuild the run record, whatever shape the run had", async () => {
    await fc.assert(
      fc.asyncProperty(meshes, async (root) => {
        const router = createRouter({ entry: "n", maxDepth: 4, maxHops: 12, maxFanout: 3 });
        register(root, "n", (id, librarian) => router.register({ id, description: id, librarian }));

        const run = router.start("how?");
        await run.response;
        await run.settled;

        const tree = treesOfSpans(spans.finished()).find(({ runId }) => runId === run.id);
        expect(tree).toEqual(treeOfRecord(run.explain()));
      }),
      { numRuns: 150 },
    );
  });
});

/** What a librarian of a made-up mesh does, and with whom. */
interface Node {
  readonly does: "answer" | "fail" | "throw" | "delegate" | "ask" | "loop" | "unknown";
  readonly merge: "merge-all" | "race" | "first-success" | "best-confidence";
  readonly below: readonly Node[];
}

const meshes = fc.letrec<{ node: Node }>((tie) => ({
  node: fc.record({
    does: fc.constantFrom(
      "answer",
      "fail",
      "throw",
      "delegate",
      "delegate",
      "delegate",
      "ask",
      "ask",
      "loop",
      "unknown",
    ),
    merge: fc.constantFrom("merge-all", "race", "first-success", "best-confidence"),
    below: fc.oneof(
      { maxDepth: 4 },
      fc.constant([]),
      fc.array(tie("node"), { minLength: 1, maxLength: 4 }),
    ),
  }),
})).node;

function register(
  { does, merge, below }: Node,
  id: string,
  add: (id: string, librarian: Librarian) => void,
): void {
  const ids = below.map((_, index) => `${id}-${index}`);
  add(id, async (query, context) => {
    if (does === "fail") return { error: { code: "DATA_SOURCE_ERROR", message: "down" } };
    if (does === "throw") throw new Error("down");
    if (does === "loop") return { delegate: { to: "n" } };
    if (does === "unknown") return { answer: "some", delegate: { to: "nobody" } };
    if (does === "delegate" && ids.length > 0) {
      return { delegate: ids.map((to) => ({ to })), merge };
    }
    if (does === "ask") {
      await Promise.all(ids.map(async (to) => context?.ask?.(query, { to })));
    }
    return { answer: "ok", confidence: 0.7 };
  });
  for (const [index, node] of below.entries()) register(node, ids[index] ?? "", add);
}
