/** Status of a run: under way; stopped until a person or an event answers; or ended. */
export type RunStatus = "running" | "waiting" | "ended";

/** The outcome of one write. `duplicate`: it was there already. `refused`: another owner has the run, or the run is unknown. */
export type WriteOutcome = "applied" | "duplicate" | "refused";

/** A run as a store keeps it. Moments are epoch milliseconds. */
export interface StoredRun {
  readonly id: string;
  /** Id of its user; `undefined`: none. */
  readonly user: string | undefined;
  readonly status: RunStatus;
  /** Its current or last owner: a process. */
  readonly owner: string;
  /** Counts its owners, from 1: writes of an earlier one are refused. */
  readonly epoch: number;
  /** How many owners have lost it since it last waited. */
  readonly losses: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Milliseconds for which it has worked, without waits. */
  readonly activeMs: number;
  /** What was asked, as JSON. */
  readonly request: string;
  /** Its last response, as JSON; `undefined` until it waits or ends. */
  readonly outcome: string | undefined;
}

/** One line of the journal of a run. */
export interface StoredEntry {
  /** Content key: names the work within its run. */
  readonly key: string;
  /** Before work that must not be done twice (`intent`), or after work (`outcome`). */
  readonly phase: "intent" | "outcome";
  /** `hop`, `model` or `step`; stores do not read it. */
  readonly kind: string;
  readonly epoch: number;
  readonly at: number;
  /** JSON. */
  readonly body: string;
}

/** Something that a run waits for. */
export interface StoredWait {
  readonly runId: string;
  readonly id: string;
  /** User of its run. */
  readonly user: string | undefined;
  readonly openedAt: number;
  /** `undefined`: it does not expire. */
  readonly expiresAt: number | undefined;
  /** JSON. */
  readonly body: string;
  /** JSON; `undefined` while it is open. */
  readonly answer: string | undefined;
}

/** Any other stored data: the record of a run, an outcome, a turn of a thread. */
export interface StoredDocument {
  /** Kind of document: `runs`, `outcomes`, `threads`. Those in `threads/a` are parts of the document `a` of `threads`. */
  readonly collection: string;
  /** Unique in its collection. */
  readonly id: string;
  /** Id of its user, with whose content it is deleted; `undefined`: none. */
  readonly user: string | undefined;
  readonly at: number;
  /** JSON. */
  readonly body: string;
}

/** One change. Those with an `epoch` are refused when it is not the run's. */
export type JournalWrite =
  | {
      readonly type: "create-run";
      readonly runId: string;
      readonly user: string | undefined;
      readonly owner: string;
      readonly at: number;
      readonly request: string;
    }
  | ({ readonly type: "append"; readonly runId: string } & StoredEntry)
  | {
      readonly type: "open-wait";
      readonly runId: string;
      readonly id: string;
      readonly epoch: number;
      readonly at: number;
      readonly expiresAt: number | undefined;
      readonly body: string;
    }
  /** The first answer counts; a later one is a `duplicate`. It makes the run claimable once it waits. */
  | {
      readonly type: "answer-wait";
      readonly runId: string;
      readonly id: string;
      readonly at: number;
      readonly body: string;
    }
  /** The owner releases the run. */
  | {
      readonly type: "release-run";
      readonly runId: string;
      readonly epoch: number;
      /** `running`: another process is to continue it at once. */
      readonly status: RunStatus;
      readonly at: number;
      readonly activeMs: number;
      readonly outcome: string | undefined;
    }
  /** The owner is alive, and keeps its runs until then. */
  | { readonly type: "renew-owner"; readonly owner: string; readonly leaseUntil: number }
  /** Replaces one with the same id. */
  | ({ readonly type: "put-document" } & StoredDocument)
  /** A `duplicate` where there is one with the same id. */
  | ({ readonly type: "create-document" } & StoredDocument);

/** Which runs to list, newest first. */
export interface RunFilter {
  readonly user?: string | undefined;
  readonly status?: RunStatus | undefined;
  /** Created before this moment. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** Which waits to list, oldest first; those of ended runs are not listed. */
export interface WaitFilter {
  readonly runId?: string | undefined;
  /** Only those without an answer. */
  readonly isOpen?: boolean | undefined;
  /** Only those that expire at this moment or before it. */
  readonly expiresBy?: number | undefined;
  readonly limit: number;
}

/** Which documents to list, newest first. */
export interface DocumentFilter {
  readonly collection: string;
  readonly user?: string | undefined;
  readonly before?: number | undefined;
  readonly limit: number;
}

/** Claims runs without a live owner: unfinished runs of lost owners, and runs whose wait was answered. */
export interface ClaimRequest {
  readonly owner: string;
  readonly now: number;
  /** Renews the lease of the owner, as `renew-owner` does, so that no other process claims its new runs. */
  readonly leaseUntil: number;
  /** Only this run. */
  readonly runId?: string | undefined;
  readonly limit: number;
}

/** Filter of a deletion: all given fields must match. */
export interface DeleteFilter {
  readonly runId?: string | undefined;
  readonly user?: string | undefined;
  /** Ended runs, and documents, last changed before this moment. Without it, runs in any status. */
  readonly before?: number | undefined;
  /** Only documents, of this collection. */
  readonly collection?: string | undefined;
  readonly documentId?: string | undefined;
  /** Maximum number of runs and of documents of one call: long deletes block others. */
  readonly limit: number;
}

/**
 * Stores journals. Binds and returns only texts, numbers and `undefined`.
 *
 * Every method rejects with an `Error` whose message says what failed, and has then changed nothing.
 */
export interface JournalStore {
  /**
   * Opens it, and creates its tables.
   *
   * @returns Message about damaged data that was set aside; `undefined`: nothing was lost.
   */
  open(): Promise<string | undefined>;
  /** Applies all of them in one transaction, in order. One outcome each. */
  write(writes: readonly JournalWrite[]): Promise<readonly WriteOutcome[]>;
  readRun(runId: string): Promise<StoredRun | undefined>;
  /** In the order appended, without the first `skip` (default 0). */
  readEntries(runId: string, skip?: number): Promise<readonly StoredEntry[]>;
  readDocument(collection: string, id: string): Promise<StoredDocument | undefined>;
  listRuns(filter: RunFilter): Promise<readonly StoredRun[]>;
  listWaits(filter: WaitFilter): Promise<readonly StoredWait[]>;
  listDocuments(filter: DocumentFilter): Promise<readonly StoredDocument[]>;
  /** Makes the process the owner of each run it returns, with the next epoch. Of two that claim a run, one gets it. */
  claim(request: ClaimRequest): Promise<readonly StoredRun[]>;
  /** @returns Number of runs and documents deleted; less than `limit` once all are gone. */
  delete(filter: DeleteFilter): Promise<number>;
  close(): Promise<void>;
}

/**
 * Documents, newest first, each once: those of one moment may be on two pages.
 *
 * @param filter - `limit`: how many are read at a time.
 */
export async function* eachDocument(
  store: Pick<JournalStore, "listDocuments">,
  filter: DocumentFilter,
): AsyncGenerator<StoredDocument> {
  let { before } = filter;
  let seen: ReadonlySet<string> = new Set<string>();
  for (;;) {
    const page = await store.listDocuments({ ...filter, before });
    const fresh = page.filter(({ id }) => !seen.has(id));
    yield* fresh;
    const last = page.at(-1)?.at;
    if (last === undefined || page.length < filter.limit) return;
    seen = new Set(page.filter(({ at }) => at === last).map(({ id }) => id));
    before = fresh.length === 0 ? last : last + 1;
  }
}
