import { isCommonWord } from "@constellation/nlu";
import type { QueryWord } from "./query-words.js";

/** Weight of a word of everyday English, relative to other words. */
const commonWeight = 0.6;
/** Below 1, so that a word that many delegates have still carries some weight. */
const rarityPower = 0.85;

/** Weight of a word of a query, 0 to 1: the rarer among delegates and in English, the higher. */
export function weighWord({ written }: QueryWord, frequency: number, size: number): number {
  const common = isCommonWord(written.toLowerCase()) ? commonWeight : 1;
  if (frequency === 0) return common;
  return common * (rarity(frequency, size) / rarity(1, size)) ** rarityPower;
}

/** Inverse document frequency, as BM25 has it. */
function rarity(frequency: number, size: number): number {
  return Math.log(1 + (size - frequency + 0.5) / (frequency + 0.5));
}
