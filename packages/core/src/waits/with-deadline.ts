import { guardSignal } from "../contract/guarded-signal.js";
import { maxTimerMs } from "../contract/option-table.js";
import { deadlineError, throwIfAborted, toAbortError } from "./abort-error.js";
import { onAbort } from "./on-abort.js";

/** What ends a wait. All optional; the earliest wins. A `Context` will do. */
export interface WaitLimits {
  readonly signal?: AbortSignal | undefined;
  /** Epoch milliseconds. `Infinity` means no limit. */
  readonly deadline?: number | undefined;
  /** Milliseconds from now: 0 or less has passed already, `Infinity` means no limit. */
  readonly timeoutMs?: number | undefined;
  /** What was too slow, in one sentence: the message of the error. @default "The deadline passed." */
  readonly message?: string | undefined;
}

/**
 * Does work that ends with its limits, whether it heeds its signal or not.
 *
 * @param work - Gets a signal that aborts with the limits. Not called when one has passed already.
 * @returns The work's result. Rejects as the work does, or with a `MeshError`, `TIMEOUT` (`deadline`
 *   or `cancelled`), that is also the reason of the work's signal. Leaves no timer and no listener.
 */
export async function withDeadline<Result>(
  limits: WaitLimits,
  work: (signal: AbortSignal) => Promise<Result> | Result,
): Promise<Result> {
  const { signal, deadline = Number.POSITIVE_INFINITY, message } = limits;
  const { timeoutMs = Number.POSITIVE_INFINITY } = limits;
  throwIfAborted(signal);
  const remainingMs = Math.min(deadline - Date.now(), timeoutMs);
  // Also where a limit is NaN: a wait without an end is worse than none.
  if (!(remainingMs > 0)) throw deadlineError(message);

  const controller = new AbortController();
  guardSignal(controller.signal);
  let timer: NodeJS.Timeout | undefined;
  let stopWaiting = () => {};
  const ended = new Promise<never>((_resolve, reject) => {
    const end = (error: Error) => {
      reject(error);
      controller.abort(error);
    };
    if (signal !== undefined) stopWaiting = onAbort(signal, () => end(toAbortError(signal)));
    if (remainingMs <= maxTimerMs)
      timer = setTimeout(() => end(deadlineError(message)), remainingMs);
  });
  ended.catch(() => undefined); // it may reject while nothing waits for it
  try {
    return await Promise.race([work(controller.signal), ended]);
  } finally {
    clearTimeout(timer);
    stopWaiting();
  }
}
