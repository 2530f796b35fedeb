import type { RetryOptions } from "../contract/resilience.js";
import type { Response } from "../contract/response.js";
import { isRetryable } from "./failure.js";
import { retryDelay } from "./retry-delay.js";

/** How work is called again. */
export interface Retried<Called> {
  /** @param attempt - Which call it is, from 1. Never rejects. */
  call(attempt: number): Promise<Called>;
  responseOf(called: Called): Response;
  /** Whether it may be called again, whatever its response is. */
  mayRepeat(called: Called): boolean;
  /** Waits before a retry. @returns What it ends with, where no retry is wanted any more. */
  wait(called: Called, delayMs: number): Promise<Called | undefined>;
}

/** Calls, and again while the error may pass and attempts are left. Never rejects. */
export async function callRetried<Called>(
  retry: Required<{ [Key in keyof RetryOptions]: number }>,
  work: Retried<Called>,
): Promise<Called> {
  for (let attempt = 1; ; attempt++) {
    const called = await work.call(attempt);
    const response = work.responseOf(called);
    if (attempt >= retry.attempts || !isRetryable(response) || !work.mayRepeat(called)) {
      return called;
    }
    const delayMs = retryDelay(retry, attempt, response.error?.details?.retryAfterMs);
    const ended = await work.wait(called, delayMs);
    if (ended !== undefined) return ended;
  }
}
