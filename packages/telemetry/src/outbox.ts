import type { Poster } from "./post.js";

/** Batches on their way. The SDK is never kept waiting for them. */
export interface Outbox {
  /** Sends a batch; drops it while too many are on their way. Never throws. */
  put(batch: () => Uint8Array | undefined): void;
  /** Resolves when those on their way have arrived, or are lost. */
  drained(): Promise<void>;
  /** Tells that those on their way are late, if there are any. */
  tellLate(): void;
  /** Takes no more. */
  close(): void;
  /** Batches lost so far. */
  readonly lost: number;
}

/** Most batches on their way at once: bounds what a slow collector can hold in memory. */
const mostOnTheirWay = 8;

/** @param tell - Called with each problem. */
export function createOutbox(poster: Poster, tell: (problem: string) => void): Outbox {
  const onTheirWay = new Set<Promise<void>>();
  let lost = 0;
  let isClosed = false;

  function lose(problem: string): void {
    lost++;
    tell(problem);
  }

  return {
    put(batch) {
      if (isClosed) return;
      if (onTheirWay.size >= mostOnTheirWay) return lose("is too slow");
      let body: Uint8Array | undefined;
      try {
        body = batch();
      } catch {
        return lose("cannot be sent what was recorded");
      }
      if (body === undefined) return;
      const sending = poster.post(body).then((problem) => {
        onTheirWay.delete(sending);
        if (problem !== undefined) lose(problem);
      });
      onTheirWay.add(sending);
    },
    async drained() {
      await Promise.all(onTheirWay);
    },
    tellLate() {
      if (onTheirWay.size > 0) tell("did not answer in time");
    },
    close() {
      isClosed = true;
    },
    get lost() {
      return lost;
    },
  };
}
