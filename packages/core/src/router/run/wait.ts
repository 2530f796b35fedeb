import { MeshError } from "../../contract/mesh-error.js";
import type { Response } from "../../contract/response.js";
import { now } from "./deadline-timer.js";
import { errorOf } from "./hop-error.js";
import { extrasOf } from "./hop-extras.js";
import { whyClosed } from "./hop-path.js";
import { invoke } from "./invoke.js";
import type { Call, CallKind, Hop } from "./model.js";

/**
 * Waits for something before the librarian of a hop is called. The wait ends with the hop's time, and
 * when the hop is not needed any more.
 *
 * @param outcome - Settles after `leave` was called.
 * @param leave - The hop does not wait any more.
 * @returns What came, or why the hop may not start. Never rejects.
 */
export async function waitFor<Outcome>(
  hop: Hop,
  outcome: Promise<Outcome>,
  leave: () => void,
): Promise<{ readonly outcome: Outcome } | { readonly refusal: MeshError }> {
  const closed = hop.extras?.closed ?? whyClosed(hop);
  if (closed !== undefined) {
    leave(); // nothing would stop a wait that begins after its run has ended
    return { refusal: closed };
  }
  const call = new Wait(hop, outcome, leave);
  const extras = extrasOf(hop);
  extras.wait = call;
  await invoke(call, now());
  extras.wait = undefined;
  if (call.refusal !== undefined) return { refusal: call.refusal };
  return { outcome: call.returned as Outcome }; // what the promise above gave
}

/** Stopped as the call of the hop would be. */
class Wait implements Call {
  readonly kind = waiting;
  readonly run: Hop["run"];
  readonly parent: Hop | undefined;
  readonly hop: Hop;
  readonly outcome: unknown;
  readonly leave: () => void;
  readonly endsAt: number;
  state: Call["state"] = "pending";
  stoppedBy: Call["stoppedBy"] = undefined;
  controller: Call["controller"] = undefined;
  resolve: Call["resolve"] = undefined;
  previous: Call["previous"] = undefined;
  next: Call["next"] = undefined;
  returned: unknown = undefined;
  refusal: MeshError | undefined = undefined;

  constructor(hop: Hop, outcome: unknown, leave: () => void) {
    this.run = hop.run;
    this.parent = hop.parent;
    this.hop = hop;
    this.outcome = outcome;
    this.leave = leave;
    this.endsAt = hop.endsBy;
  }
}

const over: Response = Object.freeze({ answer: "The wait is over." });

const waiting: CallKind = {
  start: ({ outcome }: Wait) => outcome,
  accept(call: Wait, outcome: unknown) {
    call.returned = outcome;
    return over;
  },
  readThrown: ({ hop }: Wait, thrown: unknown) => MeshError.from(thrown, hop.to),
  fail: ((call: Wait, error: MeshError) => {
    call.refusal ??= error;
    return { error: errorOf(call.hop, error) };
  }) as CallKind["fail"], // every call of this kind is a Wait
  ended({ leave }: Wait, _response: Response, failure: MeshError | undefined) {
    if (failure !== undefined) leave();
  },
  isAwaited: () => false,
  settledLate() {},
};
