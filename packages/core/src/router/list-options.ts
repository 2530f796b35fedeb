import type { LibrarianInfo } from "../contract/librarian-info.js";
import { refuseUnknownKeys } from "../contract/option-checks.js";
import { describeValue, isRecord } from "../contract/unknown-value.js";
import type { User } from "../contract/user.js";
import type { Registration } from "../registry/registration.js";
import type { Registry } from "../registry/registry.js";
import { mayAsk } from "./run/rights.js";

/** Options of a list of librarians. */
export interface ListOptions {
  /**
   * Lists only librarians that this user may ask; `undefined`: those that a query without a user may.
   * Adapters that show lists to others pass these options always.
   */
  readonly user: User | undefined;
}

const listKeys: ReadonlySet<string> = new Set<keyof ListOptions>(["user"]);

/** @throws TypeError that names the key and the value. */
export function checkListOptions(options: unknown): ListOptions {
  if (!isRecord(options)) {
    throw new TypeError(`options: expected an object, got ${describeValue(options)}.`);
  }
  refuseUnknownKeys("options", options, listKeys);
  requireUser(options.user);
  return { user: options.user as User | undefined }; // checked above
}

/** @throws TypeError unless `user` is absent, or an object with an id. */
export function requireUser(user: unknown): void {
  if (user !== undefined && !(isRecord(user) && typeof user.id === "string" && user.id !== "")) {
    throw new TypeError(`user: expected an object with an id, got ${describeValue(user)}.`);
  }
}

/** Librarians that a user may ask, in the order of registration. */
export function listFor(registry: Registry, { user }: ListOptions): readonly LibrarianInfo[] {
  return registry.hasRules ? registry.listVisible(allows(user)) : registry.list();
}

/** The same, of those with a capability. */
export function findFor(
  registry: Registry,
  capability: string,
  { user }: ListOptions,
): readonly LibrarianInfo[] {
  return registry.hasRules
    ? registry.findVisible(capability, allows(user))
    : registry.find(capability);
}

function allows(user: User | undefined): (registration: Registration) => boolean {
  const asking = { user, parent: undefined };
  return (registration) => mayAsk(asking, registration);
}
