import { isReplacement, outcomeOfCall } from "../../resilience/failure.js";
import { Flight } from "../../resilience/flight.js";
import { extrasOf, fallbackHop } from "../run/hop.js";
import type { Hop } from "../run/model.js";
import { answerFromCache, createFlightKey, createKey, keepInCache } from "./cached.js";
import { type Called, callWithRetries } from "./call-again.js";
import { refuseHop } from "./guard.js";
import { leaseHop } from "./lease-hop.js";
import { refused } from "./refused.js";
import { findEqual, isSharable, replay, shareCall, waitsFor } from "./share.js";
import { hasWritten, notRepeated, writtenElsewhere } from "./written.js";

/** Whether this is the first such call of the run: later equal calls then find this hop. */
export function isFirst(hop: Hop): boolean {
  return !isSharable(hop) || findEqual(hop) === undefined;
}

/**
 * Gets the response of a hop: that of an equal call, from the cache, from its librarian, called again
 * where that is allowed, or from a fallback. Never rejects.
 */
export async function callGuarded(hop: Hop): Promise<Called> {
  const { policy } = hop.registration ?? {};
  const flights = hop.run.mesh.flights;
  const key = policy === undefined ? undefined : createKey(hop, policy);
  const flightKey =
    policy?.singleFlight === true && key !== undefined ? createFlightKey(hop, key) : undefined;
  for (;;) {
    const equal = isSharable(hop) ? findEqual(hop) : undefined;
    const leader = equal ?? (flightKey === undefined ? undefined : flights.get(flightKey));
    if (leader === undefined || (equal === undefined && leader.extras?.flight?.isOpen !== true))
      break;
    if (waitsFor(leader, hop)) break; // both would wait for ever
    const shared = await shareCall(hop, leader, equal === undefined ? "flight" : "run");
    if (shared !== undefined) return shared;
    if (hasWritten(hop)) {
      const error = writtenElsewhere(hop);
      const response = notRepeated(hop, await refused(hop, error));
      return { hop, response, isRefused: true };
    }
  }

  if (policy === undefined) return finish(hop, await callWithRetries(hop));
  extrasOf(hop).flight = new Flight();
  const leads = flightKey !== undefined && flights.get(flightKey)?.extras?.flight?.isOpen !== true;
  if (leads) flights.set(flightKey, hop);
  const cached = key === undefined ? undefined : await answerFromCache(hop, policy, key);
  const called =
    cached?.fresh !== undefined
      ? await replay(hop, cached.fresh, "cache", undefined)
      : await callWithRetries(hop);
  if (leads && flights.get(flightKey) === hop) flights.delete(flightKey);
  if (isFailed(called) && hasWritten(called.hop)) {
    // A retry, a hedge or a fallback would repeat the change, and a cached answer would hide it.
    return finish(hop, { ...called, response: notRepeated(called.hop, called.response) });
  }
  finish(hop, called);
  if (cached?.fresh !== undefined || !isFailed(called)) {
    if (key !== undefined && cached?.fresh === undefined) keepInCache(called, policy, key);
    return called;
  }
  const replaced = await askFallbacks(called, policy.fallback);
  if (replaced !== undefined) return replaced;
  return cached?.stale === undefined
    ? called
    : replay(fallbackHop(called.hop, hop.to), cached.stale, "stale", undefined);
}

/** Passes the response to equal calls that wait for it, and keeps it for later ones of the run. */
function finish(first: Hop, called: Called): Called {
  const { hop, response, isRefused } = called;
  const continues = hop.state === "stopped" && hop.extras?.flight?.isAwaited === true;
  if (continues) return called;
  if (!isRefused && hop.state === "settled") {
    first.response = response;
    first.extras?.flight?.settle(response);
  } else {
    if (first.response === undefined) first.response = response;
    first.extras?.flight?.settle(undefined);
  }
  return called;
}

function isFailed({ response }: Called): boolean {
  return outcomeOfCall(response) === "failure";
}

/** Asks the fallbacks of a librarian, in order, until one does not fail. */
async function askFallbacks(
  { hop }: Called,
  fallback: readonly string[],
): Promise<Called | undefined> {
  for (const id of fallback) {
    const next = fallbackHop(hop, id);
    const refusal = refuseHop(next) ?? (await leaseHop(next));
    if (refusal !== undefined) {
      await refused(next, refusal);
      continue;
    }
    next.run.limits.hopsLeft--;
    const called = await callGuarded(next);
    if (isReplacement(called.response)) return called;
    if (hasWritten(called.hop)) {
      return { ...called, response: notRepeated(called.hop, called.response) };
    }
  }
  return undefined;
}
