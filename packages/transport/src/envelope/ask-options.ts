import type { AskOptions, RemoteCaller, User } from "@constellation/core";
import type { IncomingCall } from "./call-envelope.js";

/**
 * Who makes a call, and which callers may name the user they call for.
 *
 * @beta
 */
export interface CallAuthority {
  /** The caller, as its connection was authenticated. Absent: not authenticated. */
  readonly user: User | undefined;
  /** Name of the caller, where it differs from the id of its user: the name of a process. */
  readonly peer?: string | undefined;
  /** Peers whose calls may name another user, and the thread they ask in: other meshes. `"all"`: every caller. */
  readonly trustedPeers: readonly string[] | "all";
}

/** Whether a caller is trusted to name users and threads. */
export function isTrustedPeer({ user, peer = user?.id, trustedPeers }: CallAuthority): boolean {
  return trustedPeers === "all" || (peer !== undefined && trustedPeers.includes(peer));
}

/**
 * The options of `ask` for a call from another mesh: its limits, data and user.
 *
 * @beta
 */
export function toAskOptions(
  { caller, user, thread, metadata }: IncomingCall,
  authority: CallAuthority,
): Pick<AskOptions, "user" | "metadata"> & { readonly caller: RemoteCaller } {
  const isTrusted = isTrustedPeer(authority);
  return {
    caller: isTrusted && thread !== undefined ? { ...caller, thread } : caller,
    user: isTrusted && user !== undefined ? user : authority.user,
    ...(metadata !== undefined && { metadata }),
  };
}
