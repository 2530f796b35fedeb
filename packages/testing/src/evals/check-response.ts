import type { Response, RunRecord } from "@constellation/core";
import {
  type EvalExpect,
  type ExpectationName,
  type ExpectedIds,
  expectationNames,
  type Wanted,
} from "./eval-case.js";
import { type Found, find, isNamed } from "./text-matcher.js";

/**
 * Result of one expectation. Plain data.
 *
 * @beta
 */
export interface CheckedExpectation {
  readonly name: ExpectationName;
  readonly passed: boolean;
  /** As the case has it. */
  readonly expected: unknown;
  /** The value that was found instead, for display: at most 1,000 characters. */
  readonly seen: string;
}

/**
 * A response with the record of its run.
 *
 * @beta
 */
export interface EvalResponse {
  readonly response: Response;
  /** As `run.explain()` gives it. Without it nothing is known of librarians and delegates. */
  readonly run?: RunRecord | undefined;
}

/**
 * Compares a response with its expectations: one entry per key of `expect`.
 *
 * @beta
 */
export function checkResponse(
  expect: EvalExpect,
  asked: EvalResponse,
): readonly CheckedExpectation[] {
  return expectationNames.flatMap((name) => {
    const expected = expect[name];
    if (expected === undefined) return [];
    const check = checks[name] as Check; // the check of this name, so of this value
    const { passed, seen } = check(expected, asked, expect);
    return { name, passed, expected, seen: seen.slice(0, 1_000) };
  });
}

/** Ids of librarians that answered: their hops ended with an answer, whole or partial. */
export function answeredIn(run: RunRecord | undefined): readonly string[] {
  const hops = run?.hops ?? [];
  return distinct(
    hops.filter(({ outcome }) => outcome === "answer" || outcome === "partial").map(({ to }) => to),
  );
}

/** Ids that a query was forwarded to, by a response or by `context.ask`. */
export function delegatesIn(run: RunRecord | undefined): readonly string[] {
  return distinct((run?.hops ?? []).filter(({ via }) => via !== "entry").map(({ to }) => to));
}

/** Ids of the librarians that were called, in order, with repeats. */
export function calledIn(run: RunRecord): readonly string[] {
  return run.hops.filter(({ outcome }) => outcome !== "refused").map(({ to }) => to);
}

/** Tokens that its models used. */
export function tokensIn({ usage }: RunRecord): number {
  return usage === undefined ? 0 : usage.inputTokens + usage.outputTokens;
}

/** What its models cost, in US dollars; undefined where the price of a call is not known. */
export function costIn({ usage }: RunRecord): number | undefined {
  return usage === undefined ? 0 : usage.costUsd;
}

interface Checked {
  readonly passed: boolean;
  readonly seen: string;
}

type Check<Expected = unknown> = (
  expected: Expected,
  asked: EvalResponse,
  expect: EvalExpect,
) => Checked;

const noRecord: Checked = { passed: false, seen: "no run record" };

