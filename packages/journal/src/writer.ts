import type { JournalStore, JournalWrite, WriteOutcome } from "./store.js";

/** One write, and what to call with its outcome. */
interface QueuedWrite {
  readonly write: JournalWrite;
  readonly settle: (outcome: WriteOutcome | Error) => void;
}

/** Maximum number of writes of one transaction: a long one blocks other processes. */
const maxGroup = 500;

/**
 * Writes of all runs, in order: those of one tick of the event loop are one transaction, and those that come
 * meanwhile are the next.
 */
export class Writer {
  readonly #store: JournalStore;
  readonly #opened: () => Promise<void>;
  #queue: QueuedWrite[] = [];
  #flushing: Promise<void> | undefined;
  /** Error of the last group; `undefined`: it was written. */
  failure: Error | undefined;

  /** @param opened - Resolves once the store is open. */
  constructor(store: JournalStore, opened: () => Promise<void>) {
    this.#store = store;
    this.#opened = opened;
  }

  /** @param settle - Called once, with the outcome, or with why it could not be written. Never throws. */
  add(write: JournalWrite, settle: QueuedWrite["settle"] = ignore): void {
    this.#queue.push({ write, settle });
    this.#flushing ??= this.#flush();
  }

  /** As {@link add}. Rejects where it could not be written. */
  write(write: JournalWrite): Promise<WriteOutcome> {
    return new Promise((resolve, reject) => {
      this.add(write, (outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome)));
    });
  }

  /** Resolves once everything added so far is written, or has failed. */
  async flushed(): Promise<void> {
    while (this.#flushing !== undefined) await this.#flushing;
  }

  async #flush(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#queue.length > 0) {
      const group = this.#queue.splice(0, maxGroup);
      try {
        await this.#opened();
        const outcomes = await this.#store.write(group.map(({ write }) => write));
        this.failure = undefined;
        for (const [index, { settle }] of group.entries()) settle(outcomes[index] ?? "refused");
      } catch (thrown) {
        this.failure = thrown instanceof Error ? thrown : new Error(String(thrown));
        for (const { settle } of group) settle(this.failure);
      }
    }
    this.#flushing = undefined;
  }
}

function ignore(): void {
  // Errors are ignored here, because important ones show elsewhere: a lost lease, for example, when a run writes.
}
