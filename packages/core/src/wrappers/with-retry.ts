import { pause } from "../authoring/pause.js";
import { remainingMs } from "../authoring/remaining-ms.js";
import { type RetryOptions, resilienceDefaults } from "../contract/resilience.js";
import { requireRetry, withDefaults } from "../registry/check-resilience.js";
import { callRetried } from "../resilience/retry.js";
import { attempt, mayRepeat } from "./attempt.js";
import type { Wrapper } from "./wrapper.js";

/**
 * Calls again while the error may pass, as `retry` of a definition does: a random wait that grows, no
 * sooner than `details.retryAfterMs`, never past the deadline, and no longer than the caller waits. A
 * librarian registered with `effects: "write"` is called once.
 *
 * @returns A wrapper whose librarian gives the first response without such an error, or the last one.
 * @throws TypeError or RangeError for a wrong option, naming the key and the value.
 */
export function withRetry(options: RetryOptions = {}): Wrapper {
  requireRetry("retry", options);
  const retry = withDefaults(options, resilienceDefaults.retry) ?? resilienceDefaults.retry;
  return (librarian) =>
    async (query, context = {}) => {
      const last = await callRetried(retry, {
        call: () => attempt(librarian, query, context),
        responseOf: ({ response }) => response,
        mayRepeat: () => mayRepeat(context),
        async wait(called, delayMs) {
          if (remainingMs(context) <= delayMs) return called;
          try {
            await pause(delayMs, context.signal);
          } catch {
            return called; // its caller has left
          }
          return undefined;
        },
      });
      return last.result();
    };
}
