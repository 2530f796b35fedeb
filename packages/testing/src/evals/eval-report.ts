import type { ErrorCode } from "@constellation/core";
import type { CheckedExpectation } from "./check-response.js";
import { type ExpectationName, expectationNames } from "./eval-case.js";
import type { Judgement } from "./judge.js";

/**
 * Result of one case. Plain data.
 *
 * @beta
 */
export interface EvalResult {
  readonly id: string;
  readonly query: string;
  readonly tags: readonly string[];
  /** Whether every expectation was met. */
  readonly passed: boolean;
  readonly expectations: readonly CheckedExpectation[];
  /** Wall time, in milliseconds. */
  readonly durationMs: number;
  /** Cut to 1,000 characters. Absent when there was none. */
  readonly answer?: string | undefined;
  /** Verdict of the judge. Absent without a judge or an answer. */
  readonly judgement?: Judgement | undefined;
  readonly confidence?: number | undefined;
  /** Names, each once, at most 100. */
  readonly sources: readonly string[];
  /** Librarians that answered. */
  readonly librarians: readonly string[];
  /** Librarians that the query was forwarded to. */
  readonly delegates: readonly string[];
  /** Librarians called, tokens and US dollars of models. Absent without a run record; the cost also where it is not known. */
  readonly hops?: number | undefined;
  readonly tokens?: number | undefined;
  readonly costUsd?: number | undefined;
  /** `message` is cut to 1,000 characters. */
  readonly error?:
    | { readonly code: ErrorCode; readonly message: string; readonly reason?: string | undefined }
    | undefined;
}

/**
 * Number of passed cases, and of all.
 *
 * @beta
 */
export interface EvalShare {
  readonly passed: number;
  readonly of: number;
}

/**
 * Result of an eval. Plain data, ready for `JSON.stringify`.
 *
 * @beta
 */
export interface EvalReport {
  /** Cases that were asked. */
  readonly total: EvalShare;
  /** Cases that were not asked, or not to the end, because the eval was stopped. */
  readonly notAsked: number;
  /** Answers that the judge passed, of those it judged. Absent when none was. */
  readonly judged?: EvalShare | undefined;
  /** Expectations by name; those that no case has are absent. */
  readonly byExpectation: Readonly<Partial<Record<ExpectationName, EvalShare>>>;
  /** Cases by tag, in alphabetical order. */
  readonly byTag: Readonly<Record<string, EvalShare>>;
  /** Of the cases, in milliseconds. Absent when none was asked. */
  readonly durations?: EvalDurations | undefined;
  /** In the order of the cases. */
  readonly results: readonly EvalResult[];
}

/**
 * Wall times of cases, in milliseconds.
 *
 * @beta
 */
export interface EvalDurations {
  readonly medianMs: number;
  /** 95th percentile by nearest rank. */
  readonly p95Ms: number;
}

/** Summarizes the results of cases. */
export function createReport(results: readonly EvalResult[], notAsked: number): EvalReport {
  const expectations = results.flatMap((result) => result.expectations);
  const tags = [...new Set(results.flatMap((result) => result.tags))].sort();
  const judged = results.flatMap(({ judgement }) =>
    judgement === undefined ? [] : { passed: judgement.verdict === "pass" },
  );
  const durations = summarizeDurations(results.map(({ durationMs }) => durationMs));
  return {
    total: countPassed(results),
    notAsked,
    ...(judged.length > 0 && { judged: countPassed(judged) }),
    byExpectation: Object.fromEntries(
      expectationNames
        .map(
          (name) => [name, countPassed(expectations.filter((each) => each.name === name))] as const,
        )
        .filter(([, { of }]) => of > 0),
    ),
    byTag: Object.fromEntries(
      tags.map((tag) => [tag, countPassed(results.filter((result) => result.tags.includes(tag)))]),
    ),
    ...(durations !== undefined && { durations }),
    results,
  };
}

function countPassed(all: readonly { readonly passed: boolean }[]): EvalShare {
  return { passed: all.filter(({ passed }) => passed).length, of: all.length };
}

function summarizeDurations(all: readonly number[]): EvalDurations | undefined {
  const sorted = [...all].sort((one, other) => one - other);
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  const [medianMs, p95Ms] = [at(0.5), at(0.95)];
  return medianMs === undefined || p95Ms === undefined ? undefined : { medianMs, p95Ms };
}
