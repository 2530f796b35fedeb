import type { AIClient } from "./ai-client.js";
import type { ErrorCode, ErrorInfo } from "./error-code.js";
import { isRecord } from "./unknown-value.js";
import type { UserLimits } from "./user.js";
import type { Waiting } from "./waiting.js";

/** The fields of a {@link Response}, all optional: what reading and building one need. */
export interface ResponseFields {
  /** The final text, in Markdown, readable by itself. Best under 4,000 characters, at most 1,000,000. */
  readonly answer?: string | undefined;
  /**
   * Summary of `answer` in one line of Markdown: what was found, what is proposed, or who has to act. For a merged
   * answer, one line for each librarian. At most 100,000 characters.
   */
  readonly headline?: string | undefined;
  /** Evidence for `answer`, most relevant first, each once. At most 10,000. */
  readonly sources?: readonly Source[] | undefined;
  /** One delegate continues the chain; several run in parallel. An empty array means no delegate. At most 10,000. */
  readonly delegate?: DelegateRequest | readonly DelegateRequest[] | undefined;
  /** How the answers of several delegates become one. The run's strategy where not given. */
  readonly merge?: MergeStrategy | undefined;
  /** Confidence, 0 to 1. Below 0.6 the response is partial. */
  readonly confidence?: number | undefined;
  /** True when something is missing from `answer`. */
  readonly partial?: boolean | undefined;
  /** Why there is no answer, or what the answer lacks. */
  readonly error?: ErrorInfo | undefined;
  /** Structured data beside the text. */
  readonly metadata?: ResponseMetadata | undefined;
}

/**
 * What one hop returns: at least one of `answer`, `delegate` and `error`.
 *
 * Several at once: an error beside an answer, both are kept and the response is partial; with both an
 * error and a delegate, the error wins; an answer beside a delegate is a partial answer plus further
 * work, and is kept alone, marked partial, if that work fails.
 */
export type Response = ResponseFields &
  (
    | { readonly answer: string }
    | { readonly delegate: DelegateRequest | readonly DelegateRequest[] }
    | { readonly error: ErrorInfo }
  );

/** Where a piece of the answer comes from. */
export interface Source {
  /** For people, never blank: `runbooks/checkout.md#Rollback`. */
  readonly name: string;
  readonly url?: string | undefined;
  /** Kind of source, such as `document`. */
  readonly type?: string | undefined;
  /** Relevance to the query, 0 to 1. */
  readonly relevance?: number | undefined;
}

/** A request to another librarian to answer. */
export interface DelegateRequest {
  /** Id of the librarian to ask. */
  readonly to: string;
  /** The query for it; the current one where not given. */
  readonly query?: string | undefined;
  /** Merged over `context.metadata` for it and those below it. `reason`: why it was chosen. */
  readonly context?: Readonly<Record<string, unknown>> | undefined;
  /** Restricts the teams and roles of the user for it and the librarians below it. Default: no restriction. */
  readonly user?: UserLimits | undefined;
}

/**
 * Structured data beside the text. Librarians add their own keys; the router adds these. Keys of a delegating
 * librarian are kept unless the answering one has the same key.
 */
export interface ResponseMetadata {
  /** Branches of a fan-out that failed or were not asked, in the order asked. Absent: none. */
  readonly missing?: readonly MissingBranch[] | undefined;
  /** Every branch of a fan-out that was asked, whole, in the order asked. */
  readonly branches?: readonly Branch[] | undefined;
  /**
   * On the response of a run: ids of librarians with `effects: "write"` that were called in it, in that
   * order, also where they failed. Absent: nothing was changed.
   */
  readonly written?: readonly string[] | undefined;
  /**
   * On the response of a run: what it waits for. `router.resume` continues it. Absent: it has ended. Set by the
   * router alone.
   */
  readonly waiting?: readonly Waiting[] | undefined;
  /** The run that continues without its caller, asked with `background`. */
  readonly background?: { readonly runId: string } | undefined;
  readonly [key: string]: unknown;
}

