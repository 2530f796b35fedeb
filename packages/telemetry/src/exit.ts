const signals = ["SIGTERM", "SIGINT"] as const;

/** Unsent data at the end of the process. */
export interface UnsentData {
  /** Whether anything was recorded since the last flush. */
  hasAny(): boolean;
  /** Sends it, within its own time limit. Never rejects. */
  flush(): Promise<unknown>;
}

/**
 * Flushes when the process has nothing left to do, and on SIGTERM and SIGINT.
 *
 * A signal keeps its meaning. When no other listener exists, the process ends by the signal after the
 * flush, or at once when the signal comes a second time. When another listener exists, that one decides, and this one
 * is removed meanwhile, so that libraries that count listeners do not count it.
 *
 * @returns A function that removes every listener.
 */
export function flushOnExit({ hasAny, flush }: UnsentData): () => void {
  let isRemoved = false;

  const beforeExit = () => {
    if (hasAny()) void flush(); // keeps the process until it is done; then this is called again
  };
  const onSignal = (signal: NodeJS.Signals) => {
    process.removeListener(signal, onSignal);
    const isOnlyOurs = process.listenerCount(signal) === 0;
    void flush().then(() => {
      if (isOnlyOurs) process.kill(process.pid, signal);
      else if (!isRemoved) process.prependListener(signal, onSignal);
    });
  };

  process.on("beforeExit", beforeExit);
  for (const signal of signals) process.prependListener(signal, onSignal);

  return () => {
    isRemoved = true;
    process.removeListener("beforeExit", beforeExit);
    for (const signal of signals) process.removeListener(signal, onSignal);
  };
}
