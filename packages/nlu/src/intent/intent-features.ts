import type { Feature } from "../model/linear-model.js";
import { toTextFeatures } from "../model/text-features.js";

/** How much one hint counts beside the words of a question. */
const hintStrength = 0.5;
/** Factor of the values of a vector of length one. */
const vectorStrength = 3;

/** Features of a masked question and of what its librarian sees in it. */
export function toIntentFeatures(masked: string, hints: readonly string[]): readonly Feature[] {
  return [...toTextFeatures(masked), ...hints.map((hint) => [`h ${hint}`, hintStrength] as const)];
}

/** Features of an embedder's vector. */
export function toVectorFeatures(values: ArrayLike<number>): readonly Feature[] {
  return Array.from(values, (value, at) => [`v${at}`, value * vectorStrength] as const);
}
