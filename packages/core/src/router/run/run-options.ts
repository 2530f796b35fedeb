import type { AIClient } from "../../contract/ai-client.js";
import type { Budget } from "../../contract/budget.js";
import type { PathEntry } from "../../contract/call-path.js";
import type { MergeStrategy } from "../../contract/response.js";
import type { TraceContext } from "../../contract/trace-context.js";
import type { User } from "../../contract/user.js";

/** Options of one run. */
export interface RunOptions {
  /** Cancels the run, everywhere and at once. */
  readonly signal?: AbortSignal | undefined;
  /** Time for the run, in milliseconds, instead of the router's: 1 to 2147483647, or `Infinity`. */
  readonly timeoutMs?: number | undefined;
  /**
   * On whose behalf; every librarian reads it, and `allow` of each decides on it. Copied, with its
   * lists.
   */
  readonly user?: User | undefined;
  /** Data for the librarians. Copied, one level deep. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** Parent of the run's span; the active span where not given. */
  readonly trace?: TraceContext | undefined;
  /**
   * Librarians of other meshes that were called before this run, oldest first, at most 32: they count
   * for loops and depth. Adapters read it from a call envelope.
   */
  readonly path?: readonly PathEntry[] | undefined;
  /**
   * Time that a caller in another mesh still waits, in milliseconds: 1 to 2147483647. The run gets this
   * time or its own limit, whichever is shorter.
   */
  readonly callerRemainingMs?: number | undefined;
  /** Model for `context.ai`, instead of the router's. */
  readonly ai?: AIClient | undefined;
  /** Merge strategy for responses that name none, instead of the router's. */
  readonly merge?: MergeStrategy | undefined;
  /** Maximum that the run may spend on models, instead of the router's. */
  readonly budget?: Budget | undefined;
}
