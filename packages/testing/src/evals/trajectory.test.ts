import { createRouter } from "@constellation/core";
import { describe, expect, it } from "vitest";
import { scriptedAI } from "../scripted-ai.js";
import { compareReports, printComparison } from "./compare-reports.js";
import type { EvalExpect } from "./eval-case.js";
import { printAnnotations, printJUnit } from "./print-ci.js";
import { askRouter, runEval } from "./run-eval.js";

/** Desk, then docs, then a write; 120 tokens for 0.02 dollars. */
function mesh() {
  const usage = { inputTokens: 100, outputTokens: 20, costUsd: 0.02 };
  const router = createRouter({ entry: "desk", ai: scriptedAI(() => ({ text: "so", usage })) });
  router.register({
    id: "desk",
    description: "asks",
    librarian: async () => ({ delegate: { to: "docs" } }),
  });
  router.register({
    id: "docs",
    description: "reads",
    librarian: async (query, { ai, ask }) => {
      await ai?.complete({ prompt: query });
      return ask(query, { to: "pay" });
    },
  });
  router.register({
    id: "pay",
    description: "pays",
    effects: "write",
    librarian: async () => ({ answer: "paid" }),
  });
  return askRouter(router);
}

async function check(expected: EvalExpect) {
  const { results } = await runEval(mesh(), [{ id: "one", query: "Pay?", expect: expected }]);
  return results[0]?.expectations.map(({ passed, seen }) => ({ passed, seen }));
}

describe("expectations of how an answer came about", () => {
  it.each<[EvalExpect, boolean, string]>([
    [{ order: ["desk", "pay"] }, true, "desk, docs, pay"],
    [{ order: ["pay", "desk"] }, false, "desk, docs, pay"],
    [{ order: { exactly: ["desk", "docs", "pay"] } }, true, "desk, docs, pay"],
    [{ order: { exactly: ["desk", "pay"] } }, false, "desk, docs, pay"],
    [{ written: ["pay"] }, true, "pay"],
    [{ written: { exactly: [] } }, false, "pay"],
    [{ maxHops: 3 }, true, "3"],
    [{ maxHops: 2 }, false, "3"],
    [{ maxTokens: 120 }, true, "120"],
    [{ maxTokens: 119 }, false, "120"],
    [{ maxCostUsd: 0.02 }, true, "0.02"],
    [{ maxCostUsd: 0.01 }, false, "0.02"],
  ])("%j", async (expected, passed, seen) => {
    expect(await check(expected)).toEqual([{ passed, seen }]);
  });

  it("compares the time of the run", async () => {
    expect((await check({ maxDurationMs: 60_000 }))?.[0]?.passed).toBe(true);
    expect((await check({ maxDurationMs: 0 }))?.[0]?.passed).toBe(false);
  });
});

const result = (id: string, passed: boolean, more: object = {}) => ({
  ...{ id, query: `${id}?`, tags: [], passed, durationMs: 100, sources: [], librarians: [] },
  ...{ delegates: [], expectations: [] },
  ...more,
});

describe("compareReports", () => {
  it("lists what got better and worse, case by case", () => {
    const before = {
      results: [result("a", true), result("b", false), result("c", false), result("d", true)],
    };
    const now = {
      results: [result("a", false), result("b", true), result("c", false), result("e", false)],
    };

    const comparison = compareReports(before, now);

    expect(comparison).toMatchObject({
      better: ["b"],
      worse: ["a", "e"],
      stillFailing: ["c"],
      gone: ["d"],
      isWorse: true,
    });
    expect(printComparison(comparison)).toContain(
      "better: b\nworse: a, e\nstill failing: c\ngone: d",
    );
  });

  it("accepts amounts within the tolerance, and no more", () => {
    const before = { results: [result("a", true, { tokens: 100, durationMs: 1_000 })] };
    const now = (tokens: number, durationMs: number) => ({
      results: [result("a", true, { tokens, durationMs })],
    });

    expect(compareReports(before, now(110, 1_100)).isWorse).toBe(false);
    expect(compareReports(before, now(111, 1_000)).isWorse).toBe(true);
    expect(compareReports(before, now(111, 1_000), { tolerance: 0.2 }).isWorse).toBe(false);
    expect(compareReports(before, now(100, 5_000)).isWorse).toBe(false); // another machine
    expect(compareReports(before, now(100, 5_000), { tolerance: 0.2 }).isWorse).toBe(true);
    expect(compareReports(before, now(80, 2_000)).amounts).toMatchObject([
      { name: "durationMs", change: "worse" },
      { name: "tokens", change: "better" },
    ]);
  });
});

describe("a report for CI", () => {
  const expectations = [
    { name: "mustMention", passed: false, expected: ["a<b"], seen: 'lacks "a<b"\u0000' },
  ] as const;
  const results = [result("good", true), result("bad: 1", false, { expectations })];
  const report = {
    total: { passed: 1, of: 2 },
    notAsked: 0,
    byExpectation: {},
    byTag: {},
    results,
  };

  it("is JUnit XML with what was expected and seen", () => {
    const xml = printJUnit(report, "cases.jsonl");

    expect(xml).toContain('<testsuite name="cases.jsonl" tests="2" failures="1" time="0.200">');
    expect(xml).toContain('<testcase classname="cases.jsonl" name="good" time="0.100" />');
    expect(xml).toContain(
      'message="mustMention: expected [&quot;a&lt;b&quot;], seen: lacks &quot;a&lt;b&quot;"',
    );
    expect(xml).not.toContain("\u0000");
  });

  it("is an annotation at the line of each failed case", () => {
    expect(printAnnotations(report, "evals/cases.jsonl", () => 7)).toBe(
      '::error file=evals/cases.jsonl,line=7,title=eval bad%3A 1::bad: 1?%0AmustMention: expected ["a<b"], seen: lacks "a<b"\u0000\n',
    );
  });
});
