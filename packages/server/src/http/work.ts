import { overloaded, Problem } from "./problem.js";

/** A request in progress. */
export interface Job {
  /** Ends it when the server stops waiting. */
  readonly cancel: (reason: string) => void;
  /** Whether it ends only when its client disconnects, so that `close` does not wait for it. */
  readonly isStanding?: boolean | undefined;
}

/** Requests in progress: counted, bounded, and given time to end. */
export interface Work {
  /**
   * Starts a request.
   *
   * @returns A function to call when it has ended.
   * @throws Problem 503 when there are too many, or the server is closing.
   */
  begin(job: Job): () => void;
  /** @throws Problem 503 when `begin` would throw it now. */
  assertRoom(): void;
  readonly size: number;
  readonly isDraining: boolean;
  /** Refuses new requests; waits at most `drainMs` for those in progress, then cancels them. */
  drain(drainMs: number): Promise<void>;
}

export function createWork(concurrency: number): Work {
  const jobs = new Set<Job>();
  let isDraining = false;
  let onEnd: () => void = () => undefined;
  const isWaitedFor = () => [...jobs].some((job) => job.isStanding !== true);

  function assertRoom(): void {
    if (isDraining) {
      throw new Problem(503, "SERVICE_UNAVAILABLE", "The server is closing.", {
        headers: { "retry-after": "5", connection: "close" },
      });
    }
    if (jobs.size >= concurrency) {
      throw overloaded(`The server is busy with ${concurrency} requests.`, 1);
    }
  }

  return {
    assertRoom,
    begin(job) {
      assertRoom();
      const own = { ...job };
      jobs.add(own);
      return () => {
        jobs.delete(own);
        onEnd();
      };
    },
    get size() {
      return jobs.size;
    },
    get isDraining() {
      return isDraining;
    },
    async drain(drainMs) {
      isDraining = true;
      if (isWaitedFor()) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, drainMs);
          onEnd = () => {
            if (isWaitedFor()) return;
            clearTimeout(timer);
            resolve();
          };
        });
      }
      for (const job of [...jobs]) job.cancel("The server is closing.");
    },
  };
}
