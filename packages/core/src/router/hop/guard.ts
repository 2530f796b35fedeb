import { isEqualData } from "../../contract/equal-data.js";
import type { MeshError } from "../../contract/mesh-error.js";
import type { RemoteCaller } from "../../contract/remote-call.js";
import {
  hopsUsed,
  loopDetected,
  noTimeLeft,
  notAllowed,
  queryProblem,
  tooDeep,
  unknownLibrarian,
  userNotAllowed,
} from "../run/errors.js";
import { extrasOf } from "../run/hop-extras.js";
import { chainOf, whyClosed } from "../run/hop-path.js";
import { metadataRefusal } from "../run/limit-errors.js";
import type { Hop } from "../run/model.js";
import { mayAsk } from "../run/rights.js";
import { callerDepth } from "./remote-call.js";

/**
 * May this hop start? Reads only; the reservation that follows is the run's.
 *
 * @returns Why not, or `undefined`.
 */
export function refuseHop(hop: Hop): MeshError | undefined {
  const { run, registration, parent, to } = hop;
  const closed = whyClosed(hop);
  if (closed !== undefined) return closed;
  if (registration === undefined) return unknownLibrarian(to, hop.via === "entry");
  if (registration.definition.allow !== undefined && !mayAsk(hop, registration)) {
    return userNotAllowed(to);
  }
  if (run.caller !== undefined) {
    const refusal = refuseByPath(hop, run.caller);
    if (refusal !== undefined) return refusal;
  }
  for (let above = parent; above !== undefined; above = above.parent) {
    if (above.to === to && isLoop(hop, above)) return loopDetected([...chainOf(hop), to]);
  }
  const { maxDepth, maxHops, inputLimits } = run.mesh.settings;
  if (hop.depth >= maxDepth) return tooDeep([...chainOf(hop), to], maxDepth);
  // A fallback is declared by the librarian it stands in for.
  if (hop.via !== "fallback" && parent?.registration?.delegatesTo?.has(to) === false) {
    return notAllowed(parent.to, to);
  }
  if (parent !== undefined && hop.query !== parent.query) {
    const problem = queryProblem(hop.query, inputLimits.maxQueryLength);
    if (problem !== undefined) return problem;
  }
  if (parent !== undefined && hop.metadata !== undefined && hop.metadata !== parent.metadata) {
    const problem = metadataRefusal(hop.metadata, inputLimits);
    if (problem !== undefined) return problem;
  }
  if (run.limits.hopsLeft < 1) {
    return hopsUsed(to, Math.min(maxHops, run.caller?.hopsLeft ?? maxHops));
  }
  return hop.endsBy <= hop.startedAt ? noTimeLeft(to) : undefined;
}

/** Whether a call that came from another mesh has been here before, or has come too far. */
function refuseByPath(hop: Hop, caller: RemoteCaller): MeshError | undefined {
  const { run, to, depth } = hop;
  const { meshName, loops, maxDepth } = run.mesh.settings;
  const isBack = caller.path.some(({ mesh, id }) => mesh === meshName && id === to);
  const isTooDeep = callerDepth(caller) + depth >= maxDepth;
  if (!(isBack && loops === "path") && !isTooDeep) return undefined;
  const local = [...chainOf(hop), to].map((id) => `${meshName}/${id}`);
  const path = [...caller.path.map(({ mesh, id }) => `${mesh}/${id}`), ...local];
  return isBack && loops === "path" ? loopDetected(path, to) : tooDeep(path, maxDepth, to);
}

/** Whether a hop repeats one above it that called the same librarian. */
function isLoop(hop: Hop, above: Hop): boolean {
  if (hop.run.mesh.settings.loops === "path") return true;
  return (
    normalisedQuery(hop) === normalisedQuery(above) && isEqualData(hop.metadata, above.metadata)
  );
}

function normalisedQuery(hop: Hop): string {
  const extras = extrasOf(hop);
  extras.normalisedQuery ??= hop.query.normalize("NFC").trim().replace(/\s+/gu, " ").toLowerCase();
  return extras.normalisedQuery;
}
