/**
 * Waits for work, but no longer than the signal lets it. Work that is given up on continues alone.
 *
 * @throws What the work rejects with, or the signal's reason.
 */
export async function withAbort<Value>(
  work: Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value> {
  if (signal === undefined) return work;
  let giveUp: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    giveUp = () => reject(signal.reason);
    if (signal.aborted) giveUp();
    else signal.addEventListener("abort", giveUp, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    if (giveUp !== undefined) signal.removeEventListener("abort", giveUp);
  }
}
