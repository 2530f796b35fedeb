import type { RetryOptions } from "../contract/resilience.js";

/**
 * How long to wait before a retry, in milliseconds: random up to a bound that doubles, so that callers
 * which failed together do not come back together.
 *
 * @param retry - Number of the retry, from 1.
 * @param retryAfterMs - What the failed call asked for; anything but a number of milliseconds is ignored.
 */
export function retryDelay(
  { minDelayMs, maxDelayMs }: Required<{ [Key in keyof RetryOptions]: number }>,
  retry: number,
  retryAfterMs: unknown,
): number {
  const bound = Math.min(maxDelayMs, minDelayMs * 2 ** (retry - 1));
  const asked = typeof retryAfterMs === "number" && retryAfterMs > 0 ? retryAfterMs : 0;
  return Math.max(Math.random() * bound, asked);
}
