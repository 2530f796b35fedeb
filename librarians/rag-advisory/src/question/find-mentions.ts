import { readFileSync } from "node:fs";
import { trimTrailing } from "@constellation/authoring";
import { isCommonWord } from "@constellation/nlu";
import { currencyWords } from "../country/area.js";
import {
  type Area,
  areaNamed,
  type KnownNames,
  maxNameWords,
  type Place,
} from "../country/gazetteer.js";
import { findForbidden } from "../rules/content-rules.js";
import { propertyWeight } from "./subject-words.js";

const lists = JSON.parse(
  readFileSync(new URL("../../data/place-words.json", import.meta.url), "utf8"),
) as Readonly<Record<"notPlaces" | "wordLike" | "ways" | "noNames", string>>;
const toSet = (words: string): ReadonlySet<string> => new Set(words.split(" "));
/** Words that are behind "in", "at", "near" and "around" and name no place. */
export const notPlaces = toSet(lists.notPlaces);
/** Names that are words: they count with a capital letter, and behind "in", "at", "near" or "around" only. */
const wordLike = toSet(lists.wordLike);
/** Words behind the name of a city that make it the name of a part of another: `Wardha Road`, `Nashik Road`. */
const ways = toSet(lists.ways);
/** Words with a capital letter that name no place, wherever they stand. */
const noNames = toSet(lists.noNames);
/** Words behind which a place stands, and others behind which one with a capital letter does. */
const placing = toSet("in at near around on");
const relating = toSet("of for from between compare");

/** Maximum characters of a text that are read for places. */
const maxRead = 8_000;
/** Maximum number of names in a text that no list has. */
const maxUnknown = 50;

/** Words of a text that name a place or an area, or may name one that no list has. */
export interface Mention {
  /** As the text has it. */
  readonly written: string;
  readonly index: number;
  readonly end: number;
  /** All places that the name can mean, the largest first; none of an area, and of a name that no list has. */
  readonly places: readonly Place[];
  readonly area?: Area | undefined;
  /** Whether it is the name of a property, and the places are those of its rows. */
  readonly isProperty?: boolean | undefined;
  /** Of a name that no list has: whether it stands behind a word such as "in", or at the start. */
  readonly isPlaced?: boolean | undefined;
}

/** Finds the cities, localities, states and countries of a text, the longest name where two overlap, and names that no list has. */
export function findMentions(text: string, names: KnownNames): readonly Mention[] {
  const read = text.slice(0, maxRead);
  const words = [...read.matchAll(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’./-]*/gu)];
  // "IN" is a word in a query that is all capitals.
  const isShouted = text === text.toUpperCase();
  const found: Mention[] = [];
  let unknown = 0;
  for (let at = 0; at < words.length; ) {
    const known =
      propertyName(read, words, at, names) ?? longestName(read, words, at, names, isShouted);
    const other =
      known === undefined && unknown < maxUnknown
        ? unknownName(read, words, at, names, isShouted)
        : undefined;
    if (other !== undefined) unknown += 1;
    const mention = known ?? other;
    if (mention !== undefined) found.push(mention);
    do at += 1;
    while (mention !== undefined && (words[at]?.index ?? maxRead) < mention.end);
  }
  return found;
}

/** The name of a property of the rows that begins at a word: "Via Roma 4" names no Roma. */
function propertyName(
  text: string,
  words: readonly RegExpExecArray[],
  at: number,
  { properties }: KnownNames,
): Mention | undefined {
  const index = words[at]?.index ?? 0;
  for (let count = properties.size === 0 ? 0 : maxNameWords; count > 0; count--) {
    const last = words[at + count - 1];
    const whole = last === undefined ? "" : text.slice(index, last.index + last[0].length);
    const written = bare(whole);
    const places = properties.get(written.toLowerCase());
    if (places !== undefined)
      return { written, index, end: index + written.length, places, isProperty: true };
  }
  return undefined;
}

