import {
  type Delegate,
  MeshError,
  throwIfAborted,
  type WaitLimits,
  withDeadline,
} from "@constellation/core";

/** Share of the time of a health check that is left for its report. */
const reportShare = 0.1;

/** Reads delegates, and waits as long as the health check allows.
 *
 * @returns Whether all are read. Otherwise, reading continues in the background.
 */
export type WarmUp = (
  delegates: readonly Delegate[],
  limits: Pick<WaitLimits, "signal" | "deadline">,
) => Promise<boolean>;

/** Creates a reader that runs one reading at a time for any number of waiting checks. */
export function createWarmUp(read: (delegates: readonly Delegate[]) => Promise<void>): WarmUp {
  let reading: Promise<void> | undefined;
  return async (delegates, { signal, deadline = Number.POSITIVE_INFINITY }) => {
    reading ??= read(delegates).finally(() => {
      reading = undefined;
    });
    const current = reading;
    current.catch(() => undefined); // it may reject while no check waits for it
    const timeoutMs = (deadline - Date.now()) * (1 - reportShare);
    try {
      await withDeadline({ signal, timeoutMs }, () => current);
      return true;
    } catch (thrown) {
      throwIfAborted(signal);
      if (thrown instanceof MeshError && thrown.reason === "deadline") return false;
      throw thrown;
    }
  };
}
