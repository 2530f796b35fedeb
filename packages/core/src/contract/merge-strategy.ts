import type { MergeFunction, MergeStrategy } from "./response.js";
import { isRecord } from "./unknown-value.js";

/** The strategies that have a name. */
export const mergeStrategyNames = [
  "merge-all",
  "best-confidence",
  "first-success",
  "race",
  "ai-blend",
] as const satisfies readonly MergeStrategy[];

/** What a strategy may be, for messages. */
export const mergeStrategyForm = `one of ${mergeStrategyNames.join(", ")}, { quorum: n } with an integer of 1 or more, or a function`;

/**
 * Reads a strategy from outside, once.
 *
 * @returns A copy that cannot change any more; `undefined` when it is not a strategy.
 */
export function readMergeStrategy(value: unknown): MergeStrategy | undefined {
  if (typeof value === "function") return value as MergeFunction; // what it returns is checked
  if (typeof value === "string") return mergeStrategyNames.find((name) => name === value);
  if (!isRecord(value)) return undefined;
  const { quorum } = value;
  const isCount = typeof quorum === "number" && Number.isInteger(quorum) && quorum >= 1;
  return isCount ? { quorum } : undefined;
}
