import { describeType, isRecord } from "./unknown-value.js";

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
 * nothing can be added. A missing list keeps all.
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

/** @param held - List of the user, from the application: may be anything. */
function common(held: unknown, kept: readonly string[]): readonly string[] {
  if (!Array.isArray(held)) return Object.freeze([]);
  return Object.freeze((held as readonly string[]).filter((each) => kept.includes(each)));
}

/**
 * Maximum number of teams, and of roles, that a delegation can name.
 *
 * @beta
 */
export const maxUserLimits = 1_000;

const maxNameLength = 100_000;

/**
 * Reads the `user` of a delegation, each field once.
 *
 * @returns A copy, or what is wrong: `.teams: expected ...`, to be put after the name of the field.
 */
export function readUserLimits(
  value: unknown,
): { readonly part: UserLimits | undefined } | { readonly problem: string } {
  if (value === undefined) return { part: undefined };
  if (!isRecord(value)) {
    return { problem: `: expected an object with teams or roles, got ${describeType(value)}` };
  }
  // An unknown key is refused: ignoring it would leave rights that it was meant to remove.
  const unknownKey = Object.keys(value).some((key) => key !== "teams" && key !== "roles");
  if (unknownKey) return { problem: ": expected no keys but teams and roles" };
  const teams = readNames(value.teams);
  if (teams === "invalid") return { problem: `.teams: ${expectedNames}` };
  const roles = readNames(value.roles);
  if (roles === "invalid") return { problem: `.roles: ${expectedNames}` };
  return { part: { ...(teams && { teams }), ...(roles && { roles }) } };
}

const expectedNames = `expected an array of at most ${maxUserLimits} texts`;

function readNames(value: unknown): readonly string[] | "invalid" | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || value.length > maxUserLimits) return "invalid";
  const names: unknown[] = [...(value as unknown[])];
  return names.every(isName) ? names : "invalid";
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value.length <= maxNameLength;
}

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

/** @param given - List of the user, from the application: may be anything. */
function hasCommon(allowed: readonly string[] | undefined, given: unknown): boolean {
  return (
    allowed !== undefined &&
    Array.isArray(given) &&
    given.some((each) => allowed.includes(each as string))
  );
}
