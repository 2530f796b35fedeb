import type { AIClient } from "./ai-client.js";
import type { Budget } from "./budget.js";
import type { PathEntry } from "./call-path.js";
import type { Delegate, LibrarianInfo, UnavailableDelegate } from "./librarian-info.js";
import type { Progress } from "./progress.js";
import type { RemoteCall } from "./remote-call.js";
import type { MergeStrategy, Response } from "./response.js";
import type { TraceContext } from "./trace-context.js";
import type { User, UserLimits } from "./user.js";

/**
 * What a librarian may read and use during one hop.
 *
 * Read-only: a write throws. Every hop gets a new one. No field is required, so a librarian can be
 * called with `{}` or with no context at all; the router sets every field marked "Set by the router".
 * `{ ...context }` copies all fields.
 */
export interface Context {
  /** Who is being called. Set by the router. */
  readonly librarian?: LibrarianInfo | undefined;
  /** The user on whose behalf the query is asked, with what the librarians above left of its rights. */
  readonly user?: User | undefined;
  /** This hop's place in the trace; the caller's while no tracing SDK is registered. */
  readonly trace?: TraceContext | undefined;
  /** Ids called before this one on its path, oldest first. Empty on the first hop. Set by the router. */
  readonly delegationChain?: readonly string[] | undefined;
  /**
   * The path of this call through all meshes, this librarian last: what an adapter sends along to
   * another mesh. Set by the router.
   */
  readonly callPath?: readonly PathEntry[] | undefined;
  /**
   * Opens a call of another mesh: it gets a share of the hops and the budget that are left. For
   * adapters, which use it through `openCall` of `@constellation/core/envelope`. Set by the router.
   */
  readonly openRemoteCall?: (() => RemoteCall) | undefined;
  /** The only way to a model. Absent: answer without one. */
  readonly ai?: AIClient | undefined;
  /**
   * Librarians this hop may delegate to: declared in its `delegatesTo` where it has one, not on its
   * path, not `down` at their last health check, allowed to the user, and none at the depth limit. Made when it is read. Set by the router.
   */
  readonly availableDelegates?: readonly Delegate[] | undefined;
  /**
   * Librarians that would be in `availableDelegates` if they were not `down` and their breaker were not
   * open. Made when it is read. Set by the router.
   */
  readonly unavailableDelegates?: readonly UnavailableDelegate[] | undefined;
  /**
   * Data from the caller, with what earlier librarians added in `delegate.context`. Keys that the
   * router's `secrets` declare for this librarian are readable by name and not enumerable, so that no
   * copy and no serialization carries them on.
   */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;

  /** Aborts when the answer is not needed any more, with a `MeshError` as reason. Set by the router. */
  readonly signal?: AbortSignal | undefined;
  /** Epoch milliseconds after which an answer is too late. `Infinity`: no limit. Set by the router. */
  readonly deadline?: number | undefined;
  /** Milliseconds until `deadline`, 0 or more. Immune to changes of the clock. Set by the router. */
  readonly remainingMs?: (() => number) | undefined;
  /** Names the run, the same for each of its hops. Set by the router. */
  readonly requestId?: string | undefined;
  /** The query as the caller asked it, before any librarian refined it. Set by the router. */
  readonly originalQuery?: string | undefined;
  /** Place on the path, from 0. Set by the router. */
  readonly depth?: number | undefined;
  /**
   * Asks another librarian and returns its response, under the guards, the budget and the trace
   * of this run. Ends before this hop's deadline, and when this hop ends. Never rejects for anything
   * a librarian does; a wrong option throws `TypeError` or `RangeError`. Set by the router.
   */
  readonly ask?: ((query: string, options: DelegationOptions) => Promise<Response>) | undefined;
  /**
   * Reports progress to the caller, or streams a piece of the answer. Costs next to nothing while no
   * one listens. Set by the router.
   */
  readonly report?: ((progress: string | Progress) => void) | undefined;
}

/** How `context.ask` calls another librarian. */
export interface DelegationOptions {
  /** Id of the librarian to ask. */
  readonly to: string;
  /** Merged over `metadata` for that librarian and those below it. */
  readonly context?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Longest time for it, in milliseconds: 1 to 2147483647, or `Infinity`. What remains of this hop,
   * less a reserve, where that is shorter.
   *
   * @default Infinity
   */
  readonly timeoutMs?: number | undefined;
  /** Teams and roles of the user that it and those below it may act with. All of them where not given. */
  readonly user?: UserLimits | undefined;
  /** Merges a fan-out it answers with, where the response names no strategy itself. */
  readonly merge?: MergeStrategy | undefined;
  /** Maximum it may spend. What remains of the run, where that is less. */
  readonly budget?: Budget | undefined;
}
