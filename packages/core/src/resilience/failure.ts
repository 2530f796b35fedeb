import { type ErrorCode, errorCodes } from "../contract/error-code.js";
import type { RetryOptions } from "../contract/resilience.js";
import type { Response } from "../contract/response.js";

/** Codes of failures of the librarian itself; the others are about the query, the user or the mesh. */
const failures: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "INTERNAL_ERROR",
  "TIMEOUT",
  "SERVICE_UNAVAILABLE",
  "RATE_LIMITED",
  "AI_UNAVAILABLE",
  "DATA_SOURCE_ERROR",
]);

/** How a call ended, for breakers and fallbacks. An answer beside an error is a success. */
export function outcomeOfCall(response: Response): "success" | "failure" | "cancelled" {
  const { answer, error } = response;
  if (error === undefined || answer !== undefined) return "success";
  const reason = error.details?.reason;
  if (reason === "cancelled" || reason === "budget-exceeded") return "cancelled"; // the caller's doing
  if (reason === "waiting") return "cancelled"; // neither: it continues later
  return failures.has(error.code) ? "failure" : "success";
}

/** The same for its breaker, where the unavailability of another librarian does not count as a failure. */
export function outcomeForBreaker(response: Response): ReturnType<typeof outcomeOfCall> {
  const { reason } = response.error?.details ?? {};
  return reason === "delegate-unavailable" ? "cancelled" : outcomeOfCall(response);
}

/** Whether the response of a fallback replaces one that failed. */
export function isReplacement(response: Response): boolean {
  const { answer, delegate } = response;
  return outcomeOfCall(response) === "success" && (answer ?? delegate) !== undefined;
}

/** Whether the same call may succeed when it is repeated soon. */
export function isRetryable(response: Response): boolean {
  const { error } = response;
  return (
    outcomeOfCall(response) === "failure" &&
    error !== undefined &&
    errorCodes[error.code].retryable &&
    error.recoverable !== false
  );
}

/**
 * How long to wait before a retry, in milliseconds: random up to a bound that doubles, so that callers that failed
 * together do not retry together.
 *
 * @param retry - Number of the retry, from 1.
 * @param retryAfterMs - Delay that the failed call asked for; anything but a number of milliseconds is ignored.
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
