import type { AskOptions, User } from "@constellation/core";
import type { IncomingCall } from "./call-envelope.js";

/**
 * Who makes a call, and which callers may name the user they call for.
 *
 * @beta
 */
export interface CallAuthority {
  /** The caller, as its connection was authenticated. Absent: not authenticated. */
  readonly user: User | undefined;
  /** Ids of authenticated users whose calls may name another user: other meshes. */
  readonly trustedPeers: readonly string[];
}

/**
 * The options of `ask` for a call from another mesh: its limits, its data, and on whose behalf.
 *
 * @beta
 */
export function toAskOptions(
  { caller, user, thread, metadata }: IncomingCall,
  authority: CallAuthority,
): Pick<AskOptions, "caller" | "user" | "metadata"> {
  const { user: authenticated, trustedPeers } = authority;
  const isTrusted = authenticated !== undefined && trustedPeers.includes(authenticated.id);
  return {
    caller: isTrusted && thread !== undefined ? { ...caller, thread } : caller,
    user: isTrusted && user !== undefined ? user : authenticated,
    ...(metadata !== undefined && { metadata }),
  };
}
