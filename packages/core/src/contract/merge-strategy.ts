import type { AIClient } from "./ai-client.js";
import type { Response } from "./response.js";

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

/**
 * Says what is wrong with a strategy.
 *
 * @returns `undefined` when it is one.
 */
export function mergeStrategyProblem(value: unknown): string | undefined {
  if (typeof value === "function") return undefined;
  if (typeof value === "string") {
    return mergeStrategyNames.some((name) => name === value)
      ? undefined
      : `expected one of ${mergeStrategyNames.join(", ")}, { quorum: n } or a function, got "${value.slice(0, 40)}"`;
  }
  const quorum =
    typeof value === "object" && value !== null ? (value as Partial<Quorum>).quorum : undefined;
  if (typeof quorum === "number" && Number.isInteger(quorum) && quorum >= 1) return undefined;
  return `expected one of ${mergeStrategyNames.join(", ")}, { quorum: n } with an integer of 1 or more, or a function`;
}
