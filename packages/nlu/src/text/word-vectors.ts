import { readFileSync } from "node:fs";
import { isFunctionWord } from "../grammar/function-words.js";
import { rankOf } from "./common-words.js";
import { toParts, toSingulars } from "./tokens.js";

/** Length of a vector. */
const dimensions = 384;
const maxWords = 256;

/** The signs of the vector of each word, a bit each; read on first use. */
let signs: Uint8Array | undefined;

/**
 * The vector of a text: the sum of its words' vectors, the rarer the heavier, of length 1. Texts about the same have vectors
 * in about the same direction, also where they share no word. `undefined` where no word is known. The words' vectors were
 * made from `all-MiniLM-L6-v2` (Apache-2.0): less exact than an embedder, and at hand at once.
 */
export function toWordVector(text: string): Float32Array | undefined {
  const vectors = readSigns();
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
      const bits = vectors[byte] ?? 0;
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

function readSigns(): Uint8Array {
  signs ??= Buffer.from(
    readFileSync(new URL("../../data/word-vectors.txt", import.meta.url), "utf8"),
    "base64",
  );
  return signs;
}

const bitsOf = Uint8Array.from({ length: 256 }, (_, byte) => {
  let bits = 0;
  for (let rest = byte; rest > 0; rest >>= 1) bits += rest & 1;
  return bits;
});

/** How alike two words in lower case are used, from -1 to 1; `undefined` where one is not known. */
export function measureLikeness(a: string, b: string): number | undefined {
  const [one, other] = [rankOnce(a), rankOnce(b)];
  if (one === undefined || other === undefined) return undefined;
  const vectors = readSigns();
  const size = dimensions / 8;
  let different = 0;
  for (let byte = 0; byte < size; byte++)
    different +=
      bitsOf[(vectors[one * size + byte] ?? 0) ^ (vectors[other * size + byte] ?? 0)] ?? 0;
  return 1 - (2 * different) / dimensions;
}

/** A name: `state_of_memory`, `worker-3`, `train-memory-services`. */
function isIdentifier(word: string): boolean {
  return /[_\d]/.test(word) || word.split("-").length > 2;
}

const maxRemembered = 5_000;
const ranks = new Map<string, number | undefined>();

/** {@link findRank}, remembered: words are compared in pairs. */
function rankOnce(word: string): number | undefined {
  if (!ranks.has(word)) {
    if (ranks.size === maxRemembered) ranks.clear();
    ranks.set(word, findRank(word));
  }
  return ranks.get(word);
}

/** Place of a word, or of the form that it may be of. */
function findRank(word: string): number | undefined {
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
