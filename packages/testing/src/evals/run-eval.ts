import type { Router, RunRecord } from "@constellation/core";
import { maxTimerMs } from "@constellation/core";
import {
  checkOptions,
  describeValue,
  type OptionTable,
  readDefaults,
  signalOption,
  withoutUndefined,
} from "@constellation/core/checks";
import {
  answeredIn,
  calledIn,
  checkResponse,
  costIn,
  delegatesIn,
  type EvalResponse,
  tokensIn,
} from "./check-response.js";
import type { EvalCase } from "./eval-case.js";
import { createReport, type EvalReport, type EvalResult } from "./eval-report.js";
import type { EvalJudge } from "./judge.js";

/**
 * Asks a query. Should end within a second after `signal` aborts; otherwise the case ends without it.
 *
 * @returns A response, with the run record where there is one.
 *
 * @beta
 */
export type EvalAsk = (query: string, options: EvalAskOptions) => Promise<EvalResponse>;

/**
 * Parameters of an ask.
 *
 * @beta
 */
export interface EvalAskOptions {
  /** Id of the librarian to ask; Default: the entry of the mesh. */
  readonly to?: string | undefined;
  /** Aborts when the eval is stopped or the case has had its time. */
  readonly signal: AbortSignal;
  /** Time for the query, in milliseconds. */
  readonly timeoutMs: number;
}

/**
 * Options for {@link runEval}.
 *
 * @beta
 */
export interface EvalOptions {
  /**
   * Maximum number of cases in flight. Integer, 1 or more, or `Infinity`.
   *
   * @default 4
   */
  readonly concurrency?: number | undefined;
  /** Stops the eval: its report has the cases asked until then. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Time for one case, in milliseconds: 1 to 2147483647, or `Infinity`.
   *
   * @default 30_000
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Judges each answer, such as `createJudge(ai, rubric)`: a case passes only where the verdict is
   * `pass`. A response without an answer is not judged.
   */
  readonly judge?: EvalJudge | undefined;
  /** Called with each result, in order of completion. Its exceptions are ignored. */
  readonly onResult?: ((result: EvalResult) => void) | undefined;
}

const optionTable = {
  concurrency: { kind: "count", default: 4 },
  signal: signalOption,
  timeoutMs: { kind: "duration", default: 30_000 },
  judge: { kind: "function" },
  onResult: { kind: "function" },
} as const satisfies OptionTable<EvalOptions>;

/**
 * The defaults named in {@link EvalOptions}.
 *
 * @beta
 */
export const evalDefaults = readDefaults(optionTable);

/** Time for an ask to end after its signal aborted, in milliseconds. */
const graceMs = 1_000;

/**
 * Asks every case and compares the responses with the expectations.
 *
 * @param ask - Such as `askRouter(router)`. When it rejects, the case gets an `INTERNAL_ERROR`.
 * @returns Never rejects once it has begun.
 * @throws TypeError or RangeError for a wrong option, naming it and its value.
 *
 * @beta
 */
export async function runEval(
  ask: EvalAsk,
  cases: readonly EvalCase[],
  options: EvalOptions = {},
): Promise<EvalReport> {
  const { concurrency, timeoutMs, signal, judge, onResult } = readOptions(ask, options);
  const results: (EvalResult | undefined)[] = [];
  const queue = cases.entries();

  async function work(): Promise<void> {
    for (const [place, one] of queue) {
      if (signal?.aborted === true) return;
      const result = await runCase(ask, one, { timeoutMs, signal, judge });
      if (result === undefined) return;
      results[place] = result;
      try {
        onResult?.(result);
      } catch {
        // An observer does not change what is seen.
      }
    }
  }

  await Promise.all(Array.from({ length: Math.min(concurrency, cases.length) }, work));
  const asked = results.filter((result) => result !== undefined);
  return createReport(asked, cases.length - asked.length);
}

/**
 * Asks through a router, and records how each response came about.
 *
 * @beta
 */
