import { type OptionTable, readDefaults } from "./option-table.js";
import type { Response } from "./response.js";

// Options against failures, of a librarian or of all librarians of a router. `true`: the defaults.

/** Calls a librarian again after an error that may be temporary. Only where `effects` is `read`. */
export interface RetryOptions {
  /**
   * Maximum number of calls, the first included. Integer, 1 or more.
   *
   * @default 3
   */
  readonly attempts?: number | undefined;
  /**
   * Upper bound of the first wait, in milliseconds; it doubles with each retry. The wait is random
   * between 0 and the bound, and at least `error.details.retryAfterMs`. 1 to 2147483647.
   *
   * @default 100
   */
  readonly minDelayMs?: number | undefined;
  /**
   * Highest upper bound of a wait, in milliseconds. 1 to 2147483647.
   *
   * @default 5_000
   */
  readonly maxDelayMs?: number | undefined;
}

/** Stops calling a librarian that keeps failing, and tries it again after a while. */
export interface BreakerOptions {
  /**
   * Share of failed calls at which it opens. More than 0, at most 1.
   *
   * @default 0.5
   */
  readonly failureShare?: number | undefined;
  /**
   * Minimum number of calls in the window before it can open. Integer, 1 or more, or `Infinity`.
   *
   * @default 20
   */
  readonly minCalls?: number | undefined;
  /**
   * Length of the window in which calls are counted, in milliseconds. 1 to 2147483647.
   *
   * @default 60_000
   */
  readonly windowMs?: number | undefined;
  /**
   * How long it stays open, in milliseconds; then probes decide. 1 to 2147483647.
   *
   * @default 60_000
   */
  readonly openMs?: number | undefined;
  /**
   * Number of calls that must succeed while it is half-open, and that may be under way at once.
   * Integer, 1 or more, or `Infinity`.
   *
   * @default 1
   */
  readonly probes?: number | undefined;
}

/** Calls a slow librarian a second time, and takes the first answer. Only where `effects` is `read`. */
export interface HedgeOptions {
  /**
   * When the second call starts, in milliseconds after the first. 1 to 2147483647.
   *
   * @default 1_000
   */
  readonly afterMs?: number | undefined;
}

/** A response in a cache. Plain data. */
export interface CachedResponse {
  readonly response: Response;
  /** Epoch milliseconds until which it is fresh. */
  readonly freshUntil: number;
}

/** Where answers are kept. One that throws or rejects is not used for that call. */
export interface ResponseCache {
  get(key: string): CachedResponse | undefined | Promise<CachedResponse | undefined>;
  /** @param ttlMs - How long to keep it, in milliseconds. */
  set(key: string, cached: CachedResponse, ttlMs: number): void | Promise<void>;
}

/**
 * Keeps complete answers of a librarian. Errors, partial answers and delegates are never kept, nor
 * answers to calls with secret metadata. Only where `effects` is `read`.
 */
export interface CacheOptions {
  /** `createLruCache` of `@constellation/authoring/cache`, or one of your own. May be shared. */
  readonly store: ResponseCache;
  /**
   * How long an answer is fresh, in milliseconds. 1 to 2147483647.
   *
   * @default 60_000
   */
  readonly ttlMs?: number | undefined;
  /**
   * How long after that a stale answer may replace an error, marked partial, in milliseconds. 0 to 2147483647.
   *
   * @default 0
   */
  readonly staleIfErrorMs?: number | undefined;
  /**
   * Whether users share answers. Only for librarians whose answers depend on the query and the metadata
   * alone.
   *
   * @default false
   */
  readonly isPublic?: boolean | undefined;
}

/**
 * Options against failures and repeated work, of a librarian; on a router, the defaults for librarians that declare
 * nothing else.
 */
export interface ResilienceOptions {
  /**
   * Calls a librarian again after errors that may be temporary. `true`: with the defaults. Default: off; for a
   * librarian, the setting of its router.
   */
  readonly retry?: RetryOptions | boolean | undefined;
  /**
   * Stops calling a librarian while most of its calls fail: `SERVICE_UNAVAILABLE`, reason `circuit-open`. `true`:
   * with the defaults. Default: off; for a librarian, the setting of its router.
   */
  readonly breaker?: BreakerOptions | boolean | undefined;
  /**
   * Whether equal calls of different runs that are under way share one: the same query, metadata and user. Within a run
   * equal calls always share one, unless this is `false`. Never where `effects` is `write`. Default: within a run;
   * for a librarian, the setting of its router.
   */
  readonly singleFlight?: boolean | undefined;
}

/** State of a circuit breaker. `half-open`: probes decide whether it closes. */
export type BreakerState = "closed" | "open" | "half-open";

const retryTable = {
  attempts: { kind: "count", isFinite: true, default: 3 },
  minDelayMs: { kind: "duration", isFinite: true, default: 100 },
  maxDelayMs: { kind: "duration", isFinite: true, default: 5_000 },
} as const satisfies OptionTable<RetryOptions>;

const breakerTable = {
  failureShare: { kind: "share", default: 0.5 },
  minCalls: { kind: "count", default: 20 },
  windowMs: { kind: "duration", isFinite: true, default: 60_000 },
  openMs: { kind: "duration", isFinite: true, default: 60_000 },
  probes: { kind: "count", default: 1 },
} as const satisfies OptionTable<BreakerOptions>;

const hedgeTable = {
  afterMs: { kind: "duration", isFinite: true, default: 1_000 },
} as const satisfies OptionTable<HedgeOptions>;

const cacheTable = {
  store: { kind: "object", methods: ["get", "set"], isRequired: true },
  ttlMs: { kind: "duration", isFinite: true, default: 60_000 },
  staleIfErrorMs: { kind: "duration", min: 0, isFinite: true, default: 0 },
  isPublic: { kind: "flag", default: false },
} as const satisfies OptionTable<CacheOptions>;

/** Of a router and of a librarian. */
export const resilienceTable = {
  retry: { kind: "fields", fields: retryTable, or: "boolean" },
  breaker: { kind: "fields", fields: breakerTable, or: "boolean" },
  singleFlight: { kind: "flag" },
} as const satisfies OptionTable<ResilienceOptions>;

export const hedgeOption = { kind: "fields", fields: hedgeTable, or: "boolean" } as const;

export const cacheOption = { kind: "fields", fields: cacheTable } as const;

/** The defaults named above. */
export const resilienceDefaults = {
  retry: readDefaults(retryTable),
  breaker: readDefaults(breakerTable),
  hedge: readDefaults(hedgeTable),
  cache: readDefaults(cacheTable),
};
