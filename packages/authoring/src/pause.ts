import { withDeadline } from "@constellation/core";

/**
 * Waits. Leaves no timer and no listener.
 *
 * @param ms - Milliseconds, 0 to 2147483647; `Infinity` waits for the signal alone.
 * @throws MeshError `TIMEOUT` as soon as the signal aborts.
 */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const time = () =>
    new Promise<void>((resolve) => {
      if (ms !== Number.POSITIVE_INFINITY) timer = setTimeout(resolve, ms);
    });
  try {
    await withDeadline({ signal }, time);
  } finally {
    clearTimeout(timer);
  }
}
