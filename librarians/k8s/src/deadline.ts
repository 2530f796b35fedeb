import { type Context, MeshError } from "@constellation/core";

/**
 * Runs work until the caller no longer waits: at the deadline or when its signal aborts, whichever is
 * first, also when the work itself never ends. Its timer and listener are gone afterwards.
 *
 * @throws MeshError `TIMEOUT`, or what the caller's signal gives as reason.
 */
export async function withinDeadline<Result>(
  { signal: outer, deadline = Number.POSITIVE_INFINITY }: Context,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  outer?.throwIfAborted();
  const late = () =>
    new MeshError("TIMEOUT", "The deadline passed before there was an answer.", {
      reason: "deadline",
    });
  if (deadline <= Date.now()) throw late();
  const own = new AbortController();
  let leave: (() => void) | undefined;
  let timer: NodeJS.Timeout | undefined;
  const ended = new Promise<never>((_, reject) => {
    const end = (reason: unknown) => {
      own.abort(reason);
      reject(reason);
    };
    leave = () => end(outer?.reason);
    outer?.addEventListener("abort", leave, { once: true });
    if (deadline !== Number.POSITIVE_INFINITY) {
      timer = setTimeout(() => end(late()), Math.min(deadline - Date.now(), 2_147_483_647));
    }
  });
  try {
    return await Promise.race([work(own.signal), ended]);
  } finally {
    clearTimeout(timer);
    if (leave !== undefined) outer?.removeEventListener("abort", leave);
  }
}
