/** What follows a caller's signal. */
export interface Follower {
  callerAborted(reason: unknown): void;
}

const followers = new WeakMap<AbortSignal, { all: Set<Follower>; onAbort: () => void }>();

/**
 * Follows a caller's signal until `unfollowSignal`. All followers of a signal share one listener:
 * a signal that lives as long as the application gathers none, and never makes Node.js warn.
 *
 * @param signal - Not aborted yet.
 */
export function followSignal(signal: AbortSignal, follower: Follower): void {
  const known = followers.get(signal);
  if (known !== undefined) {
    known.all.add(follower);
    return;
  }
  const all = new Set([follower]);
  const onAbort = () => {
    followers.delete(signal);
    for (const each of all) each.callerAborted(signal.reason);
  };
  followers.set(signal, { all, onAbort });
  signal.addEventListener("abort", onAbort, { once: true });
}

/** Releases the signal; the listener is removed with the last follower. */
export function unfollowSignal(signal: AbortSignal, follower: Follower): void {
  const known = followers.get(signal);
  if (known === undefined || !known.all.delete(follower) || known.all.size > 0) return;
  followers.delete(signal);
  signal.removeEventListener("abort", known.onAbort);
}
