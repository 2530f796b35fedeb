import type { Poster } from "./post.js";
import type { Verdict } from "./problems.js";

/** Batches in flight. The SDK never waits for them. */
export interface Outbox {
  /** Sends a batch; drops it while too many are in flight. Never throws. */
  put(batch: () => Uint8Array | undefined): void;
  /** Resolves when the batches in flight have arrived or are lost. */
  drained(): Promise<void>;
  /** Reports the batches in flight as late, if there are any. */
  warnLate(): void;
  /** Drops every later batch. */
  close(): void;
  /** Batches lost so far. */
  readonly lost: number;
}

/** Maximum number of batches in flight, which limits the memory that a slow collector costs. */
const maxInFlight = 8;

/** @param report - Called with each problem. @returns Whether the batch is lost, or the collector does not accept it. */
export function createOutbox(poster: Poster, report: (problem: string) => Verdict): Outbox {
  const inFlight = new Set<Promise<void>>();
  let lost = 0;
  let isClosed = false;

  function lose(problem: string): void {
    if (report(problem) === "lost") lost++;
    else isClosed = true;
  }

  return {
    put(batch) {
      if (isClosed) return;
      if (inFlight.size >= maxInFlight) return lose("is too slow");
      let body: Uint8Array | undefined;
      try {
        body = batch();
      } catch {
        return lose("was sent nothing, because the batch could not be serialized");
      }
      if (body === undefined) return;
      const sending = poster.post(body).then((problem) => {
        inFlight.delete(sending);
        if (problem !== undefined) lose(problem);
      });
      inFlight.add(sending);
    },
    async drained() {
      await Promise.all(inFlight);
    },
    warnLate() {
      if (inFlight.size > 0) report("did not answer in time");
    },
    close() {
      isClosed = true;
    },
    get lost() {
      return lost;
    },
  };
}
