import { type Delegate, MeshError } from "@constellation/core";
import { throwIfAborted, type WaitLimits, withDeadline } from "@constellation/core/authoring";

/** Share of the time of a health check that is left for its report. */
const reportShare = 0.1;

/**
 * Has delegates read, and waits for it while a health check may.
 *
 * @returns Whether they are read. Reading continues in the background where they are not.
 */
export type WarmUp = (
  delegates: readonly Delegate[],
  limits: Pick<WaitLimits, "signal" | "deadline">,
) => Promise<boolean>;

/** Creates what reads delegates once at a time, however many checks wait for it. */
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
