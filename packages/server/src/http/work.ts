import { overloaded, Problem } from "./problem.js";

/** A request that is worked on. */
export interface Job {
  /** Ends it when the server no longer waits. */
  readonly cancel: (reason: string) => void;
  /** Whether it ends only when its client leaves, so that `close` need not wait for it. */
  readonly isStanding?: boolean | undefined;
}

/** What the server works on: counted, bounded, and given time to end. */
export interface Work {
  /**
   * Takes a request in.
   *
   * @returns A function that says it is over.
   * @throws Problem 503 when there is too much of it, or the server is closing.
   */
  begin(job: Job): () => void;
  /** @throws Problem 503 when `begin` would throw it now. */
  assertRoom(): void;
  readonly size: number;
  readonly isDraining: boolean;
  /** Takes nothing more in; waits at most `drainMs` for what there is, then cancels it. */
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
