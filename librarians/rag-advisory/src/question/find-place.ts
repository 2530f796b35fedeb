import { trimTrailing } from "@constellation/core/authoring";
import type { RAGCountry } from "../contract/rag-response.js";
import { countries, servedCountries } from "../country/countries.js";
import { gazetteer } from "../country/gazetteer.js";
import { type GazetteerPlace, maxNameWords, placesNamed } from "../country/known-places.js";
import { findOtherCountry } from "../country/other-countries.js";
import { wholeWords } from "../country/whole-words.js";
import { findForbidden } from "../rules/content-rules.js";
import { notPlaces } from "./not-places.js";
import type { AskedPlace } from "./question.js";
import { propertyWeight } from "./subject-words.js";

/** Maximum characters of a text that are read for places. */
const maxRead = 8_000;

/** A city or a locality that stands in a text, with all the places that its name can mean. */
export interface NamedPlace {
  /** As the text has it. */
  readonly written: string;
  readonly index: number;
  readonly end: number;
  /** The largest first. */
  readonly places: readonly GazetteerPlace[];
}

/** A state or region that stands in a text. */
export interface NamedRegion {
  readonly name: string;
  readonly country: RAGCountry;
  readonly index: number;
  readonly end: number;
}

/** States and regions, the longest name first where one begins like another. */
const regions = servedCountries.flatMap((country) =>
  [...new Set([...countries[country].regions, ...Object.keys(gazetteer[country])])]
    .filter((name) => !countries[country].spellings.includes(name.toLowerCase()))
    .map((name) => ({ country, name, form: wholeWords([name], "giu") })),
);
/** Names that are words: they count with a capital letter, and behind "in", "at", "near" or "around" only. */
const wordLike: ReadonlySet<string> = new Set(
  "bath reading hull derby surat york mobile phoenix boise charlotte columbus thane normal union orange enterprise deal sale commerce independence surprise sandy temple hope liberty mission corona concord lawrence plantation industry aurora troy warren margate rugby ware street wells battle poole barking stone bury hale crook hyde nelson corby stoke queens castro highlands satellite soho easton canton redland clifton chelsea mueller stratford jackson burnley dover lancaster wells blackpool worthing folkestone crewe harlow lowell odessa pace santee sunrise upland valley vista waltham weymouth woodland milton leek rhyl diss goa delta page florence paradise champaign carmel davis franklin galway fountain garland grove hemet irving jersey lakeside madison napa norman novi ontario palmer park pasco peabody perris plains poway racine rialto salina sterling superior taylor victoria wayne".split(
    " ",
  ),
);

/** Finds the cities, localities and states of a text; the longest name where two overlap. */
export function findPlaces(text: string): {
  readonly cities: readonly NamedPlace[];
  readonly regions: readonly NamedRegion[];
} {
  const cities = namedIn(text);
  const isInCity = (index: number, end: number) =>
    cities.some(
      (city) => city.index < end && index < city.end && city.end - city.index > end - index,
    );
  const found = regions.flatMap(({ country, name, form }) =>
    [...text.matchAll(form)].map(({ index, 0: written }): NamedRegion => {
      return { name, country, index, end: index + written.length };
    }),
  );
  return {
    // "New York" is the city; behind a city it is the state.
    cities,
    regions: found
      .filter(({ index, end }) => !isInCity(index, end))
      .filter((one) => !found.some((other) => isWithin(one, other))),
  };
}

function isWithin(one: NamedRegion, other: NamedRegion): boolean {
  return (
    other.index <= one.index &&
    other.end >= one.end &&
    other.end - other.index > one.end - one.index
  );
}

function namedIn(text: string): readonly NamedPlace[] {
  const words = [...text.slice(0, maxRead).matchAll(/[\p{L}][\p{L}'’.-]*/gu)];
  const found: NamedPlace[] = [];
  for (let at = 0; at < words.length; ) {
    const named = longestName(text, words, at);
    if (named !== undefined) found.push(named.place);
    at += named?.count ?? 1;
  }
  return found;
}

/** The longest name that begins at a word. */
function longestName(
  text: string,
  words: readonly RegExpExecArray[],
  at: number,
): { readonly place: NamedPlace; readonly count: number } | undefined {
  const index = words[at]?.index ?? 0;
  for (let count = Math.min(maxNameWords, words.length - at); count > 0; count--) {
    const last = words[at + count - 1];
    if (last === undefined) continue;
    const whole = text.slice(index, last.index + last[0].length);
    const written = trimTrailing(whole, /[.'’-]/);
    if (/[\n,;:]/.test(written)) continue;
    const places = placesNamed(written);
    if (places.length === 0 || (count === 1 && !isName(text, written, index))) continue;
    return { place: { written, index, end: index + written.length, places }, count };
  }
  return undefined;
}

/** A name that is a word, too, needs its capital and a preposition before it. */
function isName(text: string, written: string, index: number): boolean {
  const lower = written.toLowerCase();
  if (!wordLike.has(lower) && !notPlaces.has(lower)) return true;
  const isBehind = /\b(?:in|at|near|around|of|from|for|and|or|is|,)\s+$/i.test(
    text.slice(Math.max(0, index - 12), index),
  );
  const isTitle = /^\p{Lu}\p{Ll}/u.test(written);
  return isTitle && (isBehind || /^\s*,/.test(text.slice(index + written.length)));
}

/**
 * Reads the name of a place that no list has: capitalised words behind "in", "at", "near", "around", "of",
 * "for" or "from", or a word behind one of the first four that is no other word.
 */
export function findUnknownPlace(text: string): AskedPlace | undefined {
  const read = text.slice(0, maxRead);
  for (const [, name = ""] of read.matchAll(
    /\b(?:in|at|near|around|of|for|from)\s+(\p{Lu}[\p{L}'.-]+(?:\s+\p{Lu}[\p{L}'.-]+){0,3})/gu,
  )) {
    const bare = trimTrailing(name, /[.,'-]/);
    if (bare !== "" && !isCommon(bare) && findForbidden(bare).length === 0) return unknown(bare);
  }
  for (const [, name = ""] of read.matchAll(
    /\b(?:in|at|near|around)\s+(\p{Ll}[\p{Ll}'-]{2,29})/gu,
  )) {
    const bare = trimTrailing(name, /[.,'-]/);
    const isWord =
      notPlaces.has(bare) ||
      wordLike.has(bare) ||
      isNamed(bare) ||
      propertyWeight(bare) > 0 ||
      bare.endsWith("ing");
    if (bare.length > 2 && !isWord) return unknown(bare);
  }
  return undefined;
}

function unknown(name: string): AskedPlace {
  return { name, names: [name], isKnown: false };
}

/** Whether a word names a country or a region. */
function isNamed(word: string): boolean {
  return (
    findOtherCountry(word) !== undefined ||
    servedCountries.some(
      (country) =>
        countries[country].spellings.includes(word) ||
        countries[country].codes.includes(word.toUpperCase()),
    ) ||
    regions.some(({ name }) => name.toLowerCase().split(" ").includes(word))
  );
}

function isCommon(name: string): boolean {
  return /^(?:January|February|March|April|May|June|July|August|September|October|November|December|Q[1-4]|RERA|HOA|EPC|BHK|INR|USD|GBP|EMI|GST|NRIs?|FSI|SDLT|EWS1|The|A|An|I|My)$/i.test(
    name,
  );
}
