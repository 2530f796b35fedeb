import type { ContinuedRun, MeshJournal, User, Waiting } from "@constellation/core";
import type { SavedRun } from "./replay.js";
import type { JournalStore, RunFilter, StoredRun } from "./store.js";
import type { Threads } from "./threads.js";

/** Filter of {@link Journal.waiting}. */
export interface WaitingFilter {
  readonly runId?: string | undefined;
  /** Only those that this user may answer. */
  readonly user?: User | undefined;
  /** @default 100 */
  readonly limit?: number | undefined;
}

/** Options of {@link Journal.fork}. */
export interface ForkOptions {
  /** Query of the hop. Default: the same as before. */
  readonly query?: string | undefined;
}

/** Records runs, so that they survive their process. */
export interface Journal extends MeshJournal {
  /** Its store, which also holds other documents. Open once `open` has resolved. */
  readonly store: JournalStore;
  /** Conversations: runs with the option `thread`. */
  readonly threads: Threads;
  /** Message about damaged data that its store set aside when it was opened; `undefined`: nothing was lost. */
  readonly lost: string | undefined;
  /** Waits of runs, oldest first. */
  waiting(filter?: WaitingFilter): Promise<readonly Waiting[]>;
  /** Runs, newest first. */
  runs(filter?: Partial<RunFilter>): Promise<readonly StoredRun[]>;
  /**
   * Cancels a run: at once in this process, within a third of `leaseMs` in another one.
   *
   * @returns `ended`: it has ended; `running`: its process will stop it; `undefined`: it is unknown.
   */
  cancel(runId: string): Promise<"ended" | "running" | undefined>;
  /**
   * Exports a run that has ended as plain data, for {@link replayRun} and `itReplays`.
   *
   * @throws MeshError `NOT_FOUND` for a run that is unknown or has not ended.
   */
  save(runId: string): Promise<SavedRun>;
  /**
   * Repeats a run from one hop on, as a new run: that hop and the hops above and below it are called, all others keep
   * their recorded results.
   *
   * @param at - Key of the hop in the entries of the run; or the id of a librarian for its first hop, `id~2` for its
   * second.
   * @param options - The new query of the hop.
   * @throws MeshError `NOT_FOUND` for a run or a hop that is unknown.
   */
  fork(runId: string, at: string, options?: ForkOptions): Promise<ContinuedRun>;
  /** Deletes all runs and documents of a user. @returns Number of runs and documents deleted. */
  deleteUser(userId: string): Promise<number>;
}
