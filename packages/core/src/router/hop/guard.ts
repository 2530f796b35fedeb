import type { MeshError } from "../../contract/mesh-error.js";
import type { RemoteCaller } from "../../contract/remote-call.js";
import { isAllowed, type User } from "../../contract/user.js";
import type { Registration } from "../../registry/registration.js";
import { isSameData } from "../../resilience/cache-key.js";
import {
  blankQuery,
  hopsUsed,
  loopDetected,
  noTimeLeft,
  notAllowed,
  notText,
  queryTooLong,
  tooDeep,
  unknownLibrarian,
  userNotAllowed,
  wrongMetadata,
} from "../run/errors.js";
import { chainOf, extrasOf, whyClosed } from "../run/hop.js";
import type { Hop } from "../run/model.js";
import { callerDepth } from "./remote-call.js";

/**
 * Checks whether a hop may start. Changes nothing: the hop is counted afterwards.
 *
 * @returns Why it may not; `undefined`: it may.
 */
export function refuseHop(hop: Hop): MeshError | undefined {
  const { run, registration, parent, to } = hop;
  const closed = parent === undefined ? run.calls.closed : whyClosed(hop);
  if (closed !== undefined) return closed;
  if (registration === undefined) {
    return (
      run.mesh.settings.transport?.unreachable?.() ?? unknownLibrarian(to, hop.via === "entry")
    );
  }
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
  const { maxHops, inputLimits } = run.mesh.settings;
  const { maxDepth } = run.limits;
  if (hop.depth >= maxDepth) return tooDeep([...chainOf(hop), to], maxDepth);
  // A fallback needs no `delegatesTo`: the librarian it replaces declares it.
  if (hop.via !== "fallback" && parent?.registration?.delegatesTo?.has(to) === false) {
    return notAllowed(parent.to, to);
  }
  if (parent !== undefined && hop.query !== parent.query) {
    const refusal = refuseQuery(hop.query, inputLimits.maxQueryLength);
    if (refusal !== undefined) return refusal;
  }
  const { metadataProblem } = hop.scope;
  if (metadataProblem !== undefined) return wrongMetadata(metadataProblem);
  if (run.limits.hopsLeft < 1 && run.limits.lease === undefined) {
    return hopsUsed(to, Math.min(maxHops, run.caller?.hopsLeft ?? maxHops));
  }
  return hop.endsBy <= hop.startedAt ? noTimeLeft(to) : undefined;
}

/** Why a query is invalid: it is blank, too long, or not text. `undefined`: it is valid. */
export function refuseQuery(query: unknown, maxQueryLength: number): MeshError | undefined {
  if (typeof query !== "string") return notText(query);
  if (query.length > maxQueryLength) return queryTooLong(query.length, maxQueryLength);
  return query.trim() === "" ? blankQuery() : undefined;
}

/** Refuses a call from another mesh that is a loop or too deep, counting the librarians there. */
function refuseByPath(hop: Hop, caller: RemoteCaller): MeshError | undefined {
  const { run, to, depth } = hop;
  const { meshName, loops } = run.mesh.settings;
  const { maxDepth } = run.limits;
  const isRepeated = caller.path.some(({ mesh, id }) => mesh === meshName && id === to);
  const isTooDeep = callerDepth(caller) + depth >= maxDepth;
  if (!(isRepeated && loops === "path") && !isTooDeep) return undefined;
  const local = [...chainOf(hop), to].map((id) => `${meshName}/${id}`);
  const path = [...caller.path.map(({ mesh, id }) => `${mesh}/${id}`), ...local];
  return isRepeated && loops === "path" ? loopDetected(path, to) : tooDeep(path, maxDepth, to);
}

/** Whether a hop repeats one above it that called the same librarian. */
function isLoop(hop: Hop, above: Hop): boolean {
  if (hop.run.mesh.settings.loops === "path") return true;
  return (
    normalisedQuery(hop) === normalisedQuery(above) && isSameData(hop.metadata, above.metadata)
  );
}

function normalisedQuery(hop: Hop): string {
  const extras = extrasOf(hop);
  extras.normalisedQuery ??= hop.query.normalize("NFC").trim().replace(/\s+/gu, " ").toLowerCase();
  return extras.normalisedQuery;
}

/** The part of a hop that decides on rights: its user, and that of each hop above it. */
interface Asking {
  readonly user: User | undefined;
  readonly parent: Asking | undefined;
}

/** The users of a hop and of those above it, without repeats: the users that rights are checked for. */
export function usersAbove(hop: Asking): readonly (User | undefined)[] {
  const users = [hop.user];
  for (let above = hop.parent; above !== undefined; above = above.parent) {
    if (above.user !== users.at(-1)) users.push(above.user);
  }
  return users;
}

/**
 * Whether a hop may ask a librarian on behalf of its user. The user of each hop above must be allowed
 * too: a rule may refuse someone because of a role, and taking that role away must not help.
 */
export function mayAsk(hop: Asking, { definition: { allow } }: Registration): boolean {
  if (allow === undefined) return true;
  let last: Asking = hop;
  if (!isAllowed(allow, hop.user)) return false;
  for (let above = hop.parent; above !== undefined; above = above.parent) {
    if (above.user !== last.user && !isAllowed(allow, above.user)) return false;
    last = above;
  }
  return true;
}
