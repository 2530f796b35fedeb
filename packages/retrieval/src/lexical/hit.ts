/** A document that has something of the query. */
export interface LexicalHit {
  readonly id: string;
  readonly parent: string | undefined;
  /** Higher is better; comparable within one query only. */
  readonly score: number;
  /** The sum of `parts` by the highest that the query could reach, 0 to 1: comparable across queries. */
  readonly share: number;
  /** Share of the query's weight, by rarity, whose words it has, 0 to 1. */
  readonly coverage: number;
  /** Terms of the query that it has, as the analyzer writes them. */
  readonly terms: readonly string[];
  /** Terms of the query that it has only in other words: as a synonym. */
  readonly related: readonly string[];
  /** What each field brought, by name of the field; together the document's own score. */
  readonly fields: Readonly<Record<string, number>>;
  /** The score by words alone: its own, those of its parent, and words standing together. */
  readonly parts: { readonly own: number; readonly parent: number; readonly proximity: number };
}

/** What is known about a query, whatever was found. */
export interface QueryFacts {
  /** Distinct terms, stop words left out. */
  readonly terms: readonly {
    readonly text: string;
    /** Documents that have it. */
    readonly frequency: number;
    readonly idf: number;
    /** Other words for it that documents have, as the analyzer writes them. */
    readonly synonyms: readonly string[];
  }[];
  /** Share of the query's weight, by rarity, that is in any document at all, 0 to 1. */
  readonly known: number;
  /** Coverage of the best covered of the first five hits, 0 to 1. */
  readonly coverage: number;
  /** The highest score that the query could reach. */
  readonly bound: number;
  /** Documents with at least one of its terms. */
  readonly matched: number;
}

/** What a search gives. */
export interface LexicalResult {
  /** Best first; equal scores in the order of their ids. */
  readonly hits: readonly LexicalHit[];
  readonly facts: QueryFacts;
}

/** Options of one search. */
export interface LexicalSearchOptions {
  /**
   * Most hits. Integer, 1 or more.
   *
   * @default 10
   */
  readonly limit?: number;
  /** Documents that may be found: a test of the id, or the ids. All by default. */
  readonly filter?: ((id: string) => boolean) | ReadonlySet<string>;
  /** Ends the search with the signal's reason when it has aborted before the search begins. */
  readonly signal?: AbortSignal;
}
