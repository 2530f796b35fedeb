import type { CachedResponse, ResponseCache } from "@constellation/core";
import { checkOptions, type OptionTable, readDefaults } from "@constellation/core/checks";
import { LRUCache } from "lru-cache";

/** Options of {@link createLruCache}. */
export interface LruCacheOptions {
  /**
   * Maximum number of answers. Integer, 1 or more.
   *
   * @default 1_000
   */
  readonly maxEntries?: number | undefined;
  /**
   * Maximum size of all answers together, in characters of their JSON. Integer, 1 or more.
   *
   * @default 10_000_000
   */
  readonly maxCharacters?: number | undefined;
}

const table = {
  maxEntries: { kind: "count", isFinite: true, default: 1_000 },
  maxCharacters: { kind: "count", isFinite: true, default: 10_000_000 },
} as const satisfies OptionTable<LruCacheOptions>;

const defaults = readDefaults(table);

/**
 * Creates a cache in memory for `cache` of a librarian: the answers that were used last stay. Several
 * librarians may share one. Needs the package `lru-cache`.
 *
 * @throws TypeError or RangeError for a wrong option, naming it and its value.
 *
 * @example
 * ```ts
 * const cache = { store: createLruCache({ maxEntries: 500 }), ttlMs: 60_000 };
 * router.register({ id: "docs", description: "reads", librarian, cache });
 * ```
 */
export function createLruCache(options: LruCacheOptions = {}): ResponseCache {
  const given = checkOptions<LruCacheOptions>("options", options, table);
  const { maxEntries = defaults.maxEntries, maxCharacters = defaults.maxCharacters } = given;
  const cache = new LRUCache<string, CachedResponse>({
    max: maxEntries,
    maxSize: maxCharacters,
    sizeCalculation: ({ response }, key) => JSON.stringify(response).length + key.length,
    perf: Date, // the clock of `freshUntil`
  });
  return {
    get: (key) => cache.get(key),
    set(key, cached, ttlMs) {
      cache.set(key, cached, { ttl: ttlMs });
    },
  };
}
