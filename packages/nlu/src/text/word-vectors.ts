import { readFileSync } from "node:fs";
import { isFunctionWord } from "../grammar/function-words.js";
import { rankOf } from "./common-words.js";
import { toParts, toSingulars } from "./tokens.js";

/** Length of a vector. */
const dimensions = 384;
const maxWords = 256;

/** The signs of the vector of each word, a bit each; read on first use. */
let signs: Uint8Array | undefined;

function readSigns(): Uint8Array {
  signs ??= new Uint8Array(
    Buffer.from(
      readFileSync(new URL("../../data/word-vectors.txt", import.meta.url), "utf8"),
      "base64",
    ),
  );
  return signs;
}

/**
 * The vector of a text: the sum of its words' vectors, the rarer the heavier, of length 1. Texts about the same have vectors
 * in about the same direction, also where they share no word. `undefined` where no word is known. The words' vectors were
 * made from `all-MiniLM-L6-v2` (Apache-2.0): less exact than an embedder, and at hand at once.
 */
export function toWordVector(text: string): Float32Array | undefined {
  const bytes = readSigns();
  const plain = text.split(/\s+/, maxWords).filter((word) => !isIdentifier(word));
  const words = new Set(plain.flatMap(toParts).slice(0, maxWords));
  const vector = new Float32Array(dimensions);
  let less = 0;
  for (const word of words) {
    const rank = isFunctionWord(word) ? undefined : findRank(word);
    if (rank === undefined) continue;
    const double = 2 * Math.log(2 + rank);
    less += double / 2;
    for (let at = 0, byte = rank * (dimensions / 8); at < dimensions; at += 8, byte++) {
      const bits = bytes[byte] ?? 0;
      for (let bit = 0; bit < 8; bit++)
        if ((bits >> bit) & 1) vector[at + bit] = (vector[at + bit] ?? 0) + double;
    }
  }
  if (less === 0) return undefined;
  let square = 0;
  for (let at = 0; at < dimensions; at++) {
    const value = (vector[at] ?? 0) - less;
    vector[at] = value;
    square += value * value;
  }
  const length = Math.sqrt(square);
  for (let at = 0; at < dimensions; at++) vector[at] = (vector[at] ?? 0) / length;
  return vector;
}

/** A name: `state_of_memory`, `worker-3`, `train-memory-services`. */
export function isIdentifier(word: string): boolean {
  return /[_\d]/.test(word) || word.split("-").length > 2;
}

/** Number of 32-bit words of a vector. */
const cells = dimensions / 32;
let packedSigns: Uint32Array | undefined;

/** Cosine of the vectors of two words, by their ranks. */
export function compareRanks(one: number, other: number): number {
  return Math.cos((Math.PI * countDifferent(one, other)) / dimensions);
}

/** How alike two words in lower case are used, from -1 to 1; `undefined` where one is not known. */
export function measureLikeness(a: string, b: string): number | undefined {
  const [one, other] = [findRank(a), findRank(b)];
  if (one === undefined || other === undefined) return undefined;
  return 1 - (2 * countDifferent(one, other)) / dimensions;
}

/** Number of signs in which the vectors of two words differ. */
function countDifferent(one: number, other: number): number {
  packedSigns ??= new Uint32Array(readSigns().buffer);
  let different = 0;
  for (let cell = 0; cell < cells; cell++) {
    const bits = (packedSigns[one * cells + cell] ?? 0) ^ (packedSigns[other * cells + cell] ?? 0);
    different += countOnes(bits);
  }
  return different;
}

/** Number of ones in 32 bits. Source: H. Warren, "Hacker's Delight", 2nd edition, figure 5-2. */
function countOnes(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

const maxRemembered = 20_000;
/** Maximum length of a word of the list, in characters. */
const maxWordLength = 40;
const ranks = new Map<string, number | undefined>();

/** Place of a word, or of the form that it may be of; remembered, since texts have the same words again and again. */
export function findRank(word: string): number | undefined {
  if (word.length > maxWordLength) return undefined;
  if (!ranks.has(word)) {
    if (ranks.size === maxRemembered) ranks.clear();
    ranks.set(word, searchRank(word));
  }
  return ranks.get(word);
}

function searchRank(word: string): number | undefined {
  for (const form of [word, ...toSingulars(word), ...toInfinitives(word)]) {
    const rank = form.length > 2 ? rankOf(form) : undefined;
    if (rank !== undefined) return rank;
  }
  return undefined;
}

/** Forms that a verb may have in the infinitive: `stopped` -> `stop`, `moving` -> `move`. */
function toInfinitives(word: string): readonly string[] {
  const ending = /(?:ed|ing)$/.exec(word)?.[0];
  if (ending === undefined || word.length < ending.length + 3) return [];
  const stem = word.slice(0, -ending.length);
  const isDouble = stem.at(-1) === stem.at(-2);
  return [stem, `${stem}e`, isDouble ? stem.slice(0, -1) : stem.replace(/i$/, "y")];
}
