import type { CachedResponse } from "../../contract/resilience.js";
import { carriesClaims } from "../../contract/take-data.js";
import type { Policy } from "../../registry/registration.js";
import { cacheKey, identify } from "../../resilience/cache-key.js";
import { type Found, keepResponse, readKept } from "../../resilience/kept-response.js";
import type { Hop } from "../run/model.js";
import { waitFor } from "../run/wait.js";
import type { Called } from "./call-again.js";
import { usersAbove } from "./guard.js";
import { hasWritten } from "./written.js";

/**
 * The key under which the response of a hop may be used by other runs: librarian, query, metadata with
 * who observed it, and users, those of the hops above included, unless its answers are public. Not the path, the deadline or the trace.
 *
 * @returns `undefined`: no other run may use it.
 */
export function createKey(hop: Hop, { singleFlight, cache }: Policy): string | undefined {
  if ((!singleFlight && cache === undefined) || hop.run.secrets !== undefined) return undefined;
  const { meshName } = hop.run.mesh.settings;
  const users = cache?.isPublic === true ? null : usersAbove(hop);
  const observers = hop.dataScope.observers(hop.metadata);
  const { id, turns = [] } = hop.run.thread ?? {}; // any librarian may read what was said before
  const thread = turns.length === 0 ? [] : [{ thread: [id, turns.at(-1)?.runId] }];
  const own = [meshName, hop.to, hop.query, hop.metadata, users];
  return cacheKey(...own, ...(observers ?? []), ...thread);
}

/**
 * The key under which calls under way may be shared by other runs: what they may use is the same too, which is
 * the model and what is left of a budget.
 *
 * @param key - Of its response.
 */
export function createFlightKey({ run, ledger }: Hop, key: string): string {
  const { ai } = run;
  const left = [ledger.tokensLeft, ledger.costLeft];
  return [key, ai === undefined ? "none" : identify(ai), ...left].join(" ");
}

/** Reads the cache. One that fails, or is late, has nothing. */
export async function answerFromCache(
  hop: Hop,
  { cache }: Policy,
  key: string,
): Promise<Found | undefined> {
  if (cache === undefined) return undefined;
  const found = await read(hop, () => cache.store.get(key));
  return readKept(found, cache, hop.run.mesh.settings.inputLimits);
}

/** Keeps the answer of a librarian that was called. */
export function keepInCache({ hop, response }: Called, { cache }: Policy, key: string): void {
  if (cache === undefined || hop.extras?.replay !== undefined) return;
  if (hasWritten(hop) || carriesClaims(response.metadata)) return;
  keepResponse(response, cache, key);
}

async function read(
  hop: Hop,
  get: () => CachedResponse | undefined | Promise<CachedResponse | undefined>,
): Promise<CachedResponse | undefined> {
  try {
    const found = get();
    if (!(found instanceof Promise)) return found;
    let leave = (): void => undefined;
    const left = new Promise<undefined>((resolve) => {
      leave = () => resolve(undefined);
    });
    const either = Promise.race([found.catch(() => undefined), left]);
    const waited = await waitFor(hop, either, leave);
    return "outcome" in waited ? waited.outcome : undefined;
  } catch {
    return undefined;
  }
}
