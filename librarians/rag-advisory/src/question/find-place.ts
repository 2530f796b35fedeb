import { readFileSync } from "node:fs";
import { trimTrailing } from "@constellation/authoring";
import { isCommonWord } from "@constellation/nlu";
import type { RAGCountry } from "../contract/rag-response.js";
import { countries, gazetteer, servedCountries, wholeWords } from "../country/countries.js";
import {
  type GazetteerPlace,
  maxNameWords,
  type PlaceNames,
  placesNamed,
} from "../country/known-places.js";
import { findOtherCountry } from "../country/other-countries.js";
import { findForbidden } from "../rules/content-rules.js";
import type { QueryPlace } from "./question.js";
import { propertyWeight } from "./subject-words.js";

const listed = JSON.parse(
  readFileSync(new URL("../../data/place-words.json", import.meta.url), "utf8"),
) as Readonly<Record<"notPlaces" | "wordLike" | "ways", string>>;
/** Words that are behind "in", "at", "near" and "around" and name no place. */
export const notPlaces: ReadonlySet<string> = new Set(listed.notPlaces.split(" "));

/** Maximum characters of a text that are read for places. */
const maxRead = 8_000;

/** A city or a locality that is in a text, with all the places that its name can mean. */
export interface NamedPlace {
  /** As the text has it. */
  readonly written: string;
  readonly index: number;
  readonly end: number;
  /** The largest first. */
  readonly places: readonly GazetteerPlace[];
}

/** A state or region that is in a text. */
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
const wordLike = new Set(listed.wordLike.split(" "));

/** Finds the cities, localities and states of a text; the longest name where two overlap. */
export function findPlaces(
  text: string,
  named: PlaceNames = placesNamed,
): {
  readonly cities: readonly NamedPlace[];
  readonly regions: readonly NamedRegion[];
} {
  const cities = namedIn(text, named);
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

function namedIn(text: string, named: PlaceNames): readonly NamedPlace[] {
  const words = [...text.slice(0, maxRead).matchAll(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’./-]*/gu)];
  const found: NamedPlace[] = [];
  for (let at = 0; at < words.length; ) {
    const longest = longestName(text, words, at, named);
    if (longest !== undefined) found.push(longest.place);
    at += longest?.count ?? 1;
  }
  return found;
}

