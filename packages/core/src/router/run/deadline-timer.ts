import { maxTimerMs } from "../../contract/option-table.js";

/** What a timer calls when its moment has come. */
export interface TimerOwner {
  /** @param current - The moment it was set for, or a later one; never an earlier one. */
  fire(current: number): void;
}

/**
 * Fires once, at a moment on the clock of `now()`.
 *
 * Timers of the same length share one of Node.js, so that a waiting run has none of its own.
 * Never `AbortSignal.timeout` or `AbortSignal.any`: on Node 20 a composite of both is lost to the
 * garbage collector and then never fires.
 */
export class DeadlineTimer {
  readonly #owner: TimerOwner;
  #list: TimerList | undefined;
  /** When it fires; `Infinity` when it is not set. */
  at = Number.POSITIVE_INFINITY;
  previous: DeadlineTimer | undefined;
  next: DeadlineTimer | undefined;

  constructor(owner: TimerOwner) {
    this.#owner = owner;
  }

  /** Sets it to fire in `ms` from now, in place of an earlier setting. `Infinity`: not at all. */
  set(ms: number, current = now()): void {
    if (this.#list !== undefined) this.clear();
    if (ms === Number.POSITIVE_INFINITY) return;
    const length = Math.min(Math.max(1, Math.ceil(ms)), maxTimerMs);
    this.at = current + length;
    let list = lists.get(length);
    if (list === undefined) {
      list = new TimerList(length);
      lists.set(length, list);
    }
    this.#list = list;
    list.add(this);
  }

  /** Takes it off its list; the timer goes with the last one. */
  clear(): void {
    this.#list?.remove(this);
    this.#list = undefined;
    this.at = Number.POSITIVE_INFINITY;
  }

  /** Called by its list: takes it off, and calls its owner. */
  fire(current: number): void {
    this.clear();
    this.#owner.fire(current);
  }
}

/** Milliseconds on a clock that only goes forward, also when the time of day is changed. */
export function now(): number {
  return performance.now();
}

/** Lengths in use, and a few that were: most runs of a router have the same. */
const lists = new Map<number, TimerList>();
const maxEmptyLists = 16;

// A copy, so that a test that fakes it cannot keep a deadline from firing.
const { nextTick } = process;
let hasArmed = false;
const unarmed = new Set<TimerList>();

function endTurn(): void {
  hasArmed = false;
  for (const list of unarmed) list.endTurn();
  unarmed.clear();
}

/** Timers of one length: they fire in the order in which they were set. */
class TimerList {
  readonly #length: number;
  #first: DeadlineTimer | undefined;
  #last: DeadlineTimer | undefined;
  #timer: NodeJS.Timeout | undefined;
  #timerAt = Number.POSITIVE_INFINITY;

  constructor(length: number) {
    this.#length = length;
  }

  /**
   * The first one set in a turn gets a Node.js timer at once. One that is set after the first was
   * cleared waits for the end of the turn: of runs that follow each other without waiting for the
   * outside world, only the first pays for a timer.
   */
  add(timer: DeadlineTimer): void {
    timer.previous = this.#last;
    timer.next = undefined;
    if (this.#last === undefined) this.#first = timer;
    else this.#last.next = timer;
    this.#last = timer;
    if (this.#timer !== undefined) return;
    if (hasArmed) {
      unarmed.add(this);
      return;
    }
    hasArmed = true;
    nextTick(endTurn);
    this.#arm(timer.at, this.#length);
  }

  /** The turn is over: what is still on the list waits for the outside world. */
  endTurn(): void {
    if (this.#first === undefined || this.#timer !== undefined) return;
    const { at } = this.#first;
    this.#arm(at, Math.max(1, Math.ceil(at - now())));
  }

  remove(timer: DeadlineTimer): void {
    if (timer.previous === undefined) this.#first = timer.next;
    else timer.previous.next = timer.next;
    if (timer.next === undefined) this.#last = timer.previous;
    else timer.next.previous = timer.previous;
    timer.previous = undefined;
    timer.next = undefined;
    if (this.#first === undefined) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      if (lists.size > maxEmptyLists) lists.delete(this.#length);
    }
  }

  #arm(at: number, ms: number): void {
    this.#timerAt = at;
    this.#timer = setTimeout(() => this.#fire(), ms);
  }

  #fire(): void {
    // A timer that has fired proves that its moment has come, even where the clock reads a little
    // less, or is a fake one that stands still.
    const current = Math.max(now(), this.#timerAt);
    this.#timer = undefined;
    let due = this.#first;
    while (due !== undefined && due.at <= current) {
      due.fire(current);
      due = this.#first;
    }
    // An owner may have emptied this list, and another list may have taken its place.
    if (due !== undefined && this.#timer === undefined) {
      this.#arm(due.at, Math.max(1, Math.ceil(due.at - current)));
    }
  }
}
