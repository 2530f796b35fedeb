const signals = ["SIGTERM", "SIGINT"] as const;

/** What is left to send when the process ends. */
export interface Leftovers {
  /** Whether anything was recorded since the last flush. */
  hasAny(): boolean;
  /** Sends it, within its own time limit. Never rejects. */
  flush(): Promise<unknown>;
}

/**
 * Flushes when the process has nothing left to do, and on SIGTERM and SIGINT.
 *
 * A signal keeps the meaning it has without us. Where nobody else listens to it, the process ends by
 * it, after the flush, or at once when it comes a second time. Where somebody does, they decide, and
 * we are off the list while they do: libraries that count listeners count as if we were not there.
 *
 * @returns A function that takes every listener off.
 */
export function flushOnExit({ hasAny, flush }: Leftovers): () => void {
  let isOff = false;

  const beforeExit = () => {
    if (hasAny()) void flush(); // keeps the process until it is done; then this is called again
  };
  const onSignal = (signal: NodeJS.Signals) => {
    process.removeListener(signal, onSignal);
    const isOnlyOurs = process.listenerCount(signal) === 0;
    void flush().then(() => {
      if (isOnlyOurs) process.kill(process.pid, signal);
      else if (!isOff) process.prependListener(signal, onSignal);
    });
  };

  process.on("beforeExit", beforeExit);
  for (const signal of signals) process.prependListener(signal, onSignal);

  return () => {
    isOff = true;
    process.removeListener("beforeExit", beforeExit);
    for (const signal of signals) process.removeListener(signal, onSignal);
  };
}
