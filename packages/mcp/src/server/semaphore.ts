/** Counts the queries in flight, and refuses queries beyond the maximum. */
export interface Semaphore {
  /** Queries in flight. */
  readonly inFlight: number;
  /** @returns Whether there was room; then `release` must be called once. */
  tryAcquire(): boolean;
  release(): void;
}

/**
 * Creates a semaphore.
 *
 * @param max - Maximum number of queries in flight.
 * @param outer - A wider semaphore that each query must acquire too.
 */
export function createSemaphore(max: number, outer?: Semaphore): Semaphore {
  let inFlight = 0;
  return {
    get inFlight() {
      return inFlight;
    },
    tryAcquire() {
      if (inFlight >= max || outer?.tryAcquire() === false) return false;
      inFlight++;
      return true;
    },
    release() {
      inFlight--;
      outer?.release();
    },
  };
}
