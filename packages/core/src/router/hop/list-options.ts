import type { LibrarianServices } from "../../contract/definition.js";
import { checkOptions, userOption } from "../../contract/option-checks.js";
import type { User } from "../../contract/user.js";
import type { Registration } from "../../registry/registration.js";
import type { Registry } from "../../registry/registry.js";
import { mayAsk } from "./guard.js";

/** Options of a list of librarians. */
export interface ListOptions {
  /**
   * Lists only librarians that this user may ask; `undefined`: those that a query without a user may.
   * Adapters that show lists to others must always pass these options.
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

/** Which librarians a list has: with options, those that a user may ask. */
export function mayAskFor(
  options: ListOptions | undefined,
): ((registration: Registration) => boolean) | undefined {
  if (options === undefined) return undefined;
  const asking = { user: options.user, parent: undefined };
  return (registration) => mayAsk(asking, registration);
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
  const isListed = mayAskFor(options) ?? (() => true);
  return [...registry.registrations()].filter(isListed).flatMap(({ definition }) => {
    const { id, services } = definition;
    return services === undefined ? [] : { ...services, librarian: id };
  });
}
