import type { LibrarianServices } from "../contract/services.js";
import type { Registry } from "../registry/registry.js";
import type { ListOptions } from "./list-options.js";
import { mayAsk } from "./run/rights.js";

/** The services of one librarian. */
export interface OfferedServices extends LibrarianServices {
  /** Id of the librarian. */
  readonly librarian: string;
}

/** The services of librarians, in the order of registration; with options, of those that a user may ask. */
export function servicesOf(
  registry: Registry,
  options: ListOptions | undefined,
): readonly OfferedServices[] {
  const offered: OfferedServices[] = [];
  for (const registration of registry.registrations()) {
    const { id, services } = registration.definition;
    if (services === undefined) continue;
    if (options !== undefined && !mayAsk({ user: options.user, parent: undefined }, registration))
      continue;
    offered.push({ ...services, librarian: id });
  }
  return offered;
}
