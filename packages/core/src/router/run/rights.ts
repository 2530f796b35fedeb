import { isAllowed } from "../../contract/allow.js";
import type { User } from "../../contract/user.js";
import type { Registration } from "../../registry/registration.js";

/** The part of a hop that decides on rights: its user, and that of each hop above it. */
interface Asking {
  readonly user: User | undefined;
  readonly parent: Asking | undefined;
}

/**
 * Whether a hop may ask a librarian on behalf of its user. The user of each hop above must be allowed
 * too: a rule may refuse someone because of a role, and taking that role away must not help.
 */
export function mayAsk(hop: Asking, { definition: { allow } }: Registration): boolean {
  if (allow === undefined) return true;
  let last: Asking = hop;
  if (!isAllowed(allow, hop.user)) return false;
  for (let above = hop.parent; above !== undefined; above = above.parent) {
    if (above.user !== last.user && !isAllowed(allow, above.user)) return false;
    last = above;
  }
  return true;
}
