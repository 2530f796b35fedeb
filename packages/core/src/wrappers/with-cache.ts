import { remainingMs } from "../authoring/remaining-ms.js";
import { withDeadline } from "../authoring/with-deadline.js";
import type { Context } from "../contract/context.js";
import { requireText } from "../contract/option-checks.js";
import { type CacheOptions, resilienceDefaults } from "../contract/resilience.js";
import { requireCache, withDefaults } from "../registry/check-resilience.js";
import { cacheKey } from "../resilience/cache-key.js";
import { outcomeOfCall } from "../resilience/failure.js";
import {
  type CacheSettings,
  type Found,
  keepResponse,
  readKept,
} from "../resilience/kept-response.js";
import { attempt } from "./attempt.js";
import type { Wrapper } from "./wrapper.js";

/** Options for {@link withCache}. */
export interface WithCacheOptions extends CacheOptions {
  /** Names the librarian in keys. Librarians that share a store need different names. */
  readonly name: string;
}

/**
 * Keeps complete answers, as `cache` of a definition does: under name, exact query, metadata and user.
 * Errors, partial answers and delegates are never kept, nor answers to calls with secret metadata or of
 * a librarian registered with `effects: "write"`.
 *
 * @throws TypeError or RangeError for a wrong option, naming the key and the value.
 */
export function withCache({ name, ...options }: WithCacheOptions): Wrapper {
  requireText("name", name);
  if (name === undefined) throw new TypeError("name: expected text, got undefined.");
  requireCache("cache", options);
  const defaults = { ...resilienceDefaults.cache, store: options.store };
  const cache: CacheSettings = withDefaults(options, defaults) ?? defaults;
  return (librarian) =>
    async (query, context = {}) => {
      const key = keyOf(name, query, context, cache);
      if (key === undefined) return librarian(query, context);
      const found = await read(cache, key, context);
      if (found?.fresh !== undefined) return found.fresh;
      const called = await attempt(librarian, query, context);
      keepResponse(called.response, cache, key);
      const hasFailed = outcomeOfCall(called.response) === "failure";
      return hasFailed && found?.stale !== undefined ? found.stale : called.result();
    };
}

/** @returns `undefined`: the response is for this call alone. */
function keyOf(
  name: string,
  query: string,
  { librarian, metadata = {}, user }: Context,
  { isPublic }: CacheSettings,
): string | undefined {
  const hasSecrets = Object.getOwnPropertyNames(metadata).length > Object.keys(metadata).length;
  if (librarian?.effects === "write" || hasSecrets) return undefined;
  return cacheKey("wrapper", name, query, metadata, isPublic ? null : user);
}

/** Reads the cache. One that fails, or is late, has nothing. */
async function read(
  cache: CacheSettings,
  key: string,
  context: Context,
): Promise<Found | undefined> {
  try {
    const { signal } = context;
    const limits = { signal, timeoutMs: remainingMs(context) };
    return readKept(await withDeadline(limits, () => cache.store.get(key)), cache);
  } catch {
    return undefined;
  }
}
