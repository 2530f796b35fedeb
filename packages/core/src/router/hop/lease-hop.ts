import type { MeshError } from "../../contract/mesh-error.js";
import { now } from "../run/deadline-timer.js";
import { hopsUsed, noTimeLeft } from "../run/errors.js";
import type { Hop } from "../run/model.js";
import { waitFor } from "../run/wait.js";

/**
 * Gets one more hop where the run has none left: from the process that called it, while that has some.
 *
 * @returns Why the hop may not start; `undefined` when there is one for it.
 */
export async function leaseHop(hop: Hop): Promise<MeshError | undefined> {
  const { limits, mesh } = hop.run;
  while (limits.hopsLeft < 1) {
    const { lease } = limits;
    if (lease === undefined) return hopsUsed(hop.to, mesh.settings.maxHops);
    const leased = lease.lease(1).then((hops) => {
      limits.hopsLeft += hops;
      return hops;
    });
    const waited = await waitFor(hop, leased, () => {});
    if ("refusal" in waited) return waited.refusal;
    if (waited.outcome < 1) return hopsUsed(hop.to, lease.maxHops);
    hop.startedAt = now();
    if (hop.endsBy <= hop.startedAt) return noTimeLeft(hop.to);
  }
  return undefined;
}
