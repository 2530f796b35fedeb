import { refuseUnknownKeys, requireCount, requireDuration } from "../contract/option-checks.js";
import type {
  BreakerOptions,
  CacheOptions,
  HedgeOptions,
  RetryOptions,
} from "../contract/resilience.js";
import { describeValue, isRecord } from "../contract/unknown-value.js";

const retryKeys: ReadonlySet<string> = new Set<keyof RetryOptions>([
  "attempts",
  "minDelayMs",
  "maxDelayMs",
]);
const breakerKeys: ReadonlySet<string> = new Set<keyof BreakerOptions>([
  "failureShare",
  "minCalls",
  "windowMs",
  "openMs",
  "probes",
]);
const hedgeKeys: ReadonlySet<string> = new Set<keyof HedgeOptions>(["afterMs"]);
const cacheKeys: ReadonlySet<string> = new Set<keyof CacheOptions>([
  "store",
  "ttlMs",
  "staleIfErrorMs",
  "isPublic",
]);

/** @throws TypeError or RangeError that names the key and the value. */
export function requireRetry(at: string, retry: unknown): void {
  const options = optionsOf(at, retry, retryKeys);
  if (options === undefined) return;
  requireCount(`${at}.attempts`, options.attempts, 1);
  if (options.attempts === Number.POSITIVE_INFINITY) {
    throw new RangeError(`${at}.attempts: expected an integer of 1 or more, got Infinity.`);
  }
  requireTime(`${at}.minDelayMs`, options.minDelayMs);
  requireTime(`${at}.maxDelayMs`, options.maxDelayMs);
}

/** @throws TypeError or RangeError that names the key and the value. */
export function requireBreaker(at: string, breaker: unknown): void {
  const options = optionsOf(at, breaker, breakerKeys);
  if (options === undefined) return;
  const { failureShare: share } = options;
  if (share !== undefined && !(typeof share === "number" && share > 0 && share <= 1)) {
    throw new RangeError(
      `${at}.failureShare: expected more than 0 and at most 1, got ${describeValue(share)}.`,
    );
  }
  requireCount(`${at}.minCalls`, options.minCalls, 1);
  requireTime(`${at}.windowMs`, options.windowMs);
  requireTime(`${at}.openMs`, options.openMs);
  requireCount(`${at}.probes`, options.probes, 1);
}

/** @throws TypeError or RangeError that names the key and the value. */
export function requireHedge(at: string, hedge: unknown): void {
  const options = optionsOf(at, hedge, hedgeKeys);
  if (options !== undefined) requireTime(`${at}.afterMs`, options.afterMs);
}

/** @throws TypeError or RangeError that names the key and the value. */
export function requireCache(at: string, cache: unknown): void {
  if (cache === undefined) return;
  if (!isRecord(cache)) {
    throw new TypeError(`${at}: expected an object with store, got ${describeValue(cache)}.`);
  }
  refuseUnknownKeys(at, cache, cacheKeys);
  const { store, staleIfErrorMs, isPublic } = cache;
  if (!isRecord(store) || typeof store.get !== "function" || typeof store.set !== "function") {
    throw new TypeError(
      `${at}.store: expected an object with get and set, got ${describeValue(store)}.`,
    );
  }
  requireTime(`${at}.ttlMs`, cache.ttlMs);
  if (staleIfErrorMs !== 0) requireTime(`${at}.staleIfErrorMs`, staleIfErrorMs);
  requireFlag(`${at}.isPublic`, isPublic);
}

/** @throws TypeError unless `value` is absent, true or false. */
export function requireFlag(at: string, value: unknown): void {
  if (value !== undefined && typeof value !== "boolean") {
    throw new TypeError(`${at}: expected true or false, got ${describeValue(value)}.`);
  }
}

/** Options with their defaults; `undefined` where the feature is off. */
export function withDefaults<Defaults extends object>(
  value: object | boolean | undefined,
  defaults: Defaults,
): Defaults | undefined {
  if (value === undefined || value === false) return undefined;
  if (value === true) return defaults;
  const given = Object.entries(value).filter(([, each]) => each !== undefined);
  return { ...defaults, ...Object.fromEntries(given) };
}

function optionsOf(
  at: string,
  value: unknown,
  keys: ReadonlySet<string>,
): Readonly<Record<string, unknown>> | undefined {
  if (value === undefined || typeof value === "boolean") return undefined;
  if (!isRecord(value)) {
    throw new TypeError(`${at}: expected true, false or an object, got ${describeValue(value)}.`);
  }
  refuseUnknownKeys(at, value, keys);
  return value;
}

/** @throws TypeError or RangeError: a wait without an end is none. */
function requireTime(at: string, value: unknown): void {
  requireDuration(at, value);
  if (value === Number.POSITIVE_INFINITY) {
    throw new RangeError(`${at}: expected milliseconds, 1 to 2147483647, got Infinity.`);
  }
}
