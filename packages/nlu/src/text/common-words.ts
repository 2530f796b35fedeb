import { readFileSync } from "node:fs";

/**
 * The 5,500 words of English that are written most, the commonest first, between white space: the first whole words of
 * the vocabulary of `bert-base-uncased` (Apache-2.0, Google), which is in the order of their frequency in Wikipedia and
 * books.
 */
export const commonWords: string = readFileSync(
  new URL("../../data/common-words.txt", import.meta.url),
  "utf8",
);

let words: ReadonlySet<string> | undefined;

/** Whether a word in lower case is one of everyday English. */
export function isCommonWord(lower: string): boolean {
  words ??= new Set(commonWords.split(/\s+/));
  return words.has(lower);
}
