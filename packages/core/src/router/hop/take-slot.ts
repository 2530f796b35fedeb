import { MeshError } from "../../contract/mesh-error.js";
import type { Response } from "../../contract/response.js";
import type { Slot } from "../../resilience/slot-pool.js";
import { now } from "../run/deadline-timer.js";
import { noTimeLeft } from "../run/errors.js";
import { errorOf, whyClosed } from "../run/hop.js";
import { invoke } from "../run/invoke.js";
import { overloaded } from "../run/limit-errors.js";
import type { Call, CallKind, Hop } from "../run/model.js";

/** Whether calls of this hop's librarian are limited. */
export function needsSlot({ run, registration }: Hop): boolean {
  return registration?.limit !== undefined || run.mesh.slots.limit.max !== Number.POSITIVE_INFINITY;
}

/**
 * Gets a slot for a hop, in which its librarian is then called. The wait ends with the hop's time, and
 * when the hop is no longer wanted.
 *
 * @returns Why the hop may not start; `undefined` once it has its slot, released when it ends.
 */
export async function takeSlot(hop: Hop): Promise<MeshError | undefined> {
  const { run, registration, parent } = hop;
  const slot = run.mesh.slots.slotFor({
    user: run.user === undefined ? "" : `user ${run.user.id}`,
    run,
    isUnderWay: parent !== undefined,
    limit: registration?.limit,
  });
  const outcome = slot.take();
  if (outcome !== "granted") {
    const call = new SlotWait(hop, slot, outcome);
    const waitsFrom = now();
    await invoke(call, waitsFrom);
    hop.startedAt = now();
    hop.waitedMs = hop.startedAt - waitsFrom;
    // What was granted may not be wanted any more by the time it is known here.
    const isLate = hop.endsBy <= hop.startedAt;
    const refusal = call.refusal ?? whyClosed(hop) ?? (isLate ? noTimeLeft(hop.to) : undefined);
    if (refusal !== undefined) {
      slot.close();
      return refusal;
    }
  }
  hop.slot = slot;
  return undefined;
}

/** The wait of a hop for its slot: stopped as its call would be. */
class SlotWait implements Call {
  readonly kind = slotWait;
  readonly run: Hop["run"];
  readonly parent: Hop | undefined;
  readonly hop: Hop;
  readonly slot: Slot;
  readonly outcome: unknown;
  endsAt: number;
  state: Call["state"] = "pending";
  stoppedBy: Call["stoppedBy"] = undefined;
  controller: Call["controller"] = undefined;
  resolve: Call["resolve"] = undefined;
  previous: Call["previous"] = undefined;
  next: Call["next"] = undefined;
  refusal: MeshError | undefined = undefined;

  constructor(hop: Hop, slot: Slot, outcome: unknown) {
    this.run = hop.run;
    this.parent = hop.parent;
    this.hop = hop;
    this.slot = slot;
    this.outcome = outcome;
    this.endsAt = hop.endsBy;
  }
}

const granted: Response = Object.freeze({ answer: "granted" });

const slotWait: CallKind = {
  start: ({ outcome }: SlotWait) => outcome,
  accept(call: SlotWait, outcome: unknown) {
    if (outcome === "granted") return granted;
    const { hop, run } = call;
    return refuse(call, overloaded(hop.to, run.mesh.slots.retryAfterMs));
  },
  readThrown: ({ hop }: SlotWait, thrown: unknown) => MeshError.from(thrown, hop.to),
  fail: refuse as CallKind["fail"], // every call of this kind is a SlotWait
  ended({ slot }: SlotWait, _response: Response, failure: MeshError | undefined) {
    if (failure !== undefined) slot.close();
  },
  settledLate() {},
};

function refuse(call: SlotWait, error: MeshError): Response {
  call.refusal ??= error;
  return { error: errorOf(call.hop, error) };
}
