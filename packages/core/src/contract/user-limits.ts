import { describeType, isRecord } from "./unknown-value.js";
import type { UserLimits } from "./user.js";

/** Maximum number of teams, and of roles, that a delegation can name. */
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
  // Ignoring another key would leave rights that it was meant to take away.
  const unknownKey = Object.keys(value).some((key) => key !== "teams" && key !== "roles");
  if (unknownKey) return { problem: ": expected no keys but teams and roles" };
  const teams = namesOf(value.teams);
  if (teams === "invalid") return { problem: `.teams: ${expectedNames}` };
  const roles = namesOf(value.roles);
  if (roles === "invalid") return { problem: `.roles: ${expectedNames}` };
  return { part: { ...(teams && { teams }), ...(roles && { roles }) } };
}

const expectedNames = `expected an array of at most ${maxUserLimits} texts`;

function namesOf(value: unknown): readonly string[] | "invalid" | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || value.length > maxUserLimits) return "invalid";
  const names: unknown[] = [...(value as unknown[])];
  return names.every(isName) ? names : "invalid";
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value.length <= maxNameLength;
}
