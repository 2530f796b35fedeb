import type { ErrorCode } from "./error-code.js";
import type { ErrorInfo } from "./error-info.js";
import type { Branch, MergeStrategy } from "./merge-strategy.js";

/**
 * What one hop returns: at least one of `answer`, `delegate` and `error`.
 *
 * Several at once: error beside an answer, both stand and the response is partial; error beside a
 * delegate, the delegate is not followed; answer beside a delegate, a partial answer plus further
 * work, and it stands alone, marked partial, if that work fails.
 */
export interface Response {
  /** The final text, in Markdown, readable by itself. Best under 4,000 characters, at most 1,000,000. */
  readonly answer?: string | undefined;
  /** Evidence for `answer`, most relevant first, each once. At most 10,000. */
  readonly sources?: readonly Source[] | undefined;
  /** One delegate continues the chain; several run in parallel. An empty array is none. At most 10,000. */
  readonly delegate?: DelegateRequest | readonly DelegateRequest[] | undefined;
  /** How the answers of several delegates become one. The run's strategy where not given. */
  readonly merge?: MergeStrategy | undefined;
  /** How sure, 0 to 1. Below 0.6 the response is partial. */
  readonly confidence?: number | undefined;
  /** True when something is missing from `answer`. */
  readonly partial?: boolean | undefined;
  /** Why there is no answer, or what its answer lacks. */
  readonly error?: ErrorInfo | undefined;
  /** Structured data beside the text. */
  readonly metadata?: ResponseMetadata | undefined;
}

/** Where a piece of the answer comes from. */
export interface Source {
  /** For people, never blank: `runbooks/checkout.md#Rollback`. */
  readonly name: string;
  readonly url?: string | undefined;
  /** Kind of source, such as `document`. */
  readonly type?: string | undefined;
  /** How much it bears on the query, 0 to 1. */
  readonly relevance?: number | undefined;
}

/** Passes the query on. */
export interface DelegateRequest {
  /** Id of the librarian to ask. */
  readonly to: string;
  /** The query for it; the current one where not given. */
  readonly query?: string | undefined;
  /** Merged over `context.metadata` for it and those below it. `reason`: why it was chosen. */
  readonly context?: Readonly<Record<string, unknown>> | undefined;
}

/** Structured data beside the text. A librarian adds its own keys; the router these two. */
export interface ResponseMetadata {
  /** Branches of a fan-out that failed or were not asked, in the order asked. Absent: none. */
  readonly missing?: readonly MissingBranch[] | undefined;
  /** Every branch of a fan-out that was asked, whole, in the order asked. */
  readonly branches?: readonly Branch[] | undefined;
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
