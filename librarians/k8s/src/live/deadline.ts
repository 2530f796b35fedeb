import { onAbort } from "@constellation/core";

/** A signal that aborts after a time or with its parent. */
export interface ReadDeadline {
  readonly signal: AbortSignal;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Stops the timer and releases the parents. */
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
  const unfollow = parents.map((parent) => parent && onAbort(parent, abort));
  return {
    signal: controller.signal,
    at: Date.now() + ms,
    close() {
      clearTimeout(timer);
      for (const stop of unfollow) stop?.();
    },
  };
}
