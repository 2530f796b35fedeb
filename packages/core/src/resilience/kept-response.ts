import type { InputLimits } from "../contract/input-limits.js";
import type { CachedResponse, CacheOptions } from "../contract/resilience.js";
import type { Response } from "../contract/response.js";
import { validateResponse } from "../contract/validate-response.js";

/** Options of a cache, with their defaults. */
export type CacheSettings = {
  readonly [Key in keyof Required<CacheOptions>]: NonNullable<CacheOptions[Key]>;
};

/** What a cache has for a call. */
export interface Found {
  readonly fresh: Response | undefined;
  /** An answer that may replace an error: no longer fresh, and so partial. */
  readonly stale: Response | undefined;
}

/** Reads what a cache gave: it may be anything. @returns `undefined` for what cannot be used. */
export function readKept(
  found: CachedResponse | undefined,
  { staleIfErrorMs }: CacheSettings,
  limits?: InputLimits,
): Found | undefined {
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
export function keepResponse(
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
