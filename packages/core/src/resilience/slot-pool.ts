/** A limit on calls in progress, and their number. */
export interface Limit {
  /** Integer, 1 or more, or `Infinity`. */
  max: number;
  active: number;
}

/** The call that a slot is for. */
export interface SlotOwner {
  /** Users take turns. */
  readonly user: string;
  /** Runs of a user take turns. */
  readonly run: object;
  /** Whether the run has made calls before: where none of it waits yet, it comes before runs that have not. */
  readonly isUnderWay: boolean;
  /** Limit of the librarian; the pool's own holds as well. */
  readonly limit: Limit | undefined;
}

/** Bounds of `retryAfterMs`, and its value before any call has ended. */
const hint = { min: 100, max: 30_000, unknown: 1_000 };

/** Weight of the newest call in the average time of a call. */
const newestWeight = 0.1;

/**
 * Slots for calls: a limit for all of them, one for each librarian that has one, and a bounded queue
 * in which users and runs take turns.
 */
export class SlotPool {
  readonly limit: Limit;
  readonly #maxQueue: number;
  readonly #now: () => number;
  readonly #queue = new FairQueue();
  /** Calls that lent their slot and need one again to finish. */
  readonly #resuming: Waiter[] = [];
  #averageMs: number | undefined;

  /**
   * @param max - Slots in all. Integer, 1 or more, or `Infinity`.
   * @param maxQueue - Maximum number that wait. Integer, 0 or more, or `Infinity`.
   * @param now - Milliseconds on a clock that only goes forward.
   */
  constructor(max: number, maxQueue: number, now: () => number) {
    this.limit = { max, active: 0 };
    this.#maxQueue = maxQueue;
    this.#now = now;
  }

  /** Calls that wait for a slot, not counting those that lent theirs. */
  get waiting(): number {
    return this.#queue.size;
  }