function findWords(text: string): readonly RegExpExecArray[] {
  return [...text.matchAll(/\p{L}[\p{L}\p{M}'’.-]*/gu)];
}

/** The longest name that begins at a word. */
function longestName(
  text: string,
  words: readonly RegExpExecArray[],
  at: number,
  named: PlaceNames,
): { readonly place: NamedPlace; readonly count: number } | undefined {
  const index = words[at]?.index ?? 0;
  for (let count = Math.min(maxNameWords, words.length - at); count > 0; count--) {
    const last = words[at + count - 1];
    if (last === undefined) continue;
    const whole = text.slice(index, last.index + last[0].length);
    const written = trimTrailing(whole, /[.'’-]/);
    if (/[\n,;:]/.test(written)) continue;
    const places = named(written);
    const next = words[at + count];
    const isPart =
      next !== undefined &&
      isAdjacent(text, words, at + count - 1) &&
      ways.has(next[0].toLowerCase());
    // "Wardha Road" is in no Wardha.
    if (
      isPart &&
      places.length > 0 &&
      places.every(({ locality, isStored }) => !locality && !isStored)
    )
      return undefined;
    if (places.length === 0 || (count === 1 && !isName(text, written, index))) continue;
    // A part of a city may have any word for its name: "List" in Hannover.
    if (count === 1 && places[0]?.isStored === true && isOrdinary(written)) continue;
    return { place: { written, index, end: index + written.length, places }, count };
  }
  return undefined;
}

/** Whether a word in lower case is an ordinary word, not a name. */
function isOrdinary(written: string): boolean {
  return /^\p{Ll}/u.test(written) && (isCommonWord(written) || propertyWeight(written) > 0);
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

/** Words behind the name of a city that make it the name of a part of another: `Wardha Road`, `Nashik Road`. */
const ways = new Set(listed.ways.split(" "));
/** Words behind which a place stands, and others behind which one with a capital letter does. */
const placing: ReadonlySet<string> = new Set(["in", "at", "near", "around", "on"]);
const relating: ReadonlySet<string> = new Set(["of", "for", "from"]);

/**
 * Reads the name of a place that no list has: capitalised words behind "in", "at", "near", "around", "of",
 * "for" or "from", or a word behind one of the first four that is no other word.
 */
export function findUnknownPlace(text: string): QueryPlace | undefined {
  const read = text.slice(0, maxRead);
  const words = findWords(read);
  const following = words.map(({ 0: word }) => ({
    isPlacing: placing.has(word.toLowerCase()),
    isRelating: relating.has(word.toLowerCase()),
  }));
  for (const [at, { isPlacing, isRelating }] of following.entries()) {
    const name = isPlacing || isRelating ? capitalisedName(read, words, at + 1) : "";
    if (name.length > 1 && !isCommon(name) && findForbidden(name).length === 0)
      return unknown(name);
  }
  for (const [at, { isPlacing }] of following.entries()) {
    const next = isPlacing ? trimTrailing(words[at + 1]?.[0] ?? "", /[.'’-]/) : "";
    const isNext = isAdjacent(read, words, at);
    if (isNext && next.length > 2 && next === next.toLowerCase() && !isOtherWord(next))
      return unknown(next);
  }
  return undefined;
}

/** What stands between two places that are set side by side, as a part of an expression. */
export const conjunction =
  "\\s{0,3},?\\s{0,3}(?:and|or|versus|vs\\.?|against|&|than|(?:as )?compared (?:to|with)|with)\\s{1,3}(?:(?:those )?(?:in|at|near|around|of|for)\\s{1,3})?";
const capitalised =
  "(?<name>[\\p{Lu}\\p{Lo}][\\p{L}\\p{M}'’-]{2,30}(?: \\p{Lu}[\\p{L}'’-]{2,30}){0,2})";
const nameForm = new RegExp(capitalised, "gu");
const nameBehind = new RegExp(`^(?!\\s{1,3}with\\s)${conjunction}${capitalised}`, "u");
const nameSetBeside = new RegExp(`^${conjunction}${capitalised}`, "u");
const onlyConjunction = new RegExp(`^${conjunction}$`, "u");

/** Names with a capital letter that a list sets beside a place: of "Nagpur and Wakanda" the latter. */
export function unknownBeside(
  query: string,
  { index, end }: NamedPlace,
  named: PlaceNames = placesNamed,
): readonly string[] {
  const head = query.slice(Math.max(0, index - 100), index);
  const last = [...head.matchAll(nameForm)].at(-1);
  const isBefore =
    last !== undefined &&
    /\b(?:in|at|near|around|between|of|for|compare) $/i.test(head.slice(0, last.index)) &&
    onlyConjunction.test(head.slice(last.index + last[0].length));
  const before = isBefore ? last : undefined;
  const isCompared = /\bcompare\b/i.test(query);
  const behind = (isCompared ? nameSetBeside : nameBehind).exec(query.slice(end, end + 100));
  return [before?.groups?.name, behind?.groups?.name].filter(
    (name): name is string =>
      name !== undefined &&
      named(name).length === 0 &&
      !isCommon(name) &&
      !isOtherWord(name.toLowerCase()) &&
      findForbidden(name).length === 0,
  );
}

/** The words with a capital letter from a word on, with blanks between them only. */
function capitalisedName(text: string, words: readonly RegExpExecArray[], from: number): string {
  let to = from;
  while (
    to < from + maxNameWords &&
    /^[\p{Lu}\p{Lo}]/u.test(words[to]?.[0] ?? "") &&
    isAdjacent(text, words, to - 1)
  ) {
    to += 1;
  }
  const first = words[from];
  const last = words[to - 1];
  if (to === from || first === undefined || last === undefined) return "";
  return trimTrailing(text.slice(first.index, last.index + last[0].length), /[.'’-]/);
}

/** Whether a word and the next have blanks between them only. */
function isAdjacent(text: string, words: readonly RegExpExecArray[], at: number): boolean {
  const [word, next] = [words[at], words[at + 1]];
  if (word === undefined || next === undefined) return false;
  // A full stop ends a sentence, and the name with it; behind "St" it does not.
  const isEnd = /\p{L}{4}\.$/u.test(word[0]);
  return !isEnd && text.slice(word.index + word[0].length, next.index).trim() === "";
}

/** Whether a word in lower case behind "in" is something else than a place that no list has. */
function isOtherWord(word: string): boolean {
  return (
    notPlaces.has(word) ||
    wordLike.has(word) ||
    isNamed(word) ||
    propertyWeight(word) > 0 ||
    word.endsWith("ing")
  );
}

function unknown(name: string): QueryPlace {
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
