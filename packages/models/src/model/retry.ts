import { pause } from "@constellation/authoring";

/** Maximum wait that a service may ask for, in milliseconds; beyond it the call fails at once. */
const maxWaitMs = 60_000;
const firstWaitMs = 500;
const cappedWaitMs = 8_000;

/** Outcome of one request: a response, or the result of a library. */
interface Sent {
  readonly status: number;
  readonly headers: Headers;
  readonly body?: { cancel(): Promise<void> } | null;
}

/** Limits of the retries of one request. */
export interface RetryOptions {
  /** Maximum number of requests after the first one. 0 or more. */
  readonly maxRetries: number;
  readonly signal: AbortSignal;
  remainingMs(): number;
  /** Called before each request after the first one, with its number from 1. */
  readonly onRetry?: (retry: number) => void;
}

/**
 * Sends a request, and sends it again while the service is busy (408, 429, 529 and other 5xx), as
 * long as the wait ends before the call does.
 *
 * @param send - Sends the request once. A rejection is not retried, because the service may have charged.
 * @returns The last outcome, which may be a failure.
 * @throws The signal's reason as soon as it aborts.
 */
export async function sendWithRetries<Outcome extends Sent>(
  send: () => Promise<Outcome>,
  { maxRetries, signal, remainingMs, onRetry }: RetryOptions,
): Promise<Outcome> {
  for (let retry = 1; ; retry++) {
    const outcome = await send();
    if (retry > maxRetries || !isBusy(outcome)) return outcome;
    const waitMs = waitBefore(retry, outcome.headers);
    if (waitMs > maxWaitMs || waitMs >= remainingMs()) return outcome;
    await outcome.body?.cancel(); // the connection is free for the next request
    await pause(waitMs, signal);
    onRetry?.(retry);
  }
}

function isBusy({ status, headers }: Sent): boolean {
  if (headers.get("x-should-retry") === "false") return false;
  return status === 408 || status === 429 || status >= 500;
}

/**
 * Draws the wait before a retry, so that many callers do not retry together.
 *
 * @param retry - Which retry this is, from 1.
 * @returns Milliseconds: the wait that the service asks for plus up to a tenth, or without one uniform
 *   in [0, min(8000, 500 * 2 ** (retry - 1))].
 *
 * Source: "full jitter" in M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.
 */
export function waitBefore(retry: number, headers: Headers, random = Math.random): number {
  const asked = retryAfterMs(headers);
  if (asked !== undefined) return asked * (1 + random() / 10);
  return random() * Math.min(cappedWaitMs, firstWaitMs * 2 ** (retry - 1));
}

/** Milliseconds that a response asks to wait. `undefined` without a valid header. */
export function retryAfterMs(headers: Headers): number | undefined {
  const exact = headers.get("retry-after-ms");
  const asked = headers.get("retry-after");
  const ms =
    exact !== null
      ? Number(exact)
      : asked === null
        ? Number.NaN
        : /^[\d.]+$/.test(asked)
          ? Number(asked) * 1_000
          : Date.parse(asked) - Date.now();
  return ms > 0 ? ms : undefined;
}
