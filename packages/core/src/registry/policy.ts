import type { LibrarianDefinition } from "../contract/definition.js";
import { withDefaults } from "../contract/option-table.js";
import {
  type ResilienceOptions,
  type RetryOptions,
  resilienceDefaults,
} from "../contract/resilience.js";
import { AdaptiveWidth } from "../resilience/adaptive-width.js";
import { CircuitBreaker } from "../resilience/circuit-breaker.js";
import type { CacheSettings } from "../resilience/kept-response.js";
import type { Limit } from "../resilience/slot-pool.js";

/** What is done for a librarian against failures and repeated work. */
export interface Policy {
  readonly retry: Required<{ [Key in keyof RetryOptions]: number }> | undefined;
  readonly breaker: CircuitBreaker | undefined;
  readonly width: AdaptiveWidth | undefined;
  readonly hedgeAfterMs: number | undefined;
  readonly fallback: readonly string[];
  /** Equal calls of different runs share one. */
  readonly singleFlight: boolean;
  readonly cache: CacheSettings | undefined;
}

/** What of a policy calls its librarian, or one in its place, again. */
export function repeatedBy(policy: Policy | undefined): readonly string[] {
  return [
    ...(policy?.retry === undefined ? [] : ["retry"]),
    ...(policy?.hedgeAfterMs === undefined ? [] : ["hedge"]),
    ...(policy === undefined || policy.fallback.length === 0 ? [] : ["fallback"]),
  ];
}

/** Reads the policy of a checked definition. @returns `undefined` where there is none. */
export function policyOf(
  definition: LibrarianDefinition,
  defaults: ResilienceOptions,
  limit: Limit | undefined,
): Policy | undefined {
  const { effects, fallback = [], hedge, adaptiveConcurrency, cache } = definition;
  const isRead = effects !== "write";
  const retry = withDefaults(definition.retry ?? defaults.retry, resilienceDefaults.retry);
  const breaker = withDefaults(definition.breaker ?? defaults.breaker, resilienceDefaults.breaker);
  const policy: Policy = {
    retry: isRead ? retry : undefined,
    breaker: breaker && new CircuitBreaker(breaker),
    width:
      adaptiveConcurrency === true && limit !== undefined ? new AdaptiveWidth(limit) : undefined,
    hedgeAfterMs: isRead ? withDefaults(hedge, resilienceDefaults.hedge)?.afterMs : undefined,
    fallback,
    singleFlight: isRead && (definition.singleFlight ?? defaults.singleFlight) === true,
    cache:
      isRead && cache !== undefined
        ? withDefaults(cache, { ...resilienceDefaults.cache, store: cache.store })
        : undefined,
  };
  const isEmpty = Object.values(policy).every(
    (each) => each === undefined || each === false || (Array.isArray(each) && each.length === 0),
  );
  return isEmpty ? undefined : policy;
}
