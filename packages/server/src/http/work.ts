import { AsyncLocalStorage } from "node:async_hooks";
import type { ServerResponse } from "node:http";
import type { Router } from "@constellation/core";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ServerLimits } from "../limits.js";
import type { RunOrigin } from "../runs/run-store.js";
import { overloaded, Problem } from "./problem.js";

/** A request that takes a slot. */
export interface Job {
  /** Ends it when the server stops waiting. Not given: it ends by itself. */
  readonly cancel?: ((reason: string) => void) | undefined;
  /** Whether it ends only when its client disconnects, so that `close` does not wait for it. */
  readonly isStanding?: boolean | undefined;
  /** The owner of the request. */
  readonly owner: Owner;
  /** Its response: the wait ends when the client disconnects. */
  readonly response: ServerResponse;
}

/** What a job has of its request. */
export function jobOf({ user, ip }: FastifyRequest, { raw }: FastifyReply): Job {
  return { owner: { userId: user?.id, address: ip }, response: raw };
}

/** Owner of requests; owners take turns. */
export interface Owner {
  /** Absent where no token is required. */
  readonly userId: string | undefined;
  /** Address of the client, which counts as its user where there is none. */
  readonly address: string;
}

/** The slot of a request. It is held until the exchange, and all work that began in it, have ended. */
export interface Place {
  /**
   * Runs work. A run that starts in it, now or later, holds the slot until its last librarian has stopped, even
   * without the client.
   */
  within<Result>(origin: RunOrigin, work: () => Result): Result;
  /** Holds the slot until a promise settles, for work that is not a run. */
  waitUntil(work: Promise<unknown>): void;
  /** The exchange has ended. */
  leave(): void;
}

/** Work in progress: counted, bounded, and given time to end. */
export interface Work {
  /**
   * Takes a slot. When all are taken, it waits if its owner has less than an equal share; owners take turns.
   *
   * @throws Problem as `assertTurn`; 503 when no slot becomes free within 10 s, or the server closes.
   */
  begin(job: Job): Promise<Place>;
  /** @throws Problem 503 where no request could be accepted of any client. */
  assertOpen(): void;
  /**
   * @throws Problem 503 when all slots are taken and the owner has its share of them, 429 when a user has
   *   `concurrencyPerUser`.
   */
  assertTurn(owner: Owner): void;
  /** The request that asynchronous code belongs to. */
  readonly origin: RunOrigin | undefined;
  /** Number of slots taken. */
  readonly size: number;
  readonly isDraining: boolean;
  /** Refuses new requests; waits at most `drainMs` for those in progress, then cancels them. */
  drain(drainMs: number): Promise<void>;
  /** Unsubscribes from the router. */
  close(): void;
}

/** A holder of a slot. Both functions may be called more than once. */
interface Hold {
  /** Its outcome is known: `drain` does not wait for the rest. */
  answered(): void;
  release(): void;
}

/** Maximum wait for a slot, in milliseconds. */
const maxWaitMs = 10_000;

/** A request that waits for a slot. */
interface WaitingJob {
  grant(): void;
  refuse(problem: Problem): void;
}

/** A taken slot, with its holders. */
interface TakenPlace extends Job {
  readonly holds: Set<Hold>;
  /** Jobs that `drain` waits for. */
  readonly unanswered: Set<Hold>;
}

function ownerKey({ userId, address }: Owner): string {
  return userId === undefined ? `address:${address}` : `user:${userId}`;
}

