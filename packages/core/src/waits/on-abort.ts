import { addSafeListener } from "../contract/guarded-signal.js";

interface Followed {
  readonly callbacks: Set<() => void>;
  stop(): void;
}

const followedSignals = new WeakMap<AbortSignal, Followed>();

/**
 * Calls back once when a signal aborts; at once when it has aborted already.
 *
 * All callbacks of one signal share one listener, so that many waits on a signal that lives as long
 * as the application do not make Node.js warn of a leak. Exceptions of callbacks are ignored.
 *
 * @returns Stops waiting. After the last one has stopped, the signal has no listener left.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) {
    run(callback);
    return () => undefined;
  }
  const followed = followedSignals.get(signal) ?? follow(signal);
  const own = () => callback(); // so that one callback can wait twice
  followed.callbacks.add(own);
  return () => {
    if (!followed.callbacks.delete(own) || followed.callbacks.size > 0) return;
    followed.stop();
  };
}

function follow(signal: AbortSignal): Followed {
  const callbacks = new Set<() => void>();
  const forget = () => {
    if (followedSignals.get(signal) === followed) followedSignals.delete(signal);
  };
  const abort = () => {
    forget();
    for (const callback of callbacks) run(callback);
    callbacks.clear();
  };
  const remove = addSafeListener(signal, abort);
  const followed: Followed = {
    callbacks,
    stop() {
      forget();
      remove();
    },
  };
  followedSignals.set(signal, followed);
  return followed;
}

function run(callback: () => void): void {
  try {
    callback();
  } catch {
    // An exception in an abort listener would end the process.
  }
}
