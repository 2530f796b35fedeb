import { toWordVector } from "@constellation/nlu";
import type { Workflow } from "../../src/catalog/workflow.js";
import { meanScale, textOfEntry, textOfTrouble } from "../../src/search/remedies.js";
import type { RemedyModel } from "../../src/search/score-model.js";
import type { Trouble } from "../../src/search/signals.js";

/** Entries that are right for troubles. */
export interface Remedy {
  readonly catalog: string;
  readonly troubles: readonly Trouble[];
  readonly entries: readonly Workflow[];
}

type Vector = Float32Array | undefined;

/** The mean of the entries that mend each trouble, and of the trouble's own text as one more. */
export function learnRemedies(
  remedies: readonly Remedy[],
  entries: readonly Workflow[],
): RemedyModel {
  const vectors = new Map(entries.map((one) => [one, toWordVector(textOfEntry(one))]));
  const mean = sumOf([...vectors.values()], 1 / vectors.size);
  const sums = new Map<string, Float32Array>();
  const add = (trouble: Trouble, vector: Vector, share: number) => {
    const sum = sums.get(trouble.means) ?? centred(toWordVector(textOfTrouble(trouble)), mean);
    const own = centred(vector, mean);
    sums.set(
      trouble.means,
      sum.map((one, at) => one + share * (own[at] ?? 0)),
    );
  };
  for (const { troubles, entries: right } of remedies)
    for (const trouble of troubles)
      for (const one of right) add(trouble, vectors.get(one), 1 / (troubles.length * right.length));
  return {
    mean: Buffer.from(Int8Array.from(mean, (one) => Math.round(one * meanScale))).toString(
      "base64",
    ),
    signs: Object.fromEntries(
      [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([means, sum]) => [means, encode(sum)]),
    ),
  };
}

function sumOf(vectors: readonly Vector[], factor: number): Float32Array {
  const [first] = vectors.flatMap((one) => one ?? []);
  const sum = new Float32Array(first?.length ?? 0);
  for (const vector of vectors)
    for (const [at, one] of (vector ?? []).entries()) sum[at] = (sum[at] ?? 0) + factor * one;
  return sum;
}

function centred(vector: Vector, mean: Float32Array): Float32Array {
  return mean.map((one, at) => (vector?.[at] ?? one) - one);
}

/** The signs, a bit each, in base64. */
function encode(vector: Float32Array): string {
  const bytes = new Uint8Array(vector.length / 8);
  for (const [at, one] of vector.entries())
    if (one > 0) bytes[at >> 3] = (bytes[at >> 3] ?? 0) | (1 << (at & 7));
  return Buffer.from(bytes).toString("base64");
}
