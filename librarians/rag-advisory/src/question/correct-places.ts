import { editDistance } from "@constellation/nlu";
import { areaNamed, type KnownNames, listedNames, namesOfOneWord } from "../country/gazetteer.js";
import { notPlaces } from "./find-mentions.js";
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

/**
 * Reads a misspelt city as the one known name that is one letter away (two in long names; two letters
 * that changed places count as one) and begins with the same letter: `Vizg` as `Vizag`. Only words that
 * stand where a place does are looked at: behind "in", "at", "near" or "around". The cities that the table of a
 * country lists are looked at first, and the others only for a name that is long enough to be sure.
 */
export function correctPlaces(query: string, names: KnownNames = listedNames): CorrectedQuery {
  const words = query.matchAll(/\b(?:in|at|near|around) (\p{L}{4,30})(?=$|[\s,.?!;])/giu);
  let count = 0;
  for (const { 0: match, 1: written = "", index } of words) {
    if (++count > maxWords) break;
    const lower = written.toLowerCase();
    if (!/^\p{Lu}/u.test(written) && lower.length <= minLength) continue;
    if (
      notPlaces.has(lower) ||
      areaNamed(written) !== undefined ||
      names.places(written).length > 0
    )
      continue;
    const read =
      closest(lower, true) ?? (lower.length < longName - 1 ? undefined : closest(lower, false));
    if (read === undefined) continue;
    const start = index + match.length - written.length;
    const corrected = query.slice(0, start) + read + query.slice(start + written.length);
    return { query: corrected, correction: { written, read } };
  }
  return { query };
}

/** The name of the one place with a name that is close; `undefined` for none, and for several. */
function closest(lower: string, isListed: boolean): string | undefined {
  const close = namesOfOneWord().filter(
    ([name, place]) =>
      (!isListed || (place.isListed === true && name.length > minLength)) && isClose(lower, name),
  );
  const places = new Set(close.map(([, { locality, name }]) => locality ?? name));
  return places.size === 1
    ? close[0]?.[0].replace(/^./, (first) => first.toUpperCase())
    : undefined;
}

function isClose(written: string, name: string): boolean {
  if (written.charAt(0) !== name.charAt(0)) return false;
  const max = Math.min(written.length, name.length) >= longName ? 2 : 1;
  return editDistance(written, name, max) <= max;
}
