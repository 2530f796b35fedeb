import { types } from "node:util";
import { guardSignal } from "../../contract/guarded-signal.js";
import type { MeshError } from "../../contract/mesh-error.js";
import type { Response } from "../../contract/response.js";
import { DeadlineTimer, now, type TimerOwner } from "./deadline-timer.js";
import { deadlinePassed, runHasResponse } from "./errors.js";
import type { Call, Hop, PendingCalls, RunLimits, Stoppable } from "./model.js";

/** A linked list of the calls and waits of a run: adding and removing allocates nothing. */
export class RunCalls implements PendingCalls, TimerOwner {
  closed: MeshError | undefined;
  onChange: (() => void) | undefined;
  isOver = false;
  unsettled = 0;
  #first: Stoppable | undefined;
  #waiting: (() => void)[] | undefined;
  readonly #limits: RunLimits;
  readonly #timer = new DeadlineTimer(this);

  constructor(limits: RunLimits) {
    this.#limits = limits;
  }

  add(pending: Stoppable, current: number): void {
    pending.next = this.#first;
    if (this.#first !== undefined) this.#first.previous = pending;
    this.#first = pending;
    const { endsAt } = pending;
    if (endsAt >= this.#timer.at) return;
    // One timer for the whole run: set for the earliest moment at which a hop of this run can run
    // out of time, not for each hop's own: each of 16 levels keeps a tenth, at most 500 ms, for its
    // merge. A librarian with a shorter limit brings it forward.
    const { startedAt, timeoutMs } = this.#limits;
    const earliest = startedAt + Math.max(timeoutMs * 0.9 ** 16, timeoutMs - 500 * 16);
    this.#timer.set((earliest > current ? Math.min(endsAt, earliest) : endsAt) - current, current);
  }

  remove(pending: Stoppable): void {
    const { previous, next } = pending;
    if (previous === undefined) this.#first = next;
    else previous.next = next;
    if (next !== undefined) next.previous = previous;
    pending.previous = undefined;
    pending.next = undefined;
    this.onChange?.();
  }

  /** The time of a call or wait may be up. */
  fire(current: number): void {
    let earliest = Number.POSITIVE_INFINITY;
    for (const pending of this.pending()) {
      if (pending.endsAt <= current) pending.stop(deadlinePassed());
      else earliest = Math.min(earliest, pending.endsAt);
    }
    this.#timer.set(earliest - current, current);
  }

  stopBelow(hop: Hop, error: MeshError): void {
    for (const pending of this.pending()) {
      if (isBelow(pending, hop) && !isForOthers(pending)) pending.stop(error);
    }
  }

  close(error: MeshError): void {
    this.closed ??= error;
    for (const pending of this.pending()) if (!isForOthers(pending)) pending.stop(error);
  }

  end(): void {
    this.closed ??= runHasResponse;
    if (this.#first !== undefined) this.close(runHasResponse);
    this.#timer.clear();
    this.isOver = true;
    if (this.#waiting !== undefined) this.#releaseWaiting();
  }

  release(): void {
    this.#timer.clear();
  }

  callStopped(): void {
    this.unsettled++;
  }

  callSettled(): boolean {
    this.unsettled--;
    if (!this.isOver || this.unsettled > 0) return false;
    this.#releaseWaiting();
    return true;
  }

  settled(): Promise<void> {
    if (this.isOver && this.unsettled === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting ??= [];
      this.#waiting.push(resolve);
    });
  }

  #releaseWaiting(): void {
    if (this.unsettled > 0) return;
    for (const resolve of this.#waiting ?? []) resolve();
    this.#waiting = undefined;
  }

  /** A snapshot, because stopping one may start or end others. */
  pending(): readonly Stoppable[] {
    const all: Stoppable[] = [];
    for (let each = this.#first; each !== undefined; each = each.next) all.push(each);
    return all;
  }
}

/** Whether a hop is among those above a call or a wait. */
export function isBelow({ parent }: Stoppable, hop: Hop): boolean {
  for (let above = parent; above !== undefined; above = above.parent) {
    if (above === hop) return true;
  }
  return false;
}

/** Whether it is part of work that others wait for. */
function isForOthers({ parent }: Stoppable): boolean {
  for (let above = parent; above !== undefined; above = above.parent) {
    if (above.kind.isAwaited(above)) return true;
  }
  return false;
}

// The native `then`: values from untrusted code may have one of their own.
const settle: (
  this: Promise<unknown>,
  onReturned: (returned: unknown) => void,
  onThrown: (thrown: unknown) => void,
) => unknown = Promise.prototype.then;

/**
 * Calls untrusted code, and settles once: when that code settles, when its time is up, or
 * when it is stopped, whichever comes first. What the code does later is dropped.
 *
 * @param current - The moment it starts.
 * @returns Never rejects. Call it once for a call.
 */
export function invoke(call: Call, current: number): Promise<Response> {
  return new Promise((resolve) => startCall(call, current, resolve));
}

/** As {@link invoke}. @param onEnd - Called with the response once the call has ended. Never throws. */
export function startCall(call: Call, current: number, onEnd: (response: Response) => void): void {
  call.resolve = onEnd;
  call.run.calls.add(call, current);
  try {
    const returned = call.kind.start(call);
    if (types.isPromise(returned) && !isPlain(returned)) hideConstructor(returned);
    settle.call(
      Promise.resolve(returned),
      (returned) => {
        if (call.state === "stopped" && !call.kind.isAwaited(call)) settledLate(call, undefined);
        else settled(call, call.kind.accept(call, returned), undefined);
      },
      (thrown) => threw(call, thrown),
    );
  } catch (thrown) {
    threw(call, thrown);
  }
}

/** Whether the native `then` calls nothing of the librarian's on a promise. */
function isPlain(promise: Promise<unknown>): boolean {
  return (
    Object.getPrototypeOf(promise) === Promise.prototype && !Object.hasOwn(promise, "constructor")
  );
}

/**
 * `then` makes another promise with the constructor that it finds: one of the librarian's may throw when that
 * promise settles, where no one can catch it.
 *
 * @throws TypeError for a promise that is frozen.
 */
function hideConstructor(promise: object): void {
  Object.defineProperty(promise, "constructor", { value: Promise });
}

function threw(call: Call, thrown: unknown): void {
  if (call.state === "stopped" && !call.kind.isAwaited(call)) {
    settledLate(call, undefined);
    return;
  }
  const failure = call.kind.readThrown(call, thrown);
  settled(call, call.kind.fail(call, failure), failure);
}

function settled(call: Call, response: Response, failure: MeshError | undefined): void {
  // Code that blocked the thread can return before the timer of its deadline fires.
  if (call.state === "pending" && now() >= call.endsAt) stopCall(call, deadlinePassed());
  const { state } = call;
  if (state === "settled") return;
  if (state === "stopped") {
    settledLate(call, response);
    return;
  }
  call.state = "settled";
  end(call, response, failure);
}

/** @param response - `undefined`: no one waits for it, and its result was not checked. */
function settledLate(call: Call, response: Response | undefined): void {
  const { run } = call;
  call.state = "settled";
  call.kind.settledLate(call, response);
  if (run.calls.callSettled()) run.observer?.runSettled(run);
}

/** Ends a call now, for this reason, and aborts the signal of its code. */
export function stopCall(call: Call, error: MeshError): void {
  if (call.state !== "pending") return;
  call.state = "stopped";
  call.stoppedBy = error;
  call.run.calls.callStopped();
  end(call, call.kind.fail(call, error), error);
  if (!call.kind.isAwaited(call)) call.controller?.abort(error);
}

/** Aborts the signal of a call that was stopped but continued for others, after those have left. */
export function abortStopped({ controller, stoppedBy }: Call): void {
  controller?.abort(stoppedBy);
}

function end(call: Call, response: Response, failure: MeshError | undefined): void {
  const { resolve } = call;
  call.run.calls.remove(call);
  call.resolve = undefined;
  call.kind.ended(call, response, failure);
  resolve?.(response);
}

/**
 * The signal of a call: aborts when it is stopped. Made when it is first read: on Node 20 making one
 * costs more than everything else about a hop.
 */
export function signalOf(call: Call): AbortSignal {
  if (call.controller === undefined) {
    call.controller = new AbortController();
    guardSignal(call.controller.signal);
    if (call.stoppedBy !== undefined && !call.kind.isAwaited(call)) {
      call.controller.abort(call.stoppedBy);
    }
  }
  return call.controller.signal;
}
