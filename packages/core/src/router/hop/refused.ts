import type { RunJournal } from "../../contract/journal.js";
import type { MeshError } from "../../contract/mesh-error.js";
import type { Response } from "../../contract/response.js";
import { errorOf } from "../run/errors.js";
import type { Hop } from "../run/model.js";

/** Refusals of one run that come back at once. */
const maxSyncRefusals = 1_000;

/** Of moments, not of the mesh: such a refusal does not come again by itself when the run is replayed. */
const passingReasons: ReadonlySet<unknown> = new Set(["deadline", "overloaded", "circuit-open"]);

function recordRefusal(
  hop: Hop,
  journal: RunJournal,
  { reason }: MeshError,
  response: Response,
): void {
  // What a response delegates is asked again in a replay; what a librarian asked itself is only known from here.
  if (hop.via === "ask" || passingReasons.has(reason)) journal.ended(hop, response, undefined);
}

/** Reports that the librarian of a hop is not called. @returns A response that says why. */
export function refused(hop: Hop, refusal: MeshError): Response | Promise<Response> {
  const { run } = hop;
  const error = errorOf(hop, refusal);
  if (!run.calls.isOver) run.observer?.hopRefused(hop, error);
  const isOneOfFew = ++run.limits.refusals <= maxSyncRefusals;
  if (run.journal !== undefined && isOneOfFew && !run.calls.isOver) {
    recordRefusal(hop, run.journal, refusal, { error });
  }
  if (isOneOfFew) return { error };
  // A librarian that asks again and again would keep every timer from firing, its deadline's too.
  return new Promise((resolve) => setImmediate(() => resolve({ error })));
}
