import { type BreakerOptions, resilienceDefaults } from "../contract/resilience.js";
import { requireBreaker, withDefaults } from "../registry/check-resilience.js";
import { CircuitBreaker } from "../resilience/circuit-breaker.js";
import { circuitOpen } from "../resilience/circuit-open.js";
import { outcomeForBreaker } from "../resilience/failure.js";
import { attempt, idOf } from "./attempt.js";
import type { Wrapper } from "./wrapper.js";

/**
 * Stops calling a librarian while most of its calls fail, as `breaker` of a definition does:
 * `SERVICE_UNAVAILABLE`, reason `circuit-open`, until probes succeed. Cancelled calls do not count.
 * Health, events and `availableDelegates` show only the breaker of a definition.
 *
 * @returns A wrapper with a breaker for each librarian that it wraps.
 * @throws TypeError or RangeError for a wrong option, naming the key and the value.
 */
export function withBreaker(options: BreakerOptions = {}): Wrapper {
  requireBreaker("breaker", options);
  const settings = withDefaults(options, resilienceDefaults.breaker) ?? resilienceDefaults.breaker;
  return (librarian) => {
    const breaker = new CircuitBreaker(settings);
    return async (query, context = {}) => {
      const permit = breaker.enter(performance.now());
      if (permit === undefined) {
        const remaining = breaker.openUntil - performance.now();
        return { error: circuitOpen(idOf(context), remaining).toInfo() };
      }
      const called = await attempt(librarian, query, context);
      breaker.settle(permit, outcomeForBreaker(called.response), performance.now());
      return called.result();
    };
  };
}
