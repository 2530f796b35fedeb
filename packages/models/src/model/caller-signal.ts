const followers = new WeakMap<AbortSignal, { all: Set<() => void>; onAbort: () => void }>();

/**
 * Follows a caller's signal. All calls that follow one signal share one listener: a hop that makes
 * many calls at once does not make Node.js warn of a leak.
 *
 * @param signal - Not aborted yet.
 * @returns Lets go of the signal; the listener goes with the last follower.
 */
export function followSignal(signal: AbortSignal, callerAborted: () => void): () => void {
  const known = followers.get(signal) ?? startFollowing(signal);
  known.all.add(callerAborted);
  return () => {
    if (!known.all.delete(callerAborted) || known.all.size > 0) return;
    followers.delete(signal);
    signal.removeEventListener("abort", known.onAbort);
  };
}

function startFollowing(signal: AbortSignal) {
  const all = new Set<() => void>();
  const onAbort = () => {
    followers.delete(signal);
    for (const callerAborted of all) callerAborted();
  };
  const known = { all, onAbort };
  followers.set(signal, known);
  signal.addEventListener("abort", onAbort, { once: true });
  return known;
}
