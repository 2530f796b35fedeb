/** Who follows a signal. One listener serves them all, since many reads share the signal of one question. */
const followers = new WeakMap<AbortSignal, { readonly calls: Set<() => void>; stop(): void }>();

/**
 * Calls `onAbort` once when the signal aborts; at once when it has aborted already.
 *
 * @returns Stops following. After the last one has stopped, the signal has no listener left.
 */
export function followSignal(signal: AbortSignal, onAbort: () => void): () => void {
  if (signal.aborted) {
    onAbort();
    return () => {};
  }
  const followed = followers.get(signal) ?? startFollowing(signal);
  // A function of its own, so that one callback can follow twice.
  const call = () => onAbort();
  followed.calls.add(call);
  return () => {
    followed.calls.delete(call);
    if (followed.calls.size > 0) return;
    followed.stop();
    if (followers.get(signal) === followed) followers.delete(signal);
  };
}

function startFollowing(signal: AbortSignal) {
  const calls = new Set<() => void>();
  const tell = () => {
    for (const call of calls) call();
  };
  signal.addEventListener("abort", tell, { once: true });
  const followed = { calls, stop: () => signal.removeEventListener("abort", tell) };
  followers.set(signal, followed);
  return followed;
}