/** Counts the work that requests begin. */
export function createWork(
  router: Pick<Router, "on">,
  { concurrency, concurrencyPerUser }: Pick<ServerLimits, "concurrency" | "concurrencyPerUser">,
): Work {
  /** Follows a request through asynchronous calls, also through a mount that asks the router itself. */
  const scopes = new AsyncLocalStorage<{
    readonly place: TakenPlace;
    readonly origin: RunOrigin;
  }>();
  /** Slots of each owner. */
  const held = new Map<string, number>();
  /** Requests that wait, by owner: the owner whose turn is next comes first. */
  const waiting = new Map<string, Set<WaitingJob>>();
  let waitingCount = 0;
  const taken = new Set<TakenPlace>();
  const runs = new Map<string, Hold>();
  let isDraining = false;
  let onEnd: () => void = () => undefined;
  const isWaitedFor = () => [...taken].some(({ unanswered }) => unanswered.size > 0);

  function assertOpen(): void {
    if (isDraining) throw closing();
    // Limits the number of owners, and so, with their shares, the number of requests that wait.
    if (waitingCount >= concurrency) throw busy();
  }

  function assertTurn(owner: Owner): void {
    assertOpen();
    const key = ownerKey(owner);
    const own = held.get(key) ?? 0;
    if (owner.userId !== undefined && own >= concurrencyPerUser) throw tooManyOfUser();
    if (taken.size < concurrency && waitingCount === 0) return;
    const owners = new Set([...held.keys(), ...waiting.keys(), key]).size;
    const share = Math.max(1, Math.floor(concurrency / owners));
    if (own + (waiting.get(key)?.size ?? 0) >= share) throw busy();
  }

  function busy(): Problem {
    return overloaded(`The server is busy with ${concurrency} requests.`, 1);
  }

  function closing(): Problem {
    return new Problem(503, "SERVICE_UNAVAILABLE", "The server is closing.", {
      headers: { "retry-after": "5", connection: "close" },
    });
  }

  function tooManyOfUser(): Problem {
    return new Problem(
      429,
      "RATE_LIMITED",
      `You have ${concurrencyPerUser} requests in progress, the maximum for one user.`,
      {
        suggestion: "Ask again when one has ended.",
        details: { retryAfterMs: 1_000 },
        headers: { "retry-after": "1" },
      },
    );
  }

  function count(owner: Owner, change: 1 | -1): void {
    const key = ownerKey(owner);
    const left = (held.get(key) ?? 0) + change;
    if (left > 0) held.set(key, left);
    else held.delete(key);
  }

  /** Gives free slots to waiting requests, each owner in turn. */
  function grantNext(): void {
    while (taken.size < concurrency) {
      const [next] = waiting;
      if (next === undefined) return;
      const [key, jobs] = next;
      const [first] = jobs;
      waiting.delete(key);
      waiting.set(key, jobs); // its next turn comes after all others
      first?.grant();
    }
  }

  function turn(job: Job): Promise<Hold & { readonly place: TakenPlace }> {
    const key = ownerKey(job.owner);
    const jobs = waiting.get(key) ?? new Set();
    waiting.set(key, jobs);
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        job.response.off("close", onClose);
        jobs.delete(own);
        waitingCount--;
        if (jobs.size === 0) waiting.delete(key);
      };
      const own: WaitingJob = {
        grant() {
          leave();
          resolve(take(job));
        },
        refuse(problem) {
          leave();
          reject(problem);
        },
      };
      const onClose = () => own.refuse(busy()); // no one reads it
      const timer = setTimeout(() => own.refuse(busy()), maxWaitMs);
      job.response.once("close", onClose);
      jobs.add(own);
      waitingCount++;
    });
  }

  function take(job: Job): Hold & { readonly place: TakenPlace } {
    const place: TakenPlace = { ...job, holds: new Set(), unanswered: new Set() };
    return { ...hold(place, job.isStanding !== true), place };
  }

  /** Takes a released slot again, because work may begin long after its request. */
  function hold(place: TakenPlace, isWaited: boolean): Hold {
    const own: Hold = {
      answered() {
        if (place.unanswered.delete(own)) onEnd();
      },
      release() {
        if (!place.holds.delete(own)) return;
        own.answered();
        if (place.holds.size > 0) return;
        taken.delete(place);
        count(place.owner, -1);
        grantNext();
      },
    };
    if (place.holds.size === 0) {
      taken.add(place);
      count(place.owner, 1);
    }
    place.holds.add(own);
    if (isWaited) place.unanswered.add(own);
    return own;
  }

  function endRun(runId: string): void {
    runs.get(runId)?.release();
    runs.delete(runId);
  }

  const off = [
    router.on("run:start", ({ runId }) => {
      const place = scopes.getStore()?.place;
      if (place !== undefined) runs.set(runId, hold(place, true));
    }),
    router.on("run:end", ({ runId, unsettled }) => {
      if (unsettled === 0) endRun(runId);
      else runs.get(runId)?.answered();
    }),
    router.on("run:settled", ({ runId }) => endRun(runId)),
  ];

  return {
    assertOpen,
    assertTurn,
    async begin(job) {
      assertTurn(job.owner);
      const isFree = taken.size < concurrency && waitingCount === 0;
      const { place, release } = isFree ? take(job) : await turn(job);
      return {
        within: (origin, work) => scopes.run({ place, origin }, work),
        waitUntil(work) {
          const background = hold(place, true);
          void work.then(background.release, background.release);
        },
        leave: release,
      };
    },
    get origin() {
      return scopes.getStore()?.origin;
    },
    get size() {
      return taken.size;
    },
    get isDraining() {
      return isDraining;
    },
    async drain(drainMs) {
      isDraining = true;
      for (const jobs of [...waiting.values()]) for (const job of [...jobs]) job.refuse(closing());
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
      for (const place of [...taken]) place.cancel?.("The server is closing.");
    },
    close() {
      for (const stop of off) stop();
    },
  };
}