  /** Estimate of when a new call would get a slot, in milliseconds; 0 while one is free. */
  get estimatedWaitMs(): number {
    const { max, active } = this.limit;
    if (active < max && this.#queue.size === 0) return 0;
    const average = this.#averageMs ?? hint.unknown;
    const width = max === Number.POSITIVE_INFINITY ? Math.max(1, active) : max;
    return ((this.#queue.size + 1) * average) / width;
  }

  /** When an overloaded caller should try again, in milliseconds. */
  get retryAfterMs(): number {
    return Math.round(Math.min(hint.max, Math.max(hint.min, this.estimatedWaitMs)));
  }

  /** A slot for one call. It has to be taken. */
  slotFor(owner: SlotOwner): Slot {
    return new Slot(this, owner);
  }

  /** Takes a slot, if one is free. No call is overtaken, because none waits while a slot is free. */
  tryEnter(limit: Limit | undefined): boolean {
    if (this.limit.active >= this.limit.max) return false;
    if (limit !== undefined && limit.active >= limit.max) return false;
    this.limit.active++;
    if (limit !== undefined) limit.active++;
    return true;
  }

  /** Releases the slot for the next call that waits. @param heldMs - How long it was taken, in milliseconds. */
  leave(limit: Limit | undefined, heldMs: number): void {
    this.limit.active--;
    if (limit !== undefined) limit.active--;
    const average = this.#averageMs ?? heldMs;
    this.#averageMs = average + newestWeight * (heldMs - average);
    this.dispatch();
  }

  /** Grants slots to waiting calls that there is room for. Call it when a limit was raised. */
  dispatch(): void {
    const canGo = ({ limit }: Waiter): boolean => limit === undefined || limit.active < limit.max;
    while (this.limit.active < this.limit.max) {
      const resumed = this.#resuming.find(canGo);
      if (resumed !== undefined) this.#resuming.splice(this.#resuming.indexOf(resumed), 1);
      const next = resumed ?? this.#queue.take(canGo);
      if (next === undefined) return;
      this.tryEnter(next.limit);
      next.settle("granted");
    }
  }

  /** Queues a call. When the queue is full, this call, or one of the user with the most calls, ends as overloaded. */
  enqueue(waiter: Waiter): void {
    if (this.#queue.size >= this.#maxQueue) {
      const evicted = this.#queue.takeFromLongest(waiter.user);
      if (evicted === undefined) {
        waiter.settle("overloaded");
        return;
      }
      evicted.settle("overloaded");
    }
    this.#queue.add(waiter);
  }

  enqueueResuming(waiter: Waiter): void {
    this.#resuming.push(waiter);
  }

  dequeue(waiter: Waiter): void {
    const at = this.#resuming.indexOf(waiter);
    if (at === -1) this.#queue.remove(waiter);
    else this.#resuming.splice(at, 1);
  }

  now(): number {
    return this.#now();
  }
}

/** How a wait for a slot ended. `left`: the slot was closed meanwhile. */
export type SlotOutcome = "granted" | "overloaded" | "left";

interface Waiter extends SlotOwner {
  settle(outcome: SlotOutcome): void;
}

/** The slot of one call. While the call waits for others it lends its slot. */
export class Slot {
  readonly #pool: SlotPool;
  readonly #owner: SlotOwner;
  #heldSince: number | undefined;
  /** Calls it waits for. */
  #lent = 0;
  #waiter: Waiter | undefined;
  #isClosed = false;

  constructor(pool: SlotPool, owner: SlotOwner) {
    this.#pool = pool;
    this.#owner = owner;
  }

  /** Takes the slot, or a place in the queue. @returns At once where no wait is needed. */
  take(): SlotOutcome | Promise<SlotOutcome> {
    if (this.#enter()) return "granted";
    return this.#wait((waiter) => this.#pool.enqueue(waiter));
  }

  /** The call begins to wait for another one: others may have the slot. */
  lend(): void {
    this.#lent++;
    if (this.#lent === 1) this.#leave();
  }

  /**
   * The wait has ended. The call continues once it has a slot again, or at once without a slot where it still waits
   * for others.
   */
  async resume(): Promise<void> {
    this.#lent--;
    if (this.#lent > 0 || this.#isClosed || this.#enter()) return;
    await this.#wait((waiter) => this.#pool.enqueueResuming(waiter));
  }

  /** The call is over. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#leave();
  }

  #enter(): boolean {
    if (this.#isClosed || !this.#pool.tryEnter(this.#owner.limit)) return false;
    this.#heldSince = this.#pool.now();
    return true;
  }

  #leave(): void {
    if (this.#heldSince !== undefined) {
      const heldMs = this.#pool.now() - this.#heldSince;
      this.#heldSince = undefined;
      this.#pool.leave(this.#owner.limit, heldMs);
    } else if (this.#waiter !== undefined) {
      // A call that has ended, or that began another wait before its turn, does not need the slot.
      this.#pool.dequeue(this.#waiter);
      this.#waiter.settle("left");
    }
  }

  #wait(enqueue: (waiter: Waiter) => void): Promise<SlotOutcome> {
    return new Promise((resolve) => {
      this.#waiter = {
        ...this.#owner,
        settle: (outcome) => {
          this.#waiter = undefined;
          if (outcome === "granted") this.#heldSince = this.#pool.now();
          resolve(outcome);
        },
      };
      enqueue(this.#waiter);
    });
  }
}

/** The last turn of a user, or of a run of a user; before the first turn, its arrival. */
interface Turn {
  at: number;
}

interface Queued {
  readonly item: Waiter;
  /** Shared by all items of the user, and of the run. */
  readonly user: Turn;
  readonly run: Turn;
}

/** A queue in which users take turns, and within each user its runs. */
class FairQueue {
  /** In the order they came. */
  readonly #queued: Queued[] = [];
  #turns = 0;

  get size(): number {
    return this.#queued.length;
  }

  add(item: Waiter): void {
    const ofUser = this.#queued.filter((each) => each.item.user === item.user);
    const ofRun = ofUser.find((each) => each.item.run === item.run);
    const came = ++this.#turns;
    const user = ofUser[0]?.user ?? { at: came };
    const run = ofRun?.run ?? { at: item.isUnderWay ? -came : came };
    this.#queued.push({ item, user, run });
  }

  /** Takes the first item that can go now. Its user and its run then come after all others. */
  take(canGo: (item: Waiter) => boolean): Waiter | undefined {
    let next: Queued | undefined;
    for (const each of this.#queued) {
      if (next !== undefined && !isBefore(each, next)) continue;
      if (canGo(each.item)) next = each;
    }
    if (next === undefined) return undefined;
    next.user.at = ++this.#turns;
    next.run.at = next.user.at;
    this.remove(next.item);
    return next.item;
  }

  /** Removes an item that does not wait any more. */
  remove(item: Waiter): void {
    const at = this.#queued.findIndex((each) => each.item === item);
    if (at !== -1) this.#queued.splice(at, 1);
  }

  /**
   * Takes the newest item of the user with the most, where that is at least two more than `user` has:
   * a user that floods the queue makes room for the others.
   */
  takeFromLongest(user: string): Waiter | undefined {
    const counts = new Map([[user, 0]]);
    let longest = user;
    for (const { item } of this.#queued) {
      const count = (counts.get(item.user) ?? 0) + 1;
      counts.set(item.user, count);
      if (count > (counts.get(longest) ?? 0)) longest = item.user;
    }
    if ((counts.get(longest) ?? 0) < (counts.get(user) ?? 0) + 2) return undefined;
    const newest = this.#queued.findLast((each) => each.item.user === longest);
    if (newest !== undefined) this.remove(newest.item);
    return newest?.item;
  }
}

function isBefore(one: Queued, other: Queued): boolean {
  return one.user.at === other.user.at ? one.run.at < other.run.at : one.user.at < other.user.at;
}

/**
 * Lowers the limit of a librarian that answers `RATE_LIMITED`: to half of the calls that were under way, at
 * least 1. It rises by one with each round of calls that succeeded.
 */
export class AdaptiveLimit {
  readonly #limit: Limit;
  readonly #ceiling: number;
  #loweredAt = Number.NEGATIVE_INFINITY;
  #successes = 0;

  /** @param limit - Its `max` is the highest it becomes. */
  constructor(limit: Limit) {
    this.#limit = limit;
    this.#ceiling = limit.max;
  }

  /**
   * A call was refused because of too many. Calls that began before the limit was last
   * lowered do not count.
   */
  rateLimited(startedAt: number, now: number): void {
    if (startedAt < this.#loweredAt) return;
    const { active, max } = this.#limit;
    this.#limit.max = Math.max(1, Math.floor(Math.min(max, active + 1) / 2)); // it has ended itself
    this.#loweredAt = now;
    this.#successes = 0;
  }

  /** A call succeeded. @returns Whether there is room for one more. */
  succeeded(): boolean {
    const { max } = this.#limit;
    if (max >= this.#ceiling || ++this.#successes < max) return false;
    this.#successes = 0;
    this.#limit.max = max + 1;
    return true;
  }
}
