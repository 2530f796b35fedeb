import type { CachedResponse } from "../../contract/resilience.js";
import type { Response } from "../../contract/response.js";
import { validateResponse } from "../../contract/validate-response.js";
import type { Policy } from "../../registry/policy.js";
import { cacheKey } from "../../resilience/cache-key.js";
import type { Hop } from "../run/model.js";
import { waitFor } from "../run/wait.js";
import type { Called } from "./call-once.js";

/**
 * The key under which the response of a hop may be used by other runs: librarian, query, metadata and
 * user, unless its answers are public. Not the path, the deadline or the trace.
 *
 * @returns `undefined`: no other run may use it.
 */
export function keyOf(hop: Hop, { singleFlight, cache }: Policy): string | undefined {
  if ((!singleFlight && cache === undefined) || hop.run.secrets !== undefined) return undefined;
  const { meshName } = hop.run.mesh.settings;
  const user = cache?.isPublic === true ? null : hop.user;
  return cacheKey(meshName, hop.to, hop.query, hop.metadata, user);
}

/** What a cache has for a call. */
export interface Found {
  readonly fresh: Response | undefined;
  /** An answer that stands in for an error: no longer fresh, and so partial. */
  readonly stale: Response | undefined;
}

/** Reads the cache. One that fails, or is late, has nothing. */
export async function answerFromCache(
  hop: Hop,
  { cache }: Policy,
  key: string,
): Promise<Found | undefined> {
  if (cache === undefined) return undefined;
  const found = await read(hop, () => cache.store.get(key));
  if (found === undefined) return undefined;
  const { freshUntil } = found;
  const checked = validateResponse(found.response, hop.run.mesh.settings.inputLimits);
  if (!checked.valid || checked.response.answer === undefined) return undefined;
  const copy = copyOf(checked.response);
  if (copy === undefined) return undefined;
  const current = Date.now();
  if (current < freshUntil) return { fresh: copy, stale: undefined };
  if (current >= freshUntil + cache.staleIfErrorMs) return undefined;
  return { fresh: undefined, stale: { ...copy, partial: true } };
}

/** Keeps an answer that is complete. */
export function keepInCache({ hop, response }: Called, { cache }: Policy, key: string): void {
  const { answer, partial, error, delegate } = response;
  const isComplete = answer !== undefined && partial !== true && error === undefined;
  if (
    cache === undefined ||
    !isComplete ||
    delegate !== undefined ||
    hop.extras?.replay !== undefined
  )
    return;
  const copy = copyOf(response);
  if (copy === undefined) return;
  const { store, ttlMs, staleIfErrorMs } = cache;
  try {
    const stored = store.set(
      key,
      { response: copy, freshUntil: Date.now() + ttlMs },
      ttlMs + staleIfErrorMs,
    );
    if (stored !== undefined) Promise.resolve(stored).catch(() => undefined);
  } catch {
    // the answer is there all the same
  }
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

/** A copy, so that no caller can change what others read; `undefined` for what is not plain data. */
function copyOf(response: Response): Response | undefined {
  try {
    return structuredClone(response);
  } catch {
    return undefined;
  }
}
