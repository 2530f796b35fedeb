/** The user of a query. Reaches every librarian of a run; a delegation can take teams and roles away. */
export interface User {
  /** Stable id in the application's own directory. */
  readonly id: string;
  readonly name?: string | undefined;
  readonly teams?: readonly string[] | undefined;
  readonly roles?: readonly string[] | undefined;
}

/**
 * The teams and roles of the user that a delegation keeps. Those the user does not have are ignored:
 * nothing can be added. A list that is not given keeps all.
 */
export interface UserLimits {
  readonly teams?: readonly string[] | undefined;
  readonly roles?: readonly string[] | undefined;
}

/** A user with no more than these teams and roles. Everything else is unchanged. */
export function limitUser(user: User, { teams, roles }: UserLimits): User {
  return Object.freeze({
    ...user,
    ...(teams !== undefined && { teams: common(user.teams, teams) }),
    ...(roles !== undefined && { roles: common(user.roles, roles) }),
  });
}

/** @param held - Of the user, who comes from the application: may be anything. */
function common(held: unknown, kept: readonly string[]): readonly string[] {
  if (!Array.isArray(held)) return Object.freeze([]);
  return Object.freeze((held as readonly string[]).filter((each) => kept.includes(each)));
}
