import { guardSignal } from "../../contract/guarded-signal.js";
import type { MeshError } from "../../contract/mesh-error.js";
import type { Response } from "../../contract/response.js";
import type { Call } from "./model.js";

// The native `then`: what comes back from code that is not ours may bring one of its own.
const settle: (
  this: Promise<unknown>,
  onReturned: (returned: unknown) => void,
  onThrown: (thrown: unknown) => void,
) => unknown = Promise.prototype.then;

/**
 * Calls code that is not ours, and settles once: when that code settles, when its time is up, or
 * when it is stopped, whichever comes first. What the code does later is dropped.
 *
 * @param current - The moment it starts.
 * @returns Never rejects. Call it once for a call.
 */
export function invoke(call: Call, current: number): Promise<Response> {
  return new Promise((resolve) => start(call, current, resolve));
}

/** As {@link invoke}. @param onEnd - Called with the response once the call has ended. Never throws. */
export function start(call: Call, current: number, onEnd: (response: Response) => void): void {
  call.resolve = onEnd;
  call.run.calls.add(call, current);
  try {
    settle.call(
      Promise.resolve(call.kind.start(call)),
      (returned) => {
        if (isDropped(call)) settledLate(call, undefined);
        else settled(call, call.kind.accept(call, returned), undefined);
      },
      (thrown) => threw(call, thrown),
    );
  } catch (thrown) {
    threw(call, thrown);
  }
}

/** What its code gives is not even checked: the call was stopped, and no other waits for it. */
function isDropped(call: Call): boolean {
  return call.state === "stopped" && !call.kind.isAwaited(call);
}

function threw(call: Call, thrown: unknown): void {
  if (isDropped(call)) {
    settledLate(call, undefined);
    return;
  }
  const failure = call.kind.readThrown(call, thrown);
  settled(call, call.kind.fail(call, failure), failure);
}

function settled(call: Call, response: Response, failure: MeshError | undefined): void {
  const { state } = call;
  if (state === "settled") return;
  if (state === "stopped") {
    settledLate(call, response);
    return;
  }
  call.state = "settled";
  end(call, response, failure);
}

/** @param response - `undefined`: no one waits for it. */
function settledLate(call: Call, response: Response | undefined): void {
  const { run } = call;
  call.state = "settled";
  call.kind.settledLate(call, response);
  run.settlement.settledLate();
  if (!run.settlement.isSettled) return;
  run.observer?.runSettled(run);
  run.settlement.release();
}

/** Ends a call now, for this reason. Its code learns of it through its signal. */
export function stopCall(call: Call, error: MeshError): void {
  if (call.state !== "pending") return;
  call.state = "stopped";
  call.stoppedBy = error;
  call.run.settlement.stopped();
  end(call, call.kind.fail(call, error), error);
  if (!call.kind.isAwaited(call)) call.controller?.abort(error);
}

/** Aborts the signal of a call that was stopped and continued for others, who have left. */
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

/** Whether a hop is among those above a call. */
export function isBelow(call: Call, hop: Call): boolean {
  for (let above = call.parent; above !== undefined; above = above.parent) {
    if (above === hop) return true;
  }
  return false;
}
