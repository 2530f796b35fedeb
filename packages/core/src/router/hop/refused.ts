import type { MeshError } from "../../contract/mesh-error.js";
import type { Response } from "../../contract/response.js";
import { errorOf } from "../run/hop-error.js";
import type { Hop } from "../run/model.js";

/** Refusals of one run that come back at once. */
const maxSyncRefusals = 1_000;

/** Reports that the librarian of a hop is not called. @returns A response that says why. */
export function refused(hop: Hop, refusal: MeshError): Response | Promise<Response> {
  const { run } = hop;
  const error = errorOf(hop, refusal);
  if (!run.settlement.isOver) run.observer?.hopRefused(hop, error);
  if (++run.limits.refusals <= maxSyncRefusals) return { error };
  // A librarian that asks again and again would keep every timer from firing, its deadline's too.
  return new Promise((resolve) => setImmediate(() => resolve({ error })));
}
