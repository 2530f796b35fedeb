import { editDistance } from "@constellation/nlu";
import { countries, servedCountries } from "../country/countries.js";
import { namesOfOneWord, type PlaceNames, placesNamed } from "../country/known-places.js";
import { findOtherCountry } from "../country/other-countries.js";
import { notPlaces } from "./find-place.js";
import type { Correction } from "./question.js";

/** A query whose misspelt place is written as it is known. */
export interface CorrectedQuery {
  readonly query: string;
  readonly correction?: Correction | undefined;
}

const minLength = 4;
/** Names this long may differ in two letters, shorter ones in one. */
const longName = 8;
/** Maximum number of words that are looked at. */
const maxWords = 50;

/** Known names of one word, with the place that each names. */
const placeOf: ReadonlyMap<string, string> = new Map(
  servedCountries.flatMap((country) =>
    countries[country].places.flatMap((names) =>
      names
        .filter((each) => each.length > minLength && !each.includes(" "))
        .map((each) => [each, names[0] ?? each] as const),
    ),
  ),
);
const knownNames: readonly string[] = [...placeOf.keys()];
const known: ReadonlySet<string> = new Set(
  servedCountries
    .flatMap((country) => [...countries[country].regions, ...countries[country].spellings])
    .concat(knownNames)
    .map((name) => name.toLowerCase()),
);

/**
 * Reads a misspelt city as the one known name that is one letter away (two in long names; two letters
 * that changed places count as one) and begins with the same letter: `Vizg` as `Vizag`. Only words that
 * stand where a place does are looked at: behind "in", "at", "near" or "around".
 */
export function correctPlaces(query: string, named: PlaceNames = placesNamed): CorrectedQuery {
  const words = query.matchAll(/\b(?:in|at|near|around) (\p{L}{4,30})(?=$|[\s,.?!;])/giu);
  let count = 0;
  for (const { 0: match, 1: written = "", index } of words) {
    if (++count > maxWords) break;
    const lower = written.toLowerCase();
    const isCapital = /^\p{Lu}/u.test(written);
    if (known.has(lower) || (!isCapital && lower.length <= minLength)) continue;
    if (findOtherCountry(written) !== undefined) continue;
    if (notPlaces.has(lower) || named(written).length > 0) continue;
    const read =
      closest(lower, knownNames, (name) => placeOf.get(name)) ?? closestOtherPlace(lower);
    if (read === undefined) continue;
    const start = index + match.length - written.length;
    const corrected = query.slice(0, start) + read + query.slice(start + written.length);
    return { query: corrected, correction: { written, read } };
  }
  return { query };
}

/** The one place with a name that is close; `undefined` for none, and for several. */
function closest(
  lower: string,
  names: readonly string[],
  placeNamed: (name: string) => string | undefined,
): string | undefined {
  const close = names.filter((name) => isClose(lower, name.toLowerCase()));
  return new Set(close.map(placeNamed)).size === 1 ? close[0] : undefined;
}

/** The same among all that is known, where the name is long enough to be sure. */
function closestOtherPlace(lower: string): string | undefined {
  if (lower.length < longName - 1) return undefined;
  otherPlaces ??= new Map(namesOfOneWord());
  const name = closest(lower, [...otherPlaces.keys()], (each) => otherPlaces?.get(each));
  return name?.replace(/^./, (first) => first.toUpperCase());
}

let otherPlaces: ReadonlyMap<string, string> | undefined;

function isClose(written: string, name: string): boolean {
  if (written.charAt(0) !== name.charAt(0)) return false;
  const max = Math.min(written.length, name.length) >= longName ? 2 : 1;
  return editDistance(written, name, max) <= max;
}
