import { MeshError } from "@constellation/core";

/** What ends the work: whoever wants it, or its time. */
export interface Limits {
  readonly signal?: AbortSignal | undefined;
  /** Epoch milliseconds. */
  readonly deadline?: number | undefined;
  /** Milliseconds from now. */
  readonly timeoutMs?: number | undefined;
}

/** Longest timer that Node.js can hold; who waits longer waits for the signal. */
const longestTimerMs = 2_147_483_647;

/**
 * Does work that ends with its limits, whether it heeds its signal or not.
 *
 * @returns What the work gives. Rejects as the work does, or with a MeshError, `TIMEOUT`, that is
 *   also the reason of the work's signal. Leaves no timer and no listener.
 */
export async function within<Result>(
  { signal, deadline = Number.POSITIVE_INFINITY, timeoutMs = Number.POSITIVE_INFINITY }: Limits,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  let end: (error: MeshError) => void = () => undefined;
  const over = new Promise<never>((_resolve, reject) => {
    end = (error) => {
      reject(error);
      controller.abort(error);
    };
  });
  over.catch(() => undefined); // it may come when nobody races it any more
  const onAbort = () => end(timeoutOf(signal?.reason));
  let timer: NodeJS.Timeout | undefined;
  try {
    if (signal?.aborted) throw timeoutOf(signal.reason);
    const remainingMs = Math.min(deadline - Date.now(), timeoutMs);
    if (remainingMs <= 0) throw deadlinePassed();
    if (remainingMs <= longestTimerMs) {
      timer = setTimeout(() => end(deadlinePassed()), remainingMs);
    }
    signal?.addEventListener("abort", onAbort, { once: true });
    return await Promise.race([over, work(controller.signal)]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}

/** An abort as `TIMEOUT`: a deadline that passed is told from a caller that cancelled. */
function timeoutOf(reason: unknown): MeshError {
  try {
    if (reason instanceof MeshError) return reason;
    if (reason instanceof Error && reason.name === "TimeoutError") return deadlinePassed();
  } catch {
    // A reason that cannot even be looked at, such as a revoked proxy: an abort is an abort.
  }
  return new MeshError("TIMEOUT", "The caller cancelled.", { reason: "cancelled" });
}

function deadlinePassed(): MeshError {
  return new MeshError("TIMEOUT", "The other side did not answer in time.", { reason: "deadline" });
}
