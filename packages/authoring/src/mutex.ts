import { withDeadline } from "@constellation/core";

/** Runs one task at a time, in the order of the requests. */
export interface Mutex {
  /**
   * Waits for its turn, then does the work.
   *
   * @param signal - Ends the wait only; pass it to the work too.
   * @returns The work's result. Rejects as the work does, or with `TIMEOUT` when the signal aborts
   *   before its turn; the work is then not begun.
   */
  runExclusive<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result>;
}

/** Creates a mutex that is free. */
export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve();
  return {
    async runExclusive(work, signal) {
      const before = last;
      let release = () => {};
      last = new Promise<void>((resolve) => {
        release = resolve;
      });
      try {
        await withDeadline({ signal }, () => before);
      } catch (thrown) {
        void before.then(release); // the next in line still waits for those before
        throw thrown;
      }
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}
