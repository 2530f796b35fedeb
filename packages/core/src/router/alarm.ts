import { longestTimerMs } from "../contract/option-checks.js";

/** Who an alarm rings for. */
export interface Ringing {
  /** @param current - The moment it was set for, or a later one; never an earlier one. */
  ring(current: number): void;
}

/**
 * Rings once, at a moment on the clock of `now()`.
 *
 * Alarms of the same length share one Node.js timer, so that a waiting run has none of its own.
 * Never `AbortSignal.timeout` or `AbortSignal.any`: on Node 20 a composite of both is lost to the
 * garbage collector and then never fires.
 */
export class Alarm {
  readonly #owner: Ringing;
  #list: AlarmList | undefined;
  /** When it rings; `Infinity` when it is not set. */
  at = Number.POSITIVE_INFINITY;
  previous: Alarm | undefined;
  next: Alarm | undefined;

  constructor(owner: Ringing) {
    this.#owner = owner;
  }

  /** Sets it to ring in `ms` from now, instead of whatever it was set to. `Infinity`: not at all. */
  set(ms: number, current = now()): void {
    this.clear();
    if (ms === Number.POSITIVE_INFINITY) return;
    const length = Math.min(Math.max(1, Math.ceil(ms)), longestTimerMs);
    this.at = current + length;
    this.#list = listOf(length);
    this.#list.add(this);
  }

  /** Takes it off its list; the timer goes with the last one. */
  clear(): void {
    this.#list?.remove(this);
    this.#list = undefined;
    this.at = Number.POSITIVE_INFINITY;
  }

  /** For its list: it has been taken off, and rings. */
  ring(current: number): void {
    this.clear();
    this.#owner.ring(current);
  }
}

/** Milliseconds on a clock that only goes forward, whatever is done to the time of day. */
export function now(): number {
  return performance.now();
}

/** Lengths in use, and a few that were: most runs of a router have the same. */
const lists = new Map<number, AlarmList>();
const mostEmptyLists = 16;

function listOf(length: number): AlarmList {
  let list = lists.get(length);
  if (list === undefined) {
    list = new AlarmList(length);
    lists.set(length, list);
  }
  return list;
}

// A copy, so that a test's fake one cannot keep a deadline from firing.
const { nextTick } = process;
let hasArmed = false;
const unarmed = new Set<AlarmList>();

function endTurn(): void {
  hasArmed = false;
  for (const list of unarmed) list.endTurn();
  unarmed.clear();
}

/** Alarms of one length: the order of setting is the order of ringing. */
class AlarmList {
  readonly #length: number;
  #first: Alarm | undefined;
  #last: Alarm | undefined;
  #timer: NodeJS.Timeout | undefined;
  #timerAt = Number.POSITIVE_INFINITY;

  constructor(length: number) {
    this.#length = length;
  }

  add(alarm: Alarm): void {
    alarm.previous = this.#last;
    alarm.next = undefined;
    if (this.#last === undefined) this.#first = alarm;
    else this.#last.next = alarm;
    this.#last = alarm;
    if (this.#timer === undefined) this.#armOncePerTurn(alarm.at);
  }

  /**
   * The first alarm of a turn gets its timer at once. One that comes after it, when that is cleared
   * again, waits for the end of the turn: of runs that follow each other without waiting for the
   * outside world, only the first pays for a timer.
   */
  #armOncePerTurn(at: number): void {
    if (hasArmed) {
      unarmed.add(this);
      return;
    }
    hasArmed = true;
    nextTick(endTurn);
    this.#arm(at, this.#length);
  }

  /** The turn is over: whoever is still on the list waits for the outside world. */
  endTurn(): void {
    if (this.#first === undefined || this.#timer !== undefined) return;
    const { at } = this.#first;
    this.#arm(at, Math.max(1, Math.ceil(at - now())));
  }

  remove(alarm: Alarm): void {
    if (alarm.previous === undefined) this.#first = alarm.next;
    else alarm.previous.next = alarm.next;
    if (alarm.next === undefined) this.#last = alarm.previous;
    else alarm.next.previous = alarm.previous;
    alarm.previous = undefined;
    alarm.next = undefined;
    if (this.#first === undefined) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      if (lists.size > mostEmptyLists) lists.delete(this.#length);
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
      due.ring(current);
      due = this.#first;
    }
    // A ring may have emptied this list, and another list may have taken its place.
    if (due !== undefined && this.#timer === undefined) {
      this.#arm(due.at, Math.max(1, Math.ceil(due.at - current)));
    }
  }
}
