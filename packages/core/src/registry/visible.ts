import type { LibrarianInfo } from "../contract/librarian-info.js";
import type { Registration } from "./registration.js";

/**
 * Descriptions as one who may not ask all librarians reads them: without those, and without their ids
 * in `delegatesTo` of the others.
 *
 * @param get - Finds a librarian by id.
 * @param mayAsk - Whether it may be asked.
 */
export function visibleInfos(
  registrations: Iterable<Registration>,
  get: (id: string) => Registration | undefined,
  mayAsk: (registration: Registration) => boolean,
): readonly LibrarianInfo[] {
  const decided = new Map<Registration, boolean>();
  const isVisible = (registration: Registration): boolean => {
    const known = decided.get(registration) ?? mayAsk(registration);
    decided.set(registration, known);
    return known;
  };
  const infos: LibrarianInfo[] = [];
  for (const registration of registrations) {
    if (!isVisible(registration)) continue;
    const { info } = registration;
    const shown = info.delegatesTo?.filter((id) => {
      const target = get(id);
      return target === undefined || isVisible(target);
    });
    const isWhole = shown === undefined || shown.length === info.delegatesTo?.length;
    infos.push(isWhole ? info : Object.freeze({ ...info, delegatesTo: Object.freeze(shown) }));
  }
  return infos;
}
