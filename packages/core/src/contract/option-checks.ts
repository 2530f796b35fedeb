import type { Budget } from "./budget.js";
import { mergeStrategyForm, readMergeStrategy } from "./merge-strategy.js";
import { describeValue, isRecord } from "./unknown-value.js";

/** Longest timer that Node.js can hold, in milliseconds: about 24.8 days. */
export const maxTimerMs = 2_147_483_647;

/** @throws TypeError naming the first unknown key, and the valid ones. */
export function refuseUnknownKeys(
  at: string,
  options: Readonly<Record<string, unknown>>,
  known: ReadonlySet<string>,
): void {
  for (const key of Object.keys(options)) {
    if (!known.has(key) && options[key] !== undefined) {
      throw new TypeError(
        `${at}: unknown key ${describeValue(key)}. Valid keys: ${[...known].join(", ")}.`,
      );
    }
  }
}

/** @throws TypeError or RangeError unless `value` is absent, 1 to 2147483647, or `Infinity`. */
export function requireDuration(at: string, value: unknown): void {
  if (value === undefined || value === Number.POSITIVE_INFINITY) return;
  const expected = `expected milliseconds, 1 to ${maxTimerMs} or Infinity`;
  if (typeof value !== "number") {
    throw new TypeError(`${at}: ${expected}, got ${describeValue(value)}.`);
  }
  if (!(value >= 1 && value <= maxTimerMs)) {
    throw new RangeError(`${at}: ${expected}, got ${value}.`);
  }
}

/** @throws TypeError or RangeError unless `value` is absent, an integer of `least` or more, or `Infinity`. */
export function requireCount(at: string, value: unknown, least: number): void {
  if (value === undefined || value === Number.POSITIVE_INFINITY) return;
  const expected = `expected an integer of ${least} or more, or Infinity`;
  if (typeof value !== "number") {
    throw new TypeError(`${at}: ${expected}, got ${describeValue(value)}.`);
  }
  if (!Number.isInteger(value) || value < least) {
    throw new RangeError(`${at}: ${expected}, got ${value}.`);
  }
}

/** @throws TypeError or RangeError unless `value` is absent, or a number of 0 or more. */
export function requireAmount(at: string, value: unknown): void {
  if (value === undefined) return;
  if (typeof value !== "number") {
    throw new TypeError(`${at}: expected a number of 0 or more, got ${describeValue(value)}.`);
  }
  if (!(value >= 0)) throw new RangeError(`${at}: expected a number of 0 or more, got ${value}.`);
}

/** @throws TypeError unless `value` is absent or an AbortSignal. */
export function requireSignal(value: unknown): void {
  if (value !== undefined && !isSignal(value)) {
    throw new TypeError(`signal: expected an AbortSignal, got ${describeValue(value)}.`);
  }
}

function isSignal(value: unknown): boolean {
  try {
    return value instanceof AbortSignal && typeof value.aborted === "boolean";
  } catch {
    return false; // a proxy of one, which Node.js refuses to read
  }
}

/** @throws TypeError or RangeError that names the value. */
export function requireMerge(merge: unknown): void {
  if (merge === undefined || readMergeStrategy(merge) !== undefined) return;
  const kind = typeof merge === "string" || isRecord(merge) ? RangeError : TypeError;
  throw new kind(`merge: expected ${mergeStrategyForm}, got ${describeValue(merge)}.`);
}

/** @throws TypeError or RangeError that names the key and the value. */
export function requireBudget(budget: unknown): void {
  if (budget === undefined) return;
  if (!isRecord(budget)) {
    throw new TypeError(`budget: expected an object, got ${describeValue(budget)}.`);
  }
  refuseUnknownKeys("budget", budget, budgetKeys);
  requireAmount("budget.tokens", budget.tokens);
  requireAmount("budget.costUsd", budget.costUsd);
}

const budgetKeys: ReadonlySet<string> = new Set<keyof Budget>(["tokens", "costUsd"]);

/** @throws TypeError unless `value` is absent or text that is not empty. */
export function requireText(key: string, value: unknown): void {
  if (value === undefined) return;
  if (typeof value !== "string" || value === "") {
    throw new TypeError(`${key}: expected text, got ${describeValue(value)}.`);
  }
}

/** @throws TypeError unless `value` is absent or a model client. */
export function requireAi(ai: unknown): void {
  if (ai === undefined) return;
  const isClient =
    typeof ai === "object" &&
    ai !== null &&
    ["complete", "analyze", "runTools"].every(
      (method) => typeof (ai as Record<string, unknown>)[method] === "function",
    );
  if (!isClient) {
    throw new TypeError(
      `ai: expected an object with complete, analyze and runTools, got ${describeValue(ai)}.`,
    );
  }
}
