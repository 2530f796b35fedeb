import { cancelledError, type WaitLimits, withDeadline } from "@constellation/core";

/** One caller that waits for shared work. A `Context` will do. */
export interface FlightWaiter extends WaitLimits {
  /** Gets the progress of the work while the caller waits. */
  readonly report?: ((message: string) => void) | undefined;
}

/** Parameters of shared work. */
export interface Flight {
  /** Aborts when the last caller has left. */
  readonly signal: AbortSignal;
  /** Reports progress to every caller that waits. */
  report(message: string): void;
}

interface CurrentFlight<Result> {
  readonly result: Promise<Result>;
  readonly waiters: Set<FlightWaiter>;
  stop(): void;
}

/**
 * Shares work among all callers that arrive while it runs. Each caller leaves at its own limits;
 * the work's signal aborts when the last one has left. Results are not kept once the work has ended.
 *
 * @returns Joins the work, or begins it. Rejects as the work does, or with `TIMEOUT`.
 */
export function singleFlight<Result>(
  work: (flight: Flight) => Promise<Result>,
): (waiter?: FlightWaiter) => Promise<Result> {
  let current: CurrentFlight<Result> | undefined;

  function begin(): CurrentFlight<Result> {
    const waiters = new Set<FlightWaiter>();
    const controller = new AbortController();
    const report = (message: string) => {
      for (const waiter of waiters) waiter.report?.(message);
    };
    const result = Promise.resolve()
      .then(() => work({ signal: controller.signal, report }))
      .finally(() => {
        if (current === flight) current = undefined;
      });
    result.catch(() => undefined); // every caller may have left
    const flight = { result, waiters, stop: () => controller.abort(cancelledError()) };
    return flight;
  }

  return async (waiter = {}) => {
    const { signal, deadline, timeoutMs, message, report } = waiter;
    const own: FlightWaiter = { report }; // of this call alone
    let joined: CurrentFlight<Result> | undefined;
    try {
      return await withDeadline({ signal, deadline, timeoutMs, message }, () => {
        current ??= begin();
        joined = current;
        joined.waiters.add(own);
        return joined.result;
      });
    } finally {
      if (joined !== undefined) leave(joined, own);
    }
  };

  function leave(joined: CurrentFlight<Result>, own: FlightWaiter): void {
    joined.waiters.delete(own);
    if (joined.waiters.size > 0 || current !== joined) return;
    current = undefined;
    joined.stop();
  }
}
