import type { AIClient } from "./ai-client.js";
import type { Response } from "./response.js";
import { isRecord } from "./unknown-value.js";

/**
 * How the responses of a fan-out become one.
 *
 * - `merge-all`: every answer, in the order asked, under its librarian's name.
 * - `best-confidence`: the answer with the highest confidence; the first of equals.
 * - `first-success`: the first complete answer to arrive; else the best partial one.
 * - `race`: the first answer to arrive, complete or partial.
 * - `{ quorum: n }`: the first n answers to arrive, merged as `merge-all` does.
 * - `ai-blend`: one text that `context.ai` writes of all answers within 3 seconds, each claim with its
 *   sources, contradictions told; checked, and `merge-all` when it fails. `metadata.blend` says so.
 * - a function of your own.
 *
 * The last branch needed decides; those still running are cancelled. An error, `NOT_FOUND`
 * included, never wins against an answer.
 */
export type MergeStrategy =
  | "merge-all"
  | "best-confidence"
  | "first-success"
  | "race"
  | "ai-blend"
  | Quorum
  | MergeFunction;

/** Wait for this many answers. Integer, 1 or more; fewer delegates than this cannot reach it. */
export interface Quorum {
  readonly quorum: number;
}

/** One branch of a fan-out, with the response it ended with. */
export interface Branch {
  /** Id of the librarian that was asked, or that gave the answer beside its delegates. */
  readonly to: string;
  /** Its name for people. */
  readonly name: string;
  readonly response: Response;
}

/**
 * Makes one response of the branches that were asked, in that order.
 *
 * What failed is told whatever it returns: the router adds `partial`, `metadata.missing` and
 * `metadata.branches`. When it throws, gives an invalid response or is late, the answers are merged
 * as `merge-all` does and the failure stands beside them in `error`.
 */
export type MergeFunction = (
  branches: readonly Branch[],
  options: MergeOptions,
) => Response | Promise<Response>;

/** What a merge function may use. */
export interface MergeOptions {
  /** The query that was delegated. */
  readonly query: string;
  /** Aborts when the merge is no longer wanted, or its time is up. */
  readonly signal: AbortSignal;
  /** The run's model, within its budget. */
  readonly ai?: AIClient | undefined;
}

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
