import { type Context, MeshError } from "@constellation/core";

/**
 * Waits for work as long as the caller does.
 *
 * @throws MeshError `TIMEOUT` when the context's signal aborts or its deadline passes first.
 */
export async function untilOver<Result>(
  work: () => Promise<Result>,
  { signal, deadline = Number.POSITIVE_INFINITY }: Context,
): Promise<Result> {
  if (signal?.aborted === true) throw reasonOf(signal);
  const rest = deadline - Date.now();
  if (rest <= 0) throw reasonOf(undefined);
  let timer: NodeJS.Timeout | undefined;
  let end = () => {};
  const over = new Promise<never>((_, reject) => {
    end = () => reject(reasonOf(signal));
    signal?.addEventListener("abort", end, { once: true });
    if (rest < 2_147_483_647) timer = setTimeout(end, rest);
  });
  try {
    return await Promise.race([work(), over]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
  }
}

/** Why a wait was over: the reason of an aborted signal, else that the deadline passed. */
export function reasonOf(signal: AbortSignal | undefined): MeshError {
  const reason: unknown = signal?.reason;
  if (reason instanceof MeshError) return reason;
  return signal?.aborted === true
    ? new MeshError("TIMEOUT", "The caller no longer waits.", { reason: "cancelled" })
    : new MeshError("TIMEOUT", "The deadline passed.", { reason: "deadline" });
}
