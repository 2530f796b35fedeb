import { followSignal } from "./follow-signal.js";

/** A signal that aborts after a time or with its parent. */
export interface ReadDeadline {
  readonly signal: AbortSignal;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Stops the timer and lets go of the parents. */
  close(): void;
}

/** Opens a deadline that no parent outlives. Call `close` in `finally`. */
export function openDeadline(
  ms: number,
  parents: readonly (AbortSignal | undefined)[],
): ReadDeadline {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, ms);
  const unfollow = parents.map((parent) => parent && followSignal(parent, abort));
  return {
    signal: controller.signal,
    at: Date.now() + ms,
    close() {
      clearTimeout(timer);
      for (const stop of unfollow) stop?.();
    },
  };
}

/** What `work` gives, or a rejection as soon as the signal aborts. */
export async function orAbort<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted();
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Waits, or rejects as soon as the signal aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const waited = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    await orAbort(waited, signal);
  } finally {
    clearTimeout(timer);
  }
}