const checks: { readonly [Name in ExpectationName]: Check<NonNullable<EvalExpect[Name]>> } = {
  librarians: (expected, { run }) =>
    run === undefined ? noRecord : checkIds(expected, answeredIn(run)),
  notLibrarians(expected, { run }) {
    if (run === undefined) return noRecord;
    const asked = distinct(
      run.hops.filter(({ outcome }) => outcome !== "refused").map(({ to }) => to),
    );
    return { passed: !expected.some((id) => asked.includes(id)), seen: idsSeen(asked) };
  },
  delegates: (expected, { run }) =>
    run === undefined ? noRecord : checkIds(expected, delegatesIn(run)),
  mustMention: (expected, { response: { answer } }) =>
    answer === undefined
      ? { passed: false, seen: "no answer" }
      : checkAll(expected, (text) => find(text, answer), "all of them"),
  mustNotMention(expected, { response: { answer } }, expect) {
    if (answer === undefined) return { passed: expectsError(expect), seen: "no answer" };
    const said = expected.flatMap((text) => describeMismatch(text, find(text, answer), "no"));
    return said.length === 0
      ? { passed: true, seen: "none of them" }
      : { passed: false, seen: `says ${said.join(", ")}` };
  },
  minConfidence: (min, { response: { confidence } }) => ({
    passed: confidence !== undefined && confidence >= min,
    seen: String(confidence ?? "no confidence"),
  }),
  maxConfidence: (max, { response: { confidence } }, expect) => ({
    passed: confidence === undefined ? expectsError(expect) : confidence <= max,
    seen: String(confidence ?? "no confidence"),
  }),
  sources(expected, { response: { sources = [] } }) {
    const names = sources.flatMap(({ name, url = name }) => [name, name.split("#")[0] ?? "", url]);
    const cited = distinct(sources.map(({ name }) => name)).join(", ");
    return checkAll(expected, (wanted) => best(names.map((name) => isNamed(wanted, name))), cited);
  },
  order: (expected, { run }) =>
    run === undefined ? noRecord : checkOrder(expected, calledIn(run)),
  written: (expected, { run }) =>
    run === undefined
      ? noRecord
      : checkIds(
          expected,
          distinct(run.hops.flatMap(({ effects, to }) => (effects === "write" ? to : []))),
        ),
  maxHops: (max, { run }) => (run === undefined ? noRecord : checkMax(max, calledIn(run).length)),
  maxDurationMs: (max, { run }) => (run === undefined ? noRecord : checkMax(max, run.durationMs)),
  maxTokens: (max, { run }) => (run === undefined ? noRecord : checkMax(max, tokensIn(run))),
  maxCostUsd: (max, { run }) => (run === undefined ? noRecord : checkMax(max, costIn(run))),
  errorCode: (expected, { response: { error } }) => ({
    passed: error?.code === expected,
    seen: error?.code ?? "no error",
  }),
  errorReason: (expected, { response: { error } }) => ({
    passed: error?.details?.reason === expected,
    seen: String(error?.details?.reason ?? (error === undefined ? "no error" : "no reason")),
  }),
};

function expectsError({ errorCode, errorReason }: EvalExpect): boolean {
  return errorCode !== undefined || errorReason !== undefined;
}

function checkIds(expected: ExpectedIds, ids: readonly string[]): Checked {
  const isExact = "exactly" in expected;
  const wanted: readonly string[] = isExact ? expected.exactly : expected;
  const hasAll = wanted.every((id) => ids.includes(id));
  const hasOthers = ids.some((id) => !wanted.includes(id));
  return { passed: hasAll && !(isExact && hasOthers), seen: idsSeen(ids) };
}

/** Whether ids come in this order; other ones may be between them, unless the expectation is exact. */
function checkOrder(expected: ExpectedIds, called: readonly string[]): Checked {
  const seen = called.length === 0 ? "no one" : called.join(", ");
  if ("exactly" in expected) {
    return { passed: expected.exactly.join("\n") === called.join("\n"), seen };
  }
  let place = 0;
  for (const id of called) if (id === expected[place]) place++;
  return { passed: place === expected.length, seen };
}

function checkMax(max: number, value: number | undefined): Checked {
  return { passed: value !== undefined && value <= max, seen: String(value ?? "not known") };
}

function idsSeen(ids: readonly string[]): string {
  return ids.length === 0 ? "no one" : ids.join(", ");
}

/** Whether at least one text of each entry is found. `seen` is shown when all are, else the missing ones are listed. */
function checkAll(
  expected: readonly Wanted[],
  look: (wanted: string) => Found,
  seen: string,
): Checked {
  const missing = expected.flatMap((entry) => {
    const any = [entry].flat();
    const found = best(any.map(look));
    return found === "yes" ? [] : describeMismatch(any.join(" | "), found, "yes");
  });
  return missing.length === 0
    ? { passed: true, seen }
    : { passed: false, seen: `lacks ${missing.join(", ")}` };
}

function best(all: readonly Found[]): Found {
  if (all.includes("yes")) return "yes";
  return all.includes("too-slow") ? "too-slow" : "no";
}

/** A text whose search had another result than expected; empty where it had this one. */
function describeMismatch(text: string, found: Found, expected: Found): readonly string[] {
  if (found === expected) return [];
  return [`"${text}"${found === "too-slow" ? " (the pattern takes too long)" : ""}`];
}

function distinct(all: readonly string[]): readonly string[] {
  return [...new Set(all)];
}
