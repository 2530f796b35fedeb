import { getEventListeners } from "node:events";
import { createRouter } from "@constellation/core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { EvalCase } from "./eval-case.js";
import type { EvalResult } from "./eval-report.js";
import { askRouter, type EvalAsk, runEval } from "./run-eval.js";

function caseOf(id: string, overrides: Partial<EvalCase> = {}): EvalCase {
  return { id, query: id, expect: { mustMention: [id] }, ...overrides };
}

const echo: EvalAsk = async (query) => ({ response: { answer: query } });
const never: EvalAsk = () => new Promise(() => {});

describe("runEval", () => {
  it("gives results in the order of the cases, counted by expectation and by tag", async () => {
    const cases = [
      caseOf("one", { tags: ["short"] }),
      caseOf("two", { tags: ["short", "wrong"], expect: { mustMention: ["2"], minConfidence: 0 } }),
      caseOf("three"),
    ];

    const report = await runEval(echo, cases);

    expect(report.results.map(({ id, passed }) => [id, passed])).toEqual([
      ["one", true],
      ["two", false],
      ["three", true],
    ]);
    expect(report).toMatchObject({
      total: { passed: 2, of: 3 },
      notAsked: 0,
      byExpectation: { mustMention: { passed: 2, of: 3 }, minConfidence: { passed: 0, of: 1 } },
      byTag: { short: { passed: 1, of: 2 }, wrong: { passed: 0, of: 1 } },
    });
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
  });

  it("asks a router whom the case names, and reads who answered from its record", async () => {
    const router = createRouter({ entry: "desk" });
    const answers = async () => ({ answer: "yes", sources: [{ name: "a" }, { name: "a" }] });
    router.register({ id: "k8s", description: "d", librarian: answers });
    router.register({
      id: "desk",
      description: "d",
      librarian: async () => ({ delegate: { to: "k8s" } }),
    });
    const expected = { librarians: { exactly: ["k8s"] } };

    const report = await runEval(askRouter(router), [
      caseOf("by the desk", { expect: { ...expected, delegates: ["k8s"] } }),
      caseOf("at once", { to: "k8s", expect: { ...expected, notLibrarians: ["desk"] } }),
      caseOf("nobody", { to: "x", expect: { errorReason: "unknown-librarian" } }),
    ]);

    expect(report.results).toMatchObject([
      { passed: true, librarians: ["k8s"], delegates: ["k8s"], sources: ["a"] },
      { passed: true, librarians: ["k8s"], delegates: [] },
      { passed: true, error: { code: "NOT_FOUND", reason: "unknown-librarian" } },
    ]);
    await router.close();
  });

  it("reports the median and the time that 95 of 100 do not exceed", async () => {
    vi.useFakeTimers();
    const ask: EvalAsk = async (query) => {
      await new Promise((resolve) => setTimeout(resolve, Number(query)));
      return { response: { answer: query } };
    };
    const cases = Array.from({ length: 100 }, (_, place) => caseOf(String(place + 1)));

    const eventual = runEval(ask, cases, { concurrency: 1 });
    await vi.runAllTimersAsync();

    expect((await eventual).durations).toEqual({ medianMs: 50, p95Ms: 95 });
    vi.useRealTimers();
  });

  it("has no more cases under way than it may", async () => {
    let underWay = 0;
    let most = 0;
    const ask: EvalAsk = async (query) => {
      most = Math.max(most, ++underWay);
      await new Promise((resolve) => setImmediate(resolve));
      underWay--;
      return { response: { answer: query } };
    };

    await runEval(
      ask,
      Array.from({ length: 20 }, (_, place) => caseOf(`${place}`)),
      {
        concurrency: 3,
      },
    );

    expect(most).toBe(3);
  });

  it("reports each result as it comes, and continues when that throws", async () => {
    const seen: EvalResult[] = [];

    const report = await runEval(echo, [caseOf("one"), caseOf("two")], {
      onResult(result) {
        seen.push(result);
        throw new Error("no");
      },
    });

    expect(seen).toEqual(report.results);
  });

  it("makes a failed case of an ask that rejects or throws", async () => {
    const report = await runEval(() => {
      throw new Error("no such mesh");
    }, [caseOf("one")]);

    expect(report.results[0]).toMatchObject({
      passed: false,
      error: { code: "INTERNAL_ERROR", message: "The ask failed: no such mesh" },
    });
  });

  it("counts nothing where there is no case", async () => {
    expect(await runEval(echo, [])).toEqual({
      total: { passed: 0, of: 0 },
      notAsked: 0,
      byExpectation: {},
      byTag: {},
      results: [],
    });
  });

  it.each([
    [{ concurrency: 0 }, RangeError, "concurrency"],
    [{ timeoutMs: 0 }, RangeError, "timeoutMs"],
    [{ signal: 1 }, TypeError, "signal"],
    [{ onResult: 1 }, TypeError, "onResult"],
    [{ timeout: 1 }, TypeError, '"timeout"'],
  ])("refuses %o, naming it", async (options, kind, name) => {
    const eventual = runEval(echo, [], options as object);

    await expect(eventual).rejects.toThrow(kind);
    await expect(eventual).rejects.toThrow(name);
  });
});

describe("runEval, where an ask does not end", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("gives a case up that does not end in time, and continues with the next", async () => {
    const ask: EvalAsk = (query, options) => (query === "stuck" ? never : echo)(query, options);

    const eventual = runEval(ask, [caseOf("stuck"), caseOf("next")], {
      concurrency: 1,
      timeoutMs: 100,
    });
    await vi.advanceTimersByTimeAsync(2_100);

    const { results } = await eventual;
    expect(results).toMatchObject([{ error: { code: "TIMEOUT" } }, { passed: true }]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("ends when its signal aborts, with what it has, and lets go of the signal", async () => {
    const caller = new AbortController();
    const signals: AbortSignal[] = [];
    const ask: EvalAsk = (query, options) => {
      signals.push(options.signal);
      return (query === "stuck" ? never : echo)(query, options);
    };

    const eventual = runEval(ask, [caseOf("one"), caseOf("stuck"), caseOf("next")], {
      concurrency: 1,
      signal: caller.signal,
    });
    await vi.advanceTimersByTimeAsync(10);
    caller.abort(new Error("enough"));
    await vi.advanceTimersByTimeAsync(1_000);

    const report = await eventual;
    expect(report).toMatchObject({ total: { passed: 1, of: 1 }, notAsked: 2 });
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, true]);
    expect(getEventListeners(caller.signal, "abort")).toHaveLength(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("asks no one when its signal has aborted before", async () => {
    const report = await runEval(echo, [caseOf("one")], { signal: AbortSignal.abort() });

    expect(report).toMatchObject({ notAsked: 1, results: [] });
  });
});
