/** A ranking by one engine, with its weight. */
export interface Ranking {
  /** Ids, best first. */
  readonly ids: readonly string[];
  /**
   * 0 or more.
   *
   * @default 1
   */
  readonly weight?: number;
}

/** An id and its fused score. */
export interface FusedRank {
  readonly id: string;
  readonly score: number;
}

/** Fuses several rankings by rank alone: the sum of weight / (k + rank).
 *
 * @param k - Constant, 0 or more, 60 by default; a higher value gives the first ranks less
 *   advantage.
 * @returns Best first; equal scores in the order of their ids.
 *
 * Source: G. Cormack, C. Clarke, S. Büttcher, "Reciprocal Rank Fusion", SIGIR 2009.
 */
export function fuse(rankings: readonly Ranking[], k = 60): readonly FusedRank[] {
  const scores = new Map<string, number>();
  for (const { ids, weight = 1 } of rankings) {
    [...new Set(ids)].forEach((id, place) => {
      scores.set(id, (scores.get(id) ?? 0) + weight / (k + place + 1));
    });
  }
  return [...scores]
    .map(([id, score]) => ({ id, score }))
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}
