import type { RAGCountry } from "../contract/rag-response.js";
import { wholeWords } from "../country/countries.js";
import { type GazetteerPlace, placesMeant } from "../country/known-places.js";
import type { NamedPlace } from "./find-place.js";

/** What else of a question says which of several places is meant. */
export interface Hints {
  readonly regions: readonly string[];
  readonly behind: readonly RAGCountry[];
  readonly named: readonly RAGCountry[];
  readonly hinted: readonly RAGCountry[];
  readonly given: RAGCountry | undefined;
  readonly query: string;
}

/** The places that a name can mean beside the rest of the question. */
export function narrowPlaces(
  { places }: NamedPlace,
  cities: readonly NamedPlace[],
  { regions, behind, named, hinted, given, query }: Hints,
): readonly GazetteerPlace[] {
  const others = cities.flatMap((city) => (city.places === places ? [] : city.places));
  const narrowed = [
    (place: GazetteerPlace) =>
      place.region !== undefined &&
      (regions.includes(place.region) ||
        (place.isStored === true && wholeWords([place.region], "iu").test(query))),
    (place: GazetteerPlace) =>
      place.locality !== undefined &&
      others.some((city) => city.name === place.name && city.country === place.country),
    (place: GazetteerPlace) => behind.includes(place.country),
    (place: GazetteerPlace) => named.includes(place.country),
  ].reduce((left, keeps) => keepUnlessEmpty(left, keeps), places);
  const meant = placesMeant(narrowed);
  if (meant.length < 2) return meant;
  // Rows of several say that either may be meant.
  if (meant.every(({ isStored }) => isStored === true)) return meant;
  const byHints = keepUnlessEmpty(meant, (place) => hinted.includes(place.country));
  return keepUnlessEmpty(byHints, (place) => place.country === given);
}

/** Those that a hint keeps; all where it keeps none. */
function keepUnlessEmpty(
  places: readonly GazetteerPlace[],
  keeps: (place: GazetteerPlace) => boolean,
): readonly GazetteerPlace[] {
  const kept = places.filter(keeps);
  return kept.length === 0 ? places : kept;
}

/** A place for people: `Salem, Oregon (US)`. */
export function describePlace({ name, locality, region, country }: GazetteerPlace): string {
  const place = locality === undefined ? name : `${locality}, ${name}`;
  return region === undefined || locality !== undefined
    ? `${place} (${country})`
    : `${place}, ${region} (${country})`;
}
