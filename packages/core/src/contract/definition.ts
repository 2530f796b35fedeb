import type { Allow } from "./allow.js";
import type { Librarian } from "./librarian.js";
import type { LibrarianInfo } from "./librarian-info.js";

/** A librarian and its description. `id`, `description` and `librarian` are enough. */
export interface LibrarianDefinition extends LibrarianInfo {
  readonly description: string;
  readonly librarian: Librarian;
  /**
   * Who may ask it: `(user) => boolean`, or `{ users, teams, roles }`. To all others it is
   * `UNAUTHORIZED`, and left out of the lists they read. A rule also holds for the user of each
   * librarian above it on the path.
   *
   * @default any user, and a query without one
   */
  readonly allow?: Allow | undefined;
  /**
   * Longest time for one call, in milliseconds: 1 to 2147483647, or `Infinity`. What remains of the
   * run, less a reserve, where that is shorter.
   *
   * @default Infinity
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Maximum number of its calls at once, in all runs of the router. Integer, 1 or more, or `Infinity`.
   * A call that waits in `context.ask` does not count.
   *
   * @default Infinity
   */
  readonly concurrency?: number | undefined;
  /**
   * Opens what the librarian needs. Called once, by `router.open()` or before the first hop.
   * Rejecting makes that hop `SERVICE_UNAVAILABLE`; the next hop tries again.
   */
  readonly start?: ((signal: AbortSignal) => Promise<void>) | undefined;
  /** Releases what `start` opened. Called once, by `router.close()` or `unregister`, if it was started. */
  readonly close?: ((signal: AbortSignal) => Promise<void>) | undefined;
  /** Reports whether it could answer now. Rejecting means `down`. */
  readonly health?: ((signal: AbortSignal) => Promise<Health>) | undefined;
}

/** Whether a librarian could answer now. */
export interface Health {
  /** `up`, `degraded` (answers, but not with everything) or `down`. */
  readonly status: "up" | "degraded" | "down";
  /** Why, for people. No secrets. */
  readonly message?: string | undefined;
}
