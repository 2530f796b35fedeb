import type { MeshError } from "../../contract/mesh-error.js";
import { now } from "../run/deadline-timer.js";
import { noTimeLeft, overloaded } from "../run/errors.js";
import { extrasOf } from "../run/hop.js";
import type { Hop } from "../run/model.js";
import { waitFor } from "../run/wait.js";

/** Whether calls of this hop's librarian are limited. */
export function needsSlot({ run, registration }: Hop): boolean {
  return registration?.limit !== undefined || run.mesh.slots.limit.max !== Number.POSITIVE_INFINITY;
}

/**
 * Gets a slot for the call of the librarian of a hop.
 *
 * @returns Why the hop may not start; `undefined` once it has its slot, released when it ends.
 */
export async function takeSlot(hop: Hop): Promise<MeshError | undefined> {
  const { run, registration, parent } = hop;
  const { slots } = run.mesh;
  const slot = slots.slotFor({
    user: run.user === undefined ? "" : `user ${run.user.id}`,
    run,
    isUnderWay: parent !== undefined,
    limit: registration?.limit,
  });
  const taken = slot.take();
  if (taken !== "granted") {
    const waitsFrom = now();
    const waited = await waitFor(hop, Promise.resolve(taken), () => slot.close());
    hop.startedAt = now();
    extrasOf(hop).waitedMs += hop.startedAt - waitsFrom;
    const refusal = "refusal" in waited ? waited.refusal : refusalAfter(hop, waited.outcome);
    if (refusal !== undefined) {
      slot.close();
      return refusal;
    }
  }
  extrasOf(hop).slot = slot;
  return undefined;
}

function refusalAfter(hop: Hop, outcome: string): MeshError | undefined {
  if (outcome !== "granted") return overloaded(hop.to, hop.run.mesh.slots.retryAfterMs);
  return hop.endsBy <= hop.startedAt ? noTimeLeft(hop.to) : undefined;
}
