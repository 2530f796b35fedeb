import type { EntryPostings } from "./entry-postings.js";
import { readTerms } from "./query-terms.js";
import { knownTroubles } from "./signals.js";

/** How far entries are made for a trouble, 0 to 1, by place; undefined where no text of it is given. */
export type MatchTroubles = (
  troubles: readonly string[],
) => ReadonlyMap<number, number> | undefined;

/** What a term takes that an entry names only among what it is not for. */
const againstWeight = 0.7;
/** Likeness below which an entry is made for no known trouble. */
const minLikeness = 0.5;

/**
 * Compares entries with all troubles that are known: an entry that another trouble fits better is made for that one, however
 * many words it shares with this one.
 */
export function createTroubleMatch(postings: EntryPostings): MatchTroubles {
  const measure = (trouble: string) => {
    const terms = [...readTerms(trouble)];
    const size = Math.sqrt(terms.reduce((sum, term) => sum + postings.worth(term), 0));
    const byPlace = new Map<number, number>();
    for (const term of size === 0 ? [] : terms) {
      const worth = postings.worth(term) / size;
      for (const { place, support, isAgainst } of postings.postingsOf(term)) {
        const shared = isAgainst ? -againstWeight * worth : support * worth;
        byPlace.set(place, (byPlace.get(place) ?? 0) + shared);
      }
    }
    return byPlace;
  };
  const highest = (troubles: readonly string[]) => {
    const found = new Map<number, number>();
    for (const trouble of troubles) {
      for (const [place, likeness] of measure(trouble))
        found.set(place, Math.max(likeness, found.get(place) ?? 0));
    }
    return found;
  };
  let ofAny: ReadonlyMap<number, number> | undefined;
  return (troubles) => {
    if (troubles.length === 0) return undefined;
    ofAny ??= highest(knownTroubles());
    const best = ofAny;
    return new Map(
      [...highest(troubles)].map(([place, likeness]) => [
        place,
        likeness / Math.max(minLikeness, best.get(place) ?? 0),
      ]),
    );
  };
}
