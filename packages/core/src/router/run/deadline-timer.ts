import { maxTimerMs } from "../../contract/option-table.js";

/** What a timer calls when its moment has come. */
export interface TimerOwner {
  /** @param current - The moment it was set for, or a later one; never an earlier one. */
  fire(current: number): void;
}

/**
 * Fires once, at a moment on the clock of `now()`.
 *
 * All share one timer of Node.js, which is set for the earliest of them, so that a waiting run has none of its own.
 * Never `AbortSignal.timeout` or `AbortSignal.any`: on Node 20 a composite of both is lost to the
 * garbage collector and then never fires.
 */
export class DeadlineTimer {
  readonly #owner: TimerOwner;
  /** When it fires; `Infinity` when it is not set. */
  at = Number.POSITIVE_INFINITY;
  previous: DeadlineTimer | undefined;
  next: DeadlineTimer | undefined;

  constructor(owner: TimerOwner) {
    this.#owner = owner;
  }

  /** Sets it to fire in `ms` from now, in place of an earlier setting. `Infinity`: not at all. */
  set(ms: number, current = now()): void {
    this.clear();
    if (ms === Number.POSITIVE_INFINITY) return;
    this.at = current + Math.min(Math.max(1, Math.ceil(ms)), maxTimerMs);
    add(this);
  }

  clear(): void {
    if (this.at === Number.POSITIVE_INFINITY) return;
    this.at = Number.POSITIVE_INFINITY;
    remove(this);
  }

  fire(current: number): void {
    this.clear();
    this.#owner.fire(current);
  }
}

/** Milliseconds on a clock that only goes forward, also when the time of day is changed. */
export function now(): number {
  return performance.now();
}

/** Timers that are set, in a linked list: adding and removing allocates nothing. */
let first: DeadlineTimer | undefined;

let wake: NodeJS.Timeout | undefined;
let wakeAt = Number.POSITIVE_INFINITY;

// A copy, so that a test that fakes it cannot keep a deadline from firing.
const { nextTick } = process;
let hasArmed = false;

/**
 * The first one set in a turn gets a Node.js timer at once. One that is set after the first was
 * cleared waits for the end of the turn: of runs that follow each other without waiting for the
 * outside world, only the first pays for a timer.
 */
function add(timer: DeadlineTimer): void {
  timer.next = first;
  if (first !== undefined) first.previous = timer;
  first = timer;
  if (hasArmed || timer.at >= wakeAt) return;
  hasArmed = true;
  nextTick(endTurn);
  arm(timer.at);
}

/** The turn of the event loop is over: timers that are still set need a Node.js timer. */
function endTurn(): void {
  hasArmed = false;
  armForEarliest();
}

function remove(timer: DeadlineTimer): void {
  const { previous, next } = timer;
  if (previous === undefined) first = next;
  else previous.next = next;
  if (next !== undefined) next.previous = previous;
  timer.previous = undefined;
  timer.next = undefined;
  if (first !== undefined) return;
  clearTimeout(wake);
  wakeAt = Number.POSITIVE_INFINITY;
}

function arm(at: number): void {
  clearTimeout(wake);
  wakeAt = at;
  wake = setTimeout(fireDue, Math.max(1, Math.ceil(at - now())));
}

function armForEarliest(): void {
  let earliest = wakeAt;
  for (let each = first; each !== undefined; each = each.next) {
    if (each.at < earliest) earliest = each.at;
  }
  if (earliest < wakeAt) arm(earliest);
}

function fireDue(): void {
  // A timer that has fired proves that its moment has come, even where the clock reads a little
  // less, or is a fake one that stands still.
  const current = Math.max(now(), wakeAt);
  wakeAt = Number.POSITIVE_INFINITY;
  const due: DeadlineTimer[] = [];
  for (let each = first; each !== undefined; each = each.next)
    if (each.at <= current) due.push(each);
  due.sort((one, other) => one.at - other.at);
  for (const each of due) if (each.at <= current) each.fire(current); // one may have cleared another
  armForEarliest();
}
