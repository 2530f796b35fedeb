import { MeshError } from "@constellation/core";

/** What one caller wants while it waits. */
export interface Waiter {
  readonly signal?: AbortSignal | undefined;
  /** Epoch milliseconds after which it no longer waits. */
  readonly deadline?: number | undefined;
  /** Told how far the work is. */
  readonly report?: ((message: string) => void) | undefined;
}

/** The part of the work's own view: to stop, and to tell. */
export interface WorkSide {
  readonly signal: AbortSignal;
  report(message: string): void;
}

/**
 * Makes work that callers who come while it is under way share. A caller leaves when its own signal
 * or deadline says so; the work is told to stop when the last one has left.
 *
 * @returns A function that gives the work's result. Rejects as the work does, or with `TIMEOUT`.
 */
export function createSharedWork<Result>(
  work: (side: WorkSide) => Promise<Result>,
): (waiter: Waiter) => Promise<Result> {
  let current:
    | { readonly result: Promise<Result>; readonly waiters: Set<Waiter>; stop(): void }
    | undefined;

  function begin() {
    const waiters = new Set<Waiter>();
    const controller = new AbortController();
    const report = (message: string) => {
      for (const waiter of waiters) waiter.report?.(message);
    };
    const begun = {
      waiters,
      stop: () => controller.abort(cancelled()),
      result: work({ signal: controller.signal, report }).finally(() => {
        if (current === begun) current = undefined;
      }),
    };
    return begun;
  }

  return async ({ signal, deadline, report }) => {
    const waiter: Waiter = { signal, deadline, report }; // of this call alone
    throwIfOver(waiter);
    current ??= begin();
    const joined = current;
    joined.waiters.add(waiter);
    try {
      return await untilOver(joined.result, waiter);
    } finally {
      joined.waiters.delete(waiter);
      if (joined.waiters.size === 0 && current === joined) {
        current = undefined;
        joined.stop();
      }
    }
  };
}

/** @throws MeshError with code `TIMEOUT` when a caller no longer waits. */
export function throwIfOver({ signal, deadline = Number.POSITIVE_INFINITY }: Waiter): void {
  if (signal?.aborted) throw timeoutOf(signal.reason);
  if (Date.now() >= deadline) throw deadlinePassed();
}

async function untilOver<Result>(result: Promise<Result>, waiter: Waiter): Promise<Result> {
  const { signal, deadline = Number.POSITIVE_INFINITY } = waiter;
  let leave: () => void = () => undefined;
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_resolve, reject) => {
    leave = () => reject(timeoutOf(signal?.reason));
    signal?.addEventListener("abort", leave, { once: true });
    const remainingMs = deadline - Date.now();
    // The longest timer Node.js can hold; who waits longer than that waits for the signal.
    if (remainingMs <= 2_147_483_647)
      timer = setTimeout(() => reject(deadlinePassed()), remainingMs);
  });
  try {
    return await Promise.race([result, over]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", leave);
  }
}

/** An abort as `TIMEOUT`: a deadline that passed is told from a caller that cancelled. */
function timeoutOf(reason: unknown): MeshError {
  if (reason instanceof MeshError) return reason;
  const isTimeout = reason instanceof Error && reason.name === "TimeoutError";
  return isTimeout ? deadlinePassed() : cancelled();
}

function deadlinePassed(): MeshError {
  return new MeshError("TIMEOUT", "The pages were not read in time.", { reason: "deadline" });
}

function cancelled(): MeshError {
  return new MeshError("TIMEOUT", "The caller cancelled.", { reason: "cancelled" });
}
