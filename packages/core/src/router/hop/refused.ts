import type { RunJournal } from "../../contract/journal.js";
import type { MeshError } from "../../contract/mesh-error.js";
import type { Response } from "../../contract/response.js";
import { errorOf } from "../run/errors.js";
import type { Hop } from "../run/model.js";

/** Maximum number of refusals of one run that are returned without a pause. */
const maxSyncRefusals = 1_000;

/** Reasons that depend on the moment: a replay does not refuse the same call by itself. */
const passingReasons: ReadonlySet<unknown> = new Set(["deadline", "overloaded", "circuit-open"]);

function recordRefusal(
  hop: Hop,
  journal: RunJournal,
  { reason }: MeshError,
  response: Response,
): void {
  // A replay follows the delegates of a response again; calls through `context.ask` are only known from this record.
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