/** A branch of a fan-out that failed, or was not asked. */
export interface MissingBranch {
  readonly to: string;
  readonly code: ErrorCode;
  /** Row of `errorReasons`, where one fits. */
  readonly reason?: string | undefined;
  readonly message: string;
}

/**
 * How the responses of a fan-out become one.
 *
 * - `merge-all`: every answer, in the order asked, under its librarian's name, after a headline of each; the
 *   same answer of several once, under all their names.
 * - `best-confidence`: the answer with the highest confidence; of equals one of a librarian of the
 *   user's teams, else the first.
 * - `first-success`: the first complete answer to arrive; else the best partial one.
 * - `race`: the first answer to arrive, complete or partial.
 * - `{ quorum: n }`: the first n answers to arrive, merged as `merge-all` does.
 * - `ai-blend`: one text that the option `blend` of the router makes of all answers with the run's model;
 *   `merge-all` when it fails. `metadata.blend` reports which.
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
  /** Id of the librarian that was asked, or that answered beside its delegates. */
  readonly to: string;
  /** Its name for people. */
  readonly name: string;
  readonly response: Response;
}

/**
 * Makes one response of the branches that were asked, in that order.
 *
 * Branches that failed are listed whatever it returns: the router adds `partial`, `metadata.missing` and
 * `metadata.branches`. When it throws, gives an invalid response or is late, the answers are merged
 * as `merge-all` does and the failure is beside them in `error`.
 */
export type MergeFunction = (
  branches: readonly Branch[],
  options: MergeOptions,
) => Response | Promise<Response>;

/** What a merge function may use. */
export interface MergeOptions {
  /** The query that was delegated. */
  readonly query: string;
  /** Aborts when the merge is not needed any more, or its time is up. */
  readonly signal: AbortSignal;
  /** Milliseconds until `signal` aborts at the latest, 0 or more; `Infinity` where nothing limits the merge. */
  remainingMs(): number;
  /** The run's model, within its budget. */
  readonly ai?: AIClient | undefined;
  /**
   * Reports progress, or a piece of the merged answer, to the caller: as `context.report` does, for the
   * librarian that delegated.
   *
   * @throws TypeError for what is not progress.
   */
  report(progress: string | Progress): void;
}

/** One line about the work, or one piece of the answer, while a librarian is still busy. */
export type Progress =
  | {
      /** What is happening now, for people: at most 4,000 characters, the rest is cut. */
      readonly message: string;
    }
  | {
      /** The next piece of the answer, as it will be in it. At most 64 Ki characters, the rest is cut. */
      readonly text: string;
      /**
       * Withdraws all text that this call reported before, such as a draft that did not pass a check: `text`,
       * which may be empty, begins it anew.
       */
      readonly replaces?: true | undefined;
    };

/** The strategies that have a name. */
export const mergeStrategyNames = [
  "merge-all",
  "best-confidence",
  "first-success",
  "race",
  "ai-blend",
] as const satisfies readonly MergeStrategy[];

/**
 * What a strategy may be, for messages.
 *
 * @beta
 */
export const mergeStrategyForm = `one of ${mergeStrategyNames.join(", ")}, { quorum: n } with an integer of 1 or more, or a function`;

/**
 * Reads a strategy from outside, once.
 *
 * @returns A copy that cannot change any more; `undefined` when it is not a strategy.
 *
 * @beta
 */
export function readMergeStrategy(value: unknown): MergeStrategy | undefined {
  if (typeof value === "function") return value as MergeFunction; // what it returns is checked
  if (typeof value === "string") return mergeStrategyNames.find((name) => name === value);
  if (!isRecord(value)) return undefined;
  const { quorum } = value;
  const isCount = typeof quorum === "number" && Number.isInteger(quorum) && quorum >= 1;
  return isCount ? { quorum } : undefined;
}
