import { abortReason } from "./abort-reason.js";

/**
 * Does some work, and stops waiting for it when a signal aborts. Leaves no listener behind.
 *
 * @param work - Not begun when the signal has aborted already.
 * @returns What the work gives, or rejects with.
 * @throws MeshError as soon as `signal` aborts, saying why.
 */
export async function orAbort<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  if (signal === undefined) return work();
  if (signal.aborted) throw abortReason(signal);
  let onAbort = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(abortReason(signal));
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
 * @param ms - 0 or more; `Infinity` waits for the signal alone.
 * @throws MeshError as soon as `signal` aborts, saying why.
 */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const time = () =>
    new Promise<void>((resolve) => {
      if (ms !== Number.POSITIVE_INFINITY) timer = setTimeout(resolve, ms);
    });
  try {
    await orAbort(time, signal);
  } finally {
    clearTimeout(timer);
  }
}
