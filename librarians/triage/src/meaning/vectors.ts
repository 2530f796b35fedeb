/** Vectors of one delegate, one after another, each number as a byte: 127 is 1. */
export type DelegateVectors = Int8Array;

/** Dot product of a vector with the packed one that begins at a place of others: the cosine of unit vectors. */
export function product(vector: Float32Array, others: DelegateVectors, from: number): number {
  let sum = 0;
  for (let at = 0; at < vector.length; at++) sum += (vector[at] ?? 0) * (others[from + at] ?? 0);
  return sum / 127;
}

/** Puts vectors one after another, each number as a byte: 127 is 1. */
export function packed(vectors: readonly Float32Array[]): DelegateVectors {
  const all = new Int8Array(vectors.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const vector of vectors) for (const each of vector) all[at++] = Math.round(127 * each);
  return all;
}
