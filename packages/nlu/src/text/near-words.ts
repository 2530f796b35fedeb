import { isFunctionWord } from "../grammar/function-words.js";
import { collapse, toParts, toTokens } from "./tokens.js";
import { compareRanks, findRank, isIdentifier } from "./word-vectors.js";

/** A word of a text, as it is compared with others. */
export interface ContentWord {
  /** In lower case, without accents. */
  readonly lower: string;
  /** Place among the words of English: the same for all forms of a word. `undefined` for a word that is not one of them. */
  readonly rank: number | undefined;
  /** How much it says: the rarer the more. */
  readonly weight: number;
}

/** Rank of a word that English does not have, for its weight, and what is added to each. */
const unknownRank = 30_000;
const addedRank = 20;

/** Options for {@link readContentWords}. */
export interface ContentWordOptions {
  /** Whether an identifier (`state_of_memory`, `cart-db-0`) also has its parts as words. Default: only the whole is one. */
  readonly withParts?: boolean;
}

/** The words of a text that say something, each once. Numbers of one or two digits say too little. */
export function readContentWords(
  text: string,
  { withParts = false }: ContentWordOptions = {},
): readonly ContentWord[] {
  const words = new Map<string | number, ContentWord>();
  for (const { text: written, lower: whole } of toTokens(text)) {
    if (isFunctionWord(whole)) continue; // before "don't" falls apart
    const isWhole = isIdentifier(written);
    const own = [
      ...(isWhole ? [collapse(written)] : []),
      ...(isWhole && !withParts ? [] : toParts(written)),
    ];
    for (const part of own) {
      if (isFunctionWord(part) || /^\d{1,2}$/.test(part)) continue;
      const lower = /[^a-z\d]/.test(part) ? part.normalize("NFD").replace(/\p{M}/gu, "") : part;
      const rank = findRank(lower);
      const weight = Math.log(addedRank + (rank ?? unknownRank - addedRank));
      if (!words.has(rank ?? lower)) words.set(rank ?? lower, { lower, rank, weight });
    }
  }
  return [...words.values()];
}

/** Cosine of two words of no relation, and the one below which words count as of none. */
const usualCosine = 0.15;
const minCosine = 0.3;
/** Number of words that a word is compared with to see how near it is to any, and the distance of their ranks. */
const samples = 200;
const sampleDistance = 53;
/** Likeness of two words that are written the same but for their ends. */
const writtenAlike = 0.9;
const minPrefix = 4;

/** Mean cosine of a word and any other, by rank. */
const usual: number[] = [];

function usualOf(rank: number): number {
  let mean = usual[rank];
  if (mean === undefined) {
    mean = 0;
    for (let at = 0; at < samples; at++) mean += compareRanks(rank, at * sampleDistance) / samples;
    usual[rank] = mean;
  }
  return mean;
}

/** How far a word can replace another, from 0 to 1: 1 for forms of the same word. */
export function likenessOf(one: ContentWord, other: ContentWord): number {
  if (one.lower === other.lower) return 1;
  if (one.rank === undefined || other.rank === undefined)
    return likenessOfLetters(one.lower, other.lower) ** 2;
  if (one.rank === other.rank) return 1;
  const cosine = compareRanks(one.rank, other.rank);
  // Some words are near to all others.
  const own = cosine - (usualOf(one.rank) + usualOf(other.rank)) / 2 + usualCosine;
  return own < minCosine ? 0 : Math.min(1, own) ** 2;
}

function likenessOfLetters(one: string, other: string): number {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same++;
  if (same < minPrefix || /\d/.test(one + other)) return 0; // numbers that begin alike are others
  return (writtenAlike * 2 * same) / (one.length + other.length);
}
