import type { LibrarianServices } from "../../contract/definition.js";
import type { LibrarianInfo } from "../../contract/librarian-info.js";
import { checkOptions, userOption } from "../../contract/option-checks.js";
import type { User } from "../../contract/user.js";
import type { Registration } from "../../registry/registration.js";
import type { Registry } from "../../registry/registry.js";
import { mayAsk } from "./guard.js";

/** Options of a list of librarians. */
export interface ListOptions {
  /**
   * Lists only librarians that this user may ask; `undefined`: those that a query without a user may.
   * Adapters that show lists to others pass these options always.
   */
  readonly user: User | undefined;
}

const listTable = { user: userOption } as const;

/** @throws TypeError that names the key and the value. */
export function checkListOptions(options: unknown): ListOptions | undefined {
  if (options === undefined) return undefined;
  const { user } = checkOptions<Partial<ListOptions>>("options", options, listTable);
  return { user };
}

/** Librarians in the order of registration; with options, those that a user may ask. */
export function listFor(registry: Registry, options?: ListOptions): readonly LibrarianInfo[] {
  if (options === undefined || !registry.hasRules) return registry.list();
  return registry.listVisible(allows(options.user));
}

/** The same, of those with a capability. */
export function findFor(
  registry: Registry,
  capability: string,
  options?: ListOptions,
): readonly LibrarianInfo[] {
  if (options === undefined || !registry.hasRules) return registry.find(capability);
  return registry.findVisible(capability, allows(options.user));
}

/** The services of one librarian. */
export interface OfferedServices extends LibrarianServices {
  /** Id of the librarian. */
  readonly librarian: string;
}

/** The services of librarians, in the order of registration; with options, of those that a user may ask. */
export function listServices(
  registry: Registry,
  options?: ListOptions,
): readonly OfferedServices[] {
  const offered: OfferedServices[] = [];
  for (const registration of registry.registrations()) {
    const { id, services } = registration.definition;
    if (services === undefined) continue;
    if (options !== undefined && !allows(options.user)(registration)) continue;
    offered.push({ ...services, librarian: id });
  }
  return offered;
}

function allows(user: User | undefined): (registration: Registration) => boolean {
  const asking = { user, parent: undefined };
  return (registration) => mayAsk(asking, registration);
}
