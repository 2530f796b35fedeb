import type { Response } from "../../contract/response.js";
import type { SharedFrom } from "../../events/events.js";
import { isSameData } from "../../resilience/cache-key.js";
import { Flight } from "../../resilience/flight.js";
import { invoke } from "../run/calls.js";
import { shownQuery } from "../run/errors.js";
import { extrasOf } from "../run/hop.js";
import type { Hop } from "../run/model.js";
import { waitFor } from "../run/wait.js";
import type { Called } from "./call-again.js";
import { usersAbove } from "./guard.js";
import { refused } from "./refused.js";
import { announceWrite, hasWritten, markWrittenFor } from "./written.js";

/** Maximum number of earlier calls of one librarian that a new one is compared with. */
const maxCompared = 256;

/** Whether equal calls of a librarian in one run share one. */
export function isSharable({ registration }: Hop): boolean {
  const { effects, singleFlight } = registration?.definition ?? {};
  return effects !== "write" && singleFlight !== false;
}

/**
 * Finds an equal call in this run: the same librarian and the same input, ended or under way. Without one, later
 * calls find this hop.
 */
export function findEqual(hop: Hop): Hop | undefined {
  const { run, registration } = hop;
  const { shared } = run;
  if (shared === undefined || registration === undefined) return undefined;
  const last = shared.get(registration);
  let compared = 0;
  for (let each = last; each !== undefined && compared < maxCompared; each = each.extras?.earlier) {
    compared++;
    if (each === hop) return undefined; // this hop is the leader itself, and has no usable response
    if (each.query === hop.query && isUsable(each) && hasEqualInput(each, hop)) return each;
  }
  if (last !== undefined) extrasOf(hop).earlier = last;
  shared.set(registration, hop);
  return undefined;
}

function isUsable(hop: Hop): boolean {
  const { response, extras, state } = hop;
  if (response !== undefined) return response.error === undefined || hasWritten(hop);
  const flight = extras?.flight;
  return flight === undefined ? state === "pending" : flight.isOpen;
}

function hasEqualInput(one: Hop, other: Hop): boolean {
  if (one.ledger !== other.ledger) return false;
  if (!isSameData(usersAbove(one), usersAbove(other))) return false;
  if (one.metadata === other.metadata) return true;
  const observers = ({ dataScope, metadata }: Hop) => dataScope.observers(metadata);
  return isSameData([one.metadata, observers(one)], [other.metadata, observers(other)]);
}

/**
 * Takes the response of an equal call, or waits for it.
 *
 * @param leader - An equal call that does not wait for this hop.
 * @returns `undefined` when that call was stopped: then later calls do not find it.
 */
export async function shareCall(
  hop: Hop,
  leader: Hop,
  from: SharedFrom,
): Promise<Called | undefined> {
  if (leader.response !== undefined && isUsable(leader)) {
    return replay(hop, leader.response, from, leader);
  }
  const leading = extrasOf(leader);
  leading.flight ??= new Flight();
  const waiter = leading.flight.join(hop.endsBy);
  markWaiting(hop, leader);
  const waited = await waitFor(hop, waiter.outcome, waiter.leave);
  unmarkWaiting(hop);
  markWrittenFor(hop, leader);
  // Informs the process that called this one, before the answer.
  if (hasWritten(hop)) await announceWrite(hop)?.catch(() => undefined);
  if ("refusal" in waited) {
    return { hop, response: await refused(hop, waited.refusal), isRefused: true };
  }
  return waited.outcome === undefined ? undefined : replay(hop, waited.outcome, from, leader);
}

/** Gives a hop a response without a call of its librarian. */
export async function replay(
  hop: Hop,
  given: Response,
  from: SharedFrom,
  leader: Hop | undefined,
): Promise<Called> {
  const { error, metadata } = given;
  if (leader !== undefined && metadata !== undefined) hop.dataScope.share(leader.dataScope);
  const response =
    error?.query === undefined
      ? given
      : { ...given, error: { ...error, query: shownQuery(hop.run) } };
  extrasOf(hop).replay = { from, response, leader };
  return { hop, response: await invoke(hop, hop.startedAt), isRefused: false };
}

/** Whether a call can only end after another one, because it, or a call below it, waits for that. */
export function waitsFor(leader: Hop, hop: Hop): boolean {
  const seen = new Set<Hop>();
  const open = [leader];
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    if (seen.has(each)) continue;
    seen.add(each);
    if (isOnPath(each, hop)) return true;
    for (const { extras } of each.extras?.waitingBelow ?? []) {
      if (extras?.waitsFor !== undefined) open.push(extras.waitsFor);
    }
  }
  return false;
}

function isOnPath(each: Hop, hop: Hop): boolean {
  for (let above: Hop | undefined = hop; above !== undefined; above = above.parent) {
    if (above === each) return true;
  }
  return false;
}

function markWaiting(hop: Hop, leader: Hop): void {
  extrasOf(hop).waitsFor = leader;
  for (let above: Hop | undefined = hop; above !== undefined; above = above.parent) {
    const extras = extrasOf(above);
    extras.waitingBelow ??= new Set();
    extras.waitingBelow.add(hop);
  }
}

function unmarkWaiting(hop: Hop): void {
  extrasOf(hop).waitsFor = undefined;
  for (let above: Hop | undefined = hop; above !== undefined; above = above.parent) {
    above.extras?.waitingBelow?.delete(hop);
  }
}