export function askRouter(router: Pick<Router, "start">): EvalAsk {
  return async (query, { to, signal, timeoutMs }) => {
    const run = router.start(query, { signal, timeoutMs, ...(to !== undefined && { to }) });
    const response = await run.response;
    return { response, run: run.explain() };
  };
}

interface CaseOptions extends Pick<EvalOptions, "signal" | "judge"> {
  readonly timeoutMs: number;
}

/** @returns Undefined when the eval was stopped before there was a result. */
async function runCase(
  ask: EvalAsk,
  { id, query, to, expect, tags = [] }: EvalCase,
  { timeoutMs, signal, judge }: CaseOptions,
): Promise<EvalResult | undefined> {
  const startedAt = performance.now();
  const asked = await askInTime(
    (own) => ask(query, { signal: own, timeoutMs, ...(to !== undefined && { to }) }),
    timeoutMs,
    signal,
  );
  if (signal?.aborted === true) return undefined;
  const durationMs = Math.round((performance.now() - startedAt) * 1_000) / 1_000;
  const { response, run } = asked;
  const expectations = checkResponse(expect, asked);
  const { answer, confidence, error, sources = [] } = response;
  const judgement =
    judge === undefined || answer === undefined
      ? undefined
      : await judge({ query, answer }, signal ?? new AbortController().signal);
  const reason = error?.details?.reason;
  return {
    id,
    query,
    tags,
    passed: expectations.every(({ passed }) => passed) && (judgement?.verdict ?? "pass") === "pass",
    expectations,
    durationMs,
    ...(answer !== undefined && { answer: answer.slice(0, 1_000) }),
    ...(judgement !== undefined && { judgement }),
    ...(confidence !== undefined && { confidence }),
    sources: [...new Set(sources.map(({ name }) => name))].slice(0, 100),
    librarians: answeredIn(run),
    delegates: delegatesIn(run),
    ...(run !== undefined && withoutUndefined(measure(run))),
    ...(error !== undefined && {
      error: {
        code: error.code,
        message: error.message.slice(0, 1_000),
        ...(typeof reason === "string" && { reason }),
      },
    }),
  };
}

function measure(run: RunRecord) {
  return { hops: calledIn(run).length, tokens: tokensIn(run), costUsd: costIn(run) };
}

/** Waits for an ask until it ends, or has not ended a second after it should have. Never rejects. */
async function askInTime(
  ask: (signal: AbortSignal) => Promise<EvalResponse>,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<EvalResponse> {
  const controller = new AbortController();
  let grace: NodeJS.Timeout | undefined;
  let giveUp: (asked: EvalResponse) => void = () => {};
  const givenUp = new Promise<EvalResponse>((resolve) => {
    giveUp = resolve;
  });
  const stop = () => {
    controller.abort(signal?.reason);
    grace ??= setTimeout(() => giveUp(failed("TIMEOUT", "The ask did not end in time.")), graceMs);
  };
  // A mesh ends in time by itself; this is for functions that do not.
  const afterMs = Math.min(timeoutMs + graceMs, maxTimerMs);
  const timer = timeoutMs === Number.POSITIVE_INFINITY ? undefined : setTimeout(stop, afterMs);
  signal?.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([ask(controller.signal), givenUp]);
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : "no error was thrown";
    return failed("INTERNAL_ERROR", `The ask failed: ${message}`);
  } finally {
    clearTimeout(timer);
    clearTimeout(grace);
    signal?.removeEventListener("abort", stop);
  }
}

function failed(code: "TIMEOUT" | "INTERNAL_ERROR", message: string): EvalResponse {
  return { response: { error: { code, message } } };
}

function readOptions(ask: unknown, options: unknown) {
  if (typeof ask !== "function") {
    throw new TypeError(`ask: expected a function, got ${describeValue(ask)}.`);
  }
  const given = checkOptions<EvalOptions>("options", options, optionTable);
  const { concurrency = evalDefaults.concurrency, timeoutMs = evalDefaults.timeoutMs } = given;
  return { ...given, concurrency, timeoutMs };
}