/** A word in lower case behind "in" that no list has, and that is no other word: "rents in atlantis". */
export function findUnknownWord(text: string): string | undefined {
  const behind = /\b(?:in|at|near|around|on) +(\p{Ll}[\p{L}\p{M}'’-]{2,40})(?![\p{L}\p{N}])/gu;
  for (const { 1: word = "" } of text.slice(0, maxRead).matchAll(behind))
    if (!isOtherWord(word) && areaNamed(word) === undefined) return trimTrailing(word, /['’-]/);
  return undefined;
}

/** The longest name that begins at a word. */
function longestName(
  text: string,
  words: readonly RegExpExecArray[],
  at: number,
  names: KnownNames,
  isShouted: boolean,
): Mention | undefined {
  const index = words[at]?.index ?? 0;
  for (let count = Math.min(maxNameWords, words.length - at); count > 0; count--) {
    const last = words[at + count - 1];
    if (last === undefined) continue;
    const written = bare(text.slice(index, last.index + last[0].length));
    if (/[\n,;:]/.test(written)) continue;
    const places = names.places(written);
    const next = words[at + count];
    // "Wardha Road" is in no Wardha.
    if (
      next !== undefined &&
      ways.has(next[0].toLowerCase()) &&
      isAdjacent(text, words, at + count - 1) &&
      places.length > 0 &&
      places.every(({ locality, isStored }) => !locality && !isStored)
    )
      return undefined;
    const isCode = /^[A-Z]{2,3}$/.test(written);
    const isWord =
      isCode && (isShouted || (written === "IN" && !/[,(] ?$/.test(text.slice(0, index))));
    // "US dollars" are money.
    const isMoney = next !== undefined && currencyWords.has(next[0].toLowerCase());
    const area = isWord || isMoney ? undefined : areaNamed(written);
    const isPlace =
      places.length > 0 &&
      (count > 1 || isName(text, written, index)) &&
      // A part of a city may have any word for its name: "List" in Hannover, "Seasons" in Pune.
      !(count === 1 && places[0]?.isStored === true && isOrdinary(text, written, index));
    if (!isPlace && area === undefined) continue;
    return { written, index, end: index + written.length, places: isPlace ? places : [], area };
  }
  return undefined;
}

/** Words with a capital letter that no list has, up to the next known name. */
function unknownName(
  text: string,
  words: readonly RegExpExecArray[],
  from: number,
  names: KnownNames,
  isShouted: boolean,
): Mention | undefined {
  let to = from;
  while (
    to < from + maxNameWords &&
    (to === from || isAdjacent(text, words, to - 1)) &&
    (to === from ? /^[\p{Lu}\p{Lo}]/u : /^[\p{Lu}\p{Lo}\p{N}]/u).test(words[to]?.[0] ?? "") &&
    (to === from || longestName(text, words, to, names, isShouted) === undefined)
  )
    to += 1;
  const [first, last] = [words[from], words[to - 1]];
  if (to === from || first === undefined || last === undefined) return undefined;
  const written = bare(text.slice(first.index, last.index + last[0].length));
  const lower = written.toLowerCase();
  if (
    written.length < 3 ||
    noNames.has(lower) ||
    isOtherWord(lower) ||
    findForbidden(written).length > 0
  )
    return undefined;
  const lead = (isAdjacent(text, words, from - 1) && words[from - 1]?.[0].toLowerCase()) || "";
  const isPlaced = from === 0 || placing.has(lead) || relating.has(lead);
  return { written, index: first.index, end: first.index + written.length, places: [], isPlaced };
}

/** A name without the marks behind it, and without the ending of "Leeds's". */
function bare(written: string): string {
  return trimTrailing(written, /[.'’-]/).replace(/['’]s$/, "");
}

/** Whether a word that may be a name is an ordinary one: in lower case, or at no place of a name. */
function isOrdinary(text: string, written: string, index: number): boolean {
  const lower = written.toLowerCase();
  if (propertyWeight(lower) > 0) return lower === written;
  return isCommonWord(lower) && !standsAsName(text, written, index);
}

/** A name that is a word, too, needs its capital and a preposition before it. */
function isName(text: string, written: string, index: number): boolean {
  const lower = written.toLowerCase();
  return !(wordLike.has(lower) || notPlaces.has(lower)) || standsAsName(text, written, index);
}

function standsAsName(text: string, written: string, index: number): boolean {
  const isBehind = /\b(?:in|at|near|around|of|from|for|and|or|is|,)\s+$/i.test(
    text.slice(Math.max(0, index - 12), index),
  );
  return (
    /^\p{Lu}\p{Ll}/u.test(written) && (isBehind || /^\s*,/.test(text.slice(index + written.length)))
  );
}

/** Whether a word and the next have blanks between them only. */
function isAdjacent(text: string, words: readonly RegExpExecArray[], at: number): boolean {
  const [word, next] = [words[at], words[at + 1]];
  if (word === undefined || next === undefined) return false;
  // A full stop ends a sentence, and the name with it; behind "St" it does not.
  const isEnd = /\p{L}{4}\.$/u.test(word[0]);
  return !isEnd && text.slice(word.index + word[0].length, next.index).trim() === "";
}

/** Whether a word where a place could stand is another word. */
function isOtherWord(lower: string): boolean {
  return (
    notPlaces.has(lower) ||
    wordLike.has(lower) ||
    propertyWeight(lower) > 0 ||
    lower.endsWith("ing")
  );
}
