import type { Feature } from "./linear-model.js";

/** What {@link toTextFeatures} makes of a text. */
export interface TextFeatureOptions {
  /** Longest run of words. @default 3 */
  readonly maxWords?: number;
  /** Lengths of runs of characters; an empty list makes none. @default [3, 4, 5] */
  readonly characters?: readonly number[];
}

/** Words, `<kind>` in place of a name, and the marks that end sentences. */
const piece = /<[^<>\s]{1,60}>|[\p{L}\p{M}\p{N}_]+(?:['’.-][\p{L}\p{M}\p{N}_]+)*|[?!]/gu;

/** The pieces of a masked text, between marks for its beginning and its end. */
export function toPieces(masked: string): readonly string[] {
  return ["^", ...(masked.match(piece) ?? []), "$"];
}

/**
 * Runs of words and of characters of a masked text. Those of each kind have length one together, so that long texts do
 * not outweigh short ones.
 */
export function toTextFeatures(
  masked: string,
  options: TextFeatureOptions = {},
): readonly Feature[] {
  const { maxWords = 3, characters = [3, 4, 5] } = options;
  const pieces = toPieces(masked);
  const words = new Set<string>();
  for (let length = 1; length <= maxWords; length++)
    for (let at = 0; at + length <= pieces.length; at++)
      words.add(`w ${pieces.slice(at, at + length).join(" ")}`);
  const runs = new Set<string>();
  for (const one of pieces.slice(1, -1)) {
    if (one.startsWith("<")) continue;
    const padded = ` ${one} `;
    for (const length of characters)
      for (let at = 0; at + length <= padded.length; at++)
        runs.add(`c ${padded.slice(at, at + length)}`);
  }
  return [...scaled(words, 2), ...scaled(runs, 1)];
}

function scaled(names: ReadonlySet<string>, length: number): readonly Feature[] {
  const value = length / Math.sqrt(Math.max(1, names.size));
  return Array.from(names, (name) => [name, value] as const);
}
