/** Ranking options of one field. */
export interface FieldOptions {
  /** Weight of words in this field, relative to the other fields. Above 0. */
  readonly weight: number;
  /** Length normalisation (b): 0 for none, 1 for proportional to the length.
   *
   * @default 0.6
   */
  readonly b?: number;
}

/** Ranking options. */
export interface RankingOptions {
  /** Term frequency saturation (k1): how much repeated words add. 0 or more.
   *
   * @default 1.6
   */
  readonly k1?: number;
  /** Weight of the parent's score, that of all its documents together, in the document's score.
   *
   * @default 0.3
   */
  readonly parentWeight?: number;
}

/** Options for reranking the best documents. All 0 by default: no reranking. */
export interface RerankOptions {
  /** Bonus for a title that the query names in full, as a share of the best score. */
  readonly titleWeight?: number;
  /** Bonus for a title that equals the query, in any word order, as a share of the best score. */
  readonly wholeTitleWeight?: number;
  /**
   * Bonus for a title whose words all occur in a query that is a sentence, of 13 different words or more, as a share of
   * the best score.
   */
  readonly sentenceWeight?: number;
  /** Bonus for a text with e times as many different words, as a share of the best score. */
  readonly lengthWeight?: number;
  /** Bonus for a parent with e times the score among the best, as a share of the best score. */
  readonly siblingWeight?: number;
}

/** The defaults named in {@link RankingOptions}. */
export const rankingDefaults: Required<RankingOptions> = {
  k1: 1.6,
  parentWeight: 0.3,
};
