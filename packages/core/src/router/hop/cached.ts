import type { InputLimits } from "../../contract/input-limits.js";
import type { CachedResponse } from "../../contract/resilience.js";
import type { Response } from "../../contract/response.js";
import { carriesClaims } from "../../contract/take-data.js";
import { validateResponse } from "../../contract/validate-response.js";
import type { CacheSettings, Policy } from "../../registry/registration.js";
import { cacheKey, identify } from "../../resilience/cache-key.js";
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

/** What a cache holds for a call. */
export interface CachedAnswer {
  readonly fresh: Response | undefined;
  /** A stale answer that may replace an error, marked partial. */
  readonly stale: Response | undefined;
}

/** Reads the cache. A cache that fails or is late counts as empty. */
export async function answerFromCache(
  hop: Hop,
  { cache }: Policy,
  key: string,
): Promise<CachedAnswer | undefined> {
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
    const waited = await waitFor(
      hop,
      found.catch(() => undefined),
      () => undefined,
    );
    return "outcome" in waited ? waited.outcome : undefined;
  } catch {
    return undefined;
  }
}

/** Reads what a cache gave: it may be anything. @returns `undefined` for what cannot be used. */
function readKept(
  found: CachedResponse | undefined,
  { staleIfErrorMs }: CacheSettings,
  limits: InputLimits,
): CachedAnswer | undefined {
  if (found === undefined) return undefined;
  const { freshUntil } = found;
  const checked = validateResponse(found.response, limits);
  if (!checked.valid || checked.response.answer === undefined) return undefined;
  const copy = copyOf(checked.response);
  if (copy === undefined) return undefined;
  const current = Date.now();
  if (current < freshUntil) return { fresh: copy, stale: undefined };
  if (current >= freshUntil + staleIfErrorMs) return undefined;
  return { fresh: undefined, stale: { ...copy, partial: true } };
}

/** Keeps an answer that is complete. Never throws. */
function keepResponse(
  response: Response,
  { store, ttlMs, staleIfErrorMs }: CacheSettings,
  key: string,
): void {
  const { answer, partial, error, delegate } = response;
  const isComplete = answer !== undefined && partial !== true && error === undefined;
  const copy = isComplete && delegate === undefined ? copyOf(response) : undefined;
  if (copy === undefined) return;
  try {
    const kept = { response: copy, freshUntil: Date.now() + ttlMs };
    const stored = store.set(key, kept, ttlMs + staleIfErrorMs);
    if (stored !== undefined) Promise.resolve(stored).catch(() => undefined);
  } catch {
    // the answer is there all the same
  }
}

/** A copy, so that no caller can change what others read; `undefined` for what is not plain data. */
function copyOf(response: Response): Response | undefined {
  try {
    return structuredClone(response);
  } catch {
    return undefined;
  }
}
