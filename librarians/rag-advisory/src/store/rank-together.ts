import { fuse } from "@constellation/retrieval";

/** An id and how close it is, 0 to 1. */
export interface RankedId {
  readonly id: string;
  readonly score: number;
}

/** How many of each ranking are fused at least. */
export const candidates = 50;
/** Below this cosine two texts have nothing in common. */
export const minCosine = 0.3;

/**
 * Makes one ranking of the one by words and the one by vectors.
 *
 * @param near - Ids with their cosines, best first.
 * @param weight - What the ranking by vectors counts beside the one by words.
 * @returns Best first. Each is as close as the better of the two says.
 */
export function rankTogether(
  words: readonly RankedId[],
  near: readonly RankedId[],
  weight: number,
  limit: number,
): readonly RankedId[] {
  const close = near.filter(({ score }) => score >= minCosine);
  const closeness = new Map<string, number>();
  for (const { id, score } of [...words, ...close]) {
    closeness.set(id, Math.min(1, Math.max(closeness.get(id) ?? 0, score)));
  }
  return fuse([{ ids: words.map(({ id }) => id) }, { ids: close.map(({ id }) => id), weight }])
    .slice(0, limit)
    .map(({ id }) => ({ id, score: closeness.get(id) ?? 0 }));
}
