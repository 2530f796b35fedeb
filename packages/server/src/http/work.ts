import type { ServerLimits } from "../limits.js";
import { overloaded, Problem } from "./problem.js";

/** A request in progress. */
export interface Job {
  /** Ends it when the server stops waiting. */
  readonly cancel: (reason: string) => void;
  /** Whether it ends only when its client disconnects, so that `close` does not wait for it. */
  readonly isStanding?: boolean | undefined;
  /** Whose request it is; absent where no token is required. */
  readonly userId?: string | undefined;
}

/** Requests in progress: counted, bounded, and given time to end. */
export interface Work {
  /**
   * Starts a request.
   *
   * @returns A function to call when it has ended.
   * @throws Problem 503 when there are too many, or the server is closing; 429 when its user has too many.
   */
  begin(job: Job): () => void;
  /** @throws Problem 503 when `begin` would throw it now. */
  assertRoom(): void;
  readonly size: number;
  readonly isDraining: boolean;
  /** Refuses new requests; waits at most `drainMs` for those in progress, then cancels them. */
  drain(drainMs: number): Promise<void>;
}

export function createWork({
  concurrency,
  concurrencyPerUser,
}: Pick<ServerLimits, "concurrency" | "concurrencyPerUser">): Work {
  const byUser = new Map<string, number>();
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

  function assertShare(userId: string | undefined): void {
    if (userId === undefined || (byUser.get(userId) ?? 0) < concurrencyPerUser) return;
    throw new Problem(
      429,
      "RATE_LIMITED",
      `You have ${concurrencyPerUser} requests in progress, the most for one user.`,
      {
        suggestion: "Ask again when one has ended.",
        details: { retryAfterMs: 1_000 },
        headers: { "retry-after": "1" },
      },
    );
  }

  function count(userId: string | undefined, change: 1 | -1): void {
    if (userId === undefined) return;
    const left = (byUser.get(userId) ?? 0) + change;
    if (left > 0) byUser.set(userId, left);
    else byUser.delete(userId);
  }

  return {
    assertRoom,
    begin(job) {
      assertRoom();
      assertShare(job.userId);
      const own = { ...job };
      jobs.add(own);
      count(job.userId, 1);
      return () => {
        if (!jobs.delete(own)) return;
        count(job.userId, -1);
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
