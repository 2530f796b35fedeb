/** How one field of the documents counts. */
export interface FieldOptions {
  /** What a word in this field is worth beside the other fields. Above 0. */
  readonly weight: number;
  /**
   * How much a long field lowers its words: 0 not at all, 1 in proportion to its length.
   *
   * @default 0.6
   */
  readonly b?: number;
}

/** How documents are ranked. */
export interface RankingOptions {
  /**
   * How much a second and third use of a word still adds. 0 or more.
   *
   * @default 1.6
   */
  readonly k1?: number;
  /**
   * What the score of a document's parent, all its documents together, adds to the document's own.
   *
   * @default 0.3
   */
  readonly parentWeight?: number;
  /**
   * What words next to each other in query and document alike add.
   *
   * @default 0.2
   */
  readonly proximityWeight?: number;
}

/** How the best documents are put in order once more. All 0 by default: no second look. */
export interface RerankOptions {
  /** What a title adds that the query names in full, as a share of the best score. */
  readonly titleWeight?: number;
  /** What a title adds that is the query, word for word in any order, as a share of the best score. */
  readonly wholeTitleWeight?: number;
  /** What a text adds that has e times as many different words, as a share of the best score. */
  readonly lengthWeight?: number;
  /** What a parent adds with e times as much among the best, as a share of the best score. */
  readonly siblingWeight?: number;
}

/** The defaults named in {@link RankingOptions}. */
export const rankingDefaults: Required<RankingOptions> = {
  k1: 1.6,
  parentWeight: 0.3,
  proximityWeight: 0.2,
};
