/** How long something may take, and what ends it before. */
export interface Limits {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Waits for work that may never end.
 *
 * @param late - What to throw when the time is over.
 * @throws The signal's reason when it aborts.
 */
export async function inTime<Result>(
  work: Promise<Result>,
  { timeoutMs, signal }: Limits,
  late: () => Error,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  let abort: (() => void) | undefined;
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), timeoutMs);
    abort = () => reject(signal?.reason as Error);
    if (signal?.aborted === true) abort();
    signal?.addEventListener("abort", abort, { once: true });
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    clearTimeout(timer);
    if (abort !== undefined) signal?.removeEventListener("abort", abort);
  }
}
