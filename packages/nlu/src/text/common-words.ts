import { readFileSync } from "node:fs";

/** Number of words that count as everyday English. */
const maxCommon = 5_500;

/**
 * The 11,000 words of English that are written most, the commonest first: the first whole words of the vocabulary of
 * `bert-base-uncased` (Apache-2.0, Google), which is in the order of their frequency in Wikipedia and books.
 */
const words = readFileSync(new URL("../../data/words.txt", import.meta.url), "utf8");

let ranks: ReadonlyMap<string, number> | undefined;

/** Place of a word in lower case among those that are written most, from 0. */
export function rankOf(lower: string): number | undefined {
  ranks ??= new Map(words.split(/\s+/).map((word, rank) => [word, rank]));
  return ranks.get(lower);
}

/** Whether a word in lower case is one of everyday English. */
export function isCommonWord(lower: string): boolean {
  return (rankOf(lower) ?? maxCommon) < maxCommon;
}
