import { types } from "node:util";
import type { Context } from "../contract/context.js";
import { guardSignal } from "../contract/guarded-signal.js";
import { MeshError } from "../contract/mesh-error.js";
import { maxTimerMs } from "../contract/option-table.js";
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
 * Runs work within limits, whether it honours its signal or not.
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
  // Treats NaN as passed: a wait that never ends would be worse.
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

/** `TIMEOUT`, reason `cancelled`: the caller does not want the answer any more. */
export function cancelledError(): MeshError {
  return new MeshError("TIMEOUT", "The caller cancelled.", { reason: "cancelled" });
}

/** `TIMEOUT`, reason `deadline`. @param message - What was too slow, in one sentence. */
export function deadlineError(message = "The deadline passed."): MeshError {
  return new MeshError("TIMEOUT", message, { reason: "deadline" });
}

/**
 * Reads why a signal aborted as a `MeshError`, whatever its reason is.
 *
 * @returns The reason itself where it is a `MeshError`; `TIMEOUT` with reason `deadline` where
 *   `AbortSignal.timeout` made it; otherwise `TIMEOUT` with reason `cancelled`. Never throws.
 */
export function toAbortError(signal: Pick<AbortSignal, "reason">): MeshError {
  try {
    const reason: unknown = signal.reason;
    const copy = MeshError.copyOf(reason);
    // A proxy could return another MeshError at each read.
    if (copy !== undefined) return types.isProxy(reason) ? copy : (reason as MeshError);
    if (reason instanceof Error && reason.name === "TimeoutError") return deadlineError();
  } catch {
    // A reason that throws when it is read, such as a revoked proxy.
  }
  return cancelledError();
}

/** @throws MeshError as {@link toAbortError} reads it, when the signal has aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw toAbortError(signal);
}

/** Options of the time that a step may take. */
export interface RemainingOptions {
  /**
   * Share of what remains after the reserve, above 0 and at most 1.
   *
   * @default 1
   */
  readonly share?: number | undefined;
  /**
   * Kept for what comes after the step, in milliseconds, 0 or more; at most a tenth of what remains.
   *
   * @default 0
   */
  readonly reserveMs?: number | undefined;
}

/**
 * Time that a step of a hop may take: what remains until the deadline, less a reserve, times a share.
 *
 * @returns Whole milliseconds, 0 or more; `Infinity` without a deadline.
 */
export function remainingMs(
  context: Pick<Context, "deadline" | "remainingMs">,
  { share = 1, reserveMs = 0 }: RemainingOptions = {},
): number {
  const { deadline = Number.POSITIVE_INFINITY } = context;
  const remaining = context.remainingMs?.() ?? deadline - Date.now();
  if (remaining === Number.POSITIVE_INFINITY) return remaining;
  return Math.max(0, Math.floor((remaining - Math.min(reserveMs, remaining / 10)) * share));
}
