import { MeshError } from "@constellation/core";
import { followSignal } from "./caller-signal.js";

/** Longest timer that Node.js can hold, in milliseconds. */
const longestTimerMs = 2_147_483_647;

/** The signal and the time limit of one call, as one signal. */
export interface CallLimits {
  /** Aborts with a `MeshError`: the caller's reason, `cancelled`, or `deadline`. */
  readonly signal: AbortSignal;
  /** Milliseconds left, 0 or more; `Infinity` without a time limit. */
  remainingMs(): number;
  /** Lets go of the caller's signal and of the timer. */
  end(): void;
}

/**
 * Joins a caller's signal and a time limit.
 *
 * An own controller and timer: on Node.js 20 a composite of `AbortSignal.any` and
 * `AbortSignal.timeout` can be collected before it fires.
 *
 * @param timeoutMs - Milliseconds; 0 or less has passed already, `Infinity` means no limit.
 */
export function limitCall(caller: AbortSignal | undefined, timeoutMs: number): CallLimits {
  const controller = new AbortController();
  const endsAt = performance.now() + timeoutMs;
  const onAbort = () => controller.abort(reasonOf(caller));
  let timer: NodeJS.Timeout | undefined;
  let unfollow = () => {};
  if (caller?.aborted === true) onAbort();
  else if (timeoutMs <= 0) controller.abort(deadlinePassed());
  else {
    if (caller !== undefined) unfollow = followSignal(caller, onAbort);
    if (timeoutMs <= longestTimerMs) {
      timer = setTimeout(() => controller.abort(deadlinePassed()), timeoutMs);
    }
  }
  return {
    signal: controller.signal,
    remainingMs: () => Math.max(0, endsAt - performance.now()),
    end() {
      clearTimeout(timer);
      unfollow();
    },
  };
}

/** `TIMEOUT`, reason `deadline`. */
export function deadlinePassed(): MeshError {
  return new MeshError("TIMEOUT", "The model did not answer in time.", { reason: "deadline" });
}

function reasonOf(signal: AbortSignal | undefined): MeshError {
  const reason: unknown = signal?.reason;
  if (reason instanceof MeshError) return reason;
  return new MeshError("TIMEOUT", "The caller cancelled.", { reason: "cancelled" });
}

/**
 * Does some work, and stops waiting for it when a signal aborts. Leaves no listener behind.
 *
 * @param work - Not begun when the signal has aborted already.
 * @throws The signal's reason as soon as it aborts.
 */
export async function orAbort<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  let onAbort = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/**
 * Waits. Leaves no timer and no listener behind.
 *
 * @throws The signal's reason as soon as it aborts.
 */
export async function wait(ms: number, signal: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  try {
    await orAbort(
      signal,
      () =>
        new Promise<void>((resolve) => {
          timer = setTimeout(resolve, ms);
        }),
    );
  } finally {
    clearTimeout(timer);
  }
}
