import type { MeshError } from "../../contract/mesh-error.js";
import { DeadlineTimer, type TimerOwner } from "./deadline-timer.js";
import { deadlinePassed } from "./errors.js";
import { isBelow, stopCall } from "./invoke.js";
import type { Call, Hop, PendingCalls } from "./model.js";
import type { RunLimits } from "./run-limits.js";

/** Creates the pending calls of a run: none. */
export function createPendingCalls(limits: RunLimits): PendingCalls {
  return new RunCalls(limits);
}

/** A linked list through the calls: coming and going costs no memory. */
class RunCalls implements PendingCalls, TimerOwner {
  closed: MeshError | undefined;
  #first: Call | undefined;
  readonly #limits: RunLimits;
  readonly #timer = new DeadlineTimer(this);

  constructor(limits: RunLimits) {
    this.#limits = limits;
  }

  add(call: Call, current: number): void {
    call.next = this.#first;
    if (this.#first !== undefined) this.#first.previous = call;
    this.#first = call;
    const { endsAt } = call;
    if (endsAt >= this.#timer.at) return;
    // One timer for the whole run: set for the earliest moment at which a hop of this run can run
    // out of time, not for each hop's own. A librarian with a shorter limit brings it forward.
    const { startedAt, timeoutMs } = this.#limits;
    const earliest = Math.min(endsAt, startedAt + firstReserve(timeoutMs));
    this.#timer.set(earliest > current ? earliest - current : endsAt - current, current);
  }

  remove(call: Call): void {
    if (call.previous === undefined) this.#first = call.next;
    else call.previous.next = call.next;
    if (call.next !== undefined) call.next.previous = call.previous;
    call.previous = undefined;
    call.next = undefined;
  }

  /** Some call may have run out of time. */
  fire(current: number): void {
    let earliest = Number.POSITIVE_INFINITY;
    for (const call of this.#all()) {
      if (call.endsAt <= current) stopCall(call, deadlinePassed());
      else earliest = Math.min(earliest, call.endsAt);
    }
    this.#timer.set(earliest - current, current);
  }

  stopBelow(hop: Hop, error: MeshError): void {
    for (const call of this.#all()) {
      if (isBelow(call, hop)) stopCall(call, error);
    }
  }

  close(error: MeshError): void {
    this.closed ??= error;
    if (this.#first === undefined) return;
    for (const call of this.#all()) stopCall(call, error);
  }

  release(): void {
    this.#timer.clear();
  }

  /** Those there are now: stopping one may start or end others. */
  #all(): readonly Call[] {
    const calls: Call[] = [];
    for (let call = this.#first; call !== undefined; call = call.next) calls.push(call);
    return calls;
  }
}

/** Lower bound, in milliseconds from the start, of when any hop of a run can run out of time. */
function firstReserve(timeoutMs: number): number {
  const levels = 16;
  return Math.max(timeoutMs * 0.9 ** levels, timeoutMs - 500 * levels);
}
