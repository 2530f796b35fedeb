import { LRUCache } from "lru-cache";
import { refuseUnknownKeys, requireCount } from "../contract/option-checks.js";
import type { CachedResponse, ResponseCache } from "../contract/resilience.js";
import { describeValue, isRecord } from "../contract/unknown-value.js";

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

const keys: ReadonlySet<string> = new Set<keyof LruCacheOptions>(["maxEntries", "maxCharacters"]);

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
  if (!isRecord(options)) {
    throw new TypeError(`options: expected an object, got ${describeValue(options)}.`);
  }
  refuseUnknownKeys("options", options, keys);
  const given: LruCacheOptions = options;
  const { maxEntries = 1_000, maxCharacters = 10_000_000 } = given;
  for (const [key, value] of Object.entries({ maxEntries, maxCharacters })) {
    requireCount(key, value, 1);
    if (value === Number.POSITIVE_INFINITY) {
      throw new RangeError(`${key}: expected an integer of 1 or more, got Infinity.`);
    }
  }
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
