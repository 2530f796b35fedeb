import { MeshError } from "@constellation/core";

/**
 * Waits for work that has a time limit of its own inside a longer wait.
 *
 * @param limitMs - Most time for it, in milliseconds.
 * @param parent - Ends the work too.
 * @param work - Gets a signal that aborts at the limit, or with the parent. It need not listen.
 * @throws MeshError `TIMEOUT` at the limit; the parent's reason when that aborts; else as `work` does.
 */
export async function withinLimit<T>(
  limitMs: number,
  parent: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  parent?.throwIfAborted();
  const controller = new AbortController();
  const followParent = () => controller.abort(parent?.reason);
  const expire = () =>
    controller.abort(new MeshError("TIMEOUT", "The model was too slow.", { reason: "deadline" }));
  const aborted = new Promise<never>((_resolve, reject) => {
    const { signal } = controller;
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  parent?.addEventListener("abort", followParent, { once: true });
  const timer = setTimeout(expire, limitMs);
  try {
    return await Promise.race([work(controller.signal), aborted]);
  } finally {
    clearTimeout(timer);
    parent?.removeEventListener("abort", followParent);
  }
}
