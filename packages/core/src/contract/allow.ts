import type { User } from "./user.js";

/** Users who may ask a librarian. One match is enough; a user without an id matches nothing. */
export interface AllowList {
  /** Ids of users. */
  readonly users?: readonly string[] | undefined;
  /** Teams, one of which the user must be in. */
  readonly teams?: readonly string[] | undefined;
  /** Roles, one of which the user must have. */
  readonly roles?: readonly string[] | undefined;
}

/**
 * Decides who may ask a librarian: a list, or a function of the user, `undefined` for a query without
 * one. Only `true` allows: a promise, another value or an exception refuses. Called before each hop
 * and for each list, so it must be fast.
 */
export type Allow = AllowList | ((user: User | undefined) => boolean);

/** Whether a rule lets this user ask. Never throws. */
export function isAllowed(allow: Allow, user: User | undefined): boolean {
  try {
    if (typeof allow === "function") return allow(user) === true;
    if (user === undefined) return false;
    const { users, teams, roles } = allow;
    return (
      users?.includes(user.id) === true ||
      hasCommon(teams, user.teams) ||
      hasCommon(roles, user.roles)
    );
  } catch {
    return false;
  }
}

/** @param given - Of the user, who comes from the application: may be anything. */
function hasCommon(allowed: readonly string[] | undefined, given: unknown): boolean {
  return (
    allowed !== undefined &&
    Array.isArray(given) &&
    given.some((each) => allowed.includes(each as string))
  );
}
