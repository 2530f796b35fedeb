import type { ContinuedRun, MeshJournal, User, Waiting } from "@constellation/core";
import type { SavedRun } from "./replay.js";
import type { JournalStore, RunFilter, StoredRun } from "./store.js";
import type { Threads } from "./threads.js";

/** Which waits {@link Journal.waiting} lists. */
export interface WaitingFilter {
  readonly runId?: string | undefined;
  /** Only those that this user may answer. */
  readonly user?: User | undefined;
  /** @default 100 */
  readonly limit?: number | undefined;
}

/** Options of {@link Journal.fork}. */
export interface ForkOptions {
  /** What the hop is asked. Not given: the same as before. */
  readonly query?: string | undefined;
}

/** Keeps what runs do. */
export interface Journal extends MeshJournal {
  /** Its store, for what else is kept there. Open once `open` has resolved. */
  readonly store: JournalStore;
  /** Conversations: what users asked with the option `thread`. */
  readonly threads: Threads;
  /** What its store could not read when it was opened, and has set aside; `undefined`: nothing was lost. */
  readonly lost: string | undefined;
  /** What runs wait for, oldest first. */
  waiting(filter?: WaitingFilter): Promise<readonly Waiting[]>;
  /** Runs, newest first. */
  runs(filter?: Partial<RunFilter>): Promise<readonly StoredRun[]>;
  /**
   * Cancels a run, whatever process works on it: at once here, and within a third of `leaseMs` elsewhere.
   *
   * @returns `ended`: it has ended, now or before; `running`: its process will stop it; `undefined`: it is unknown.
   */
  cancel(runId: string): Promise<"ended" | "running" | undefined>;
  /**
   * Reads a run that has ended, for a file: {@link replayRun} runs it again, `itReplays` tests it.
   *
   * @throws MeshError `NOT_FOUND` for a run that is unknown or has not ended.
   */
  save(runId: string): Promise<SavedRun>;
  /**
   * Asks a run again from one hop on, as a new run: that hop and those above and below it are called, all others have
   * what they returned.
   *
   * @param at - Key of the hop, as the entries of the run have it, or the id of a librarian: its first hop; `id~2` for its second.
   * @param options - What is asked there, in place of what was.
   * @throws MeshError `NOT_FOUND` for a run or a hop that is unknown.
   */
  fork(runId: string, at: string, options?: ForkOptions): Promise<ContinuedRun>;
  /** Deletes all runs and documents of a user. @returns How many. */
  deleteUser(userId: string): Promise<number>;
}
