import type { Language } from "./language.js";

/** A document that matches at least one term of the query. */
export interface LexicalHit {
  readonly id: string;
  readonly parent: string | undefined;
  /** Higher is better; comparable within one query only. */
  readonly score: number;
  /** Its score by words divided by the maximum of the query, 0 to 1: comparable across queries. */
  readonly share: number;
  /** Share of the query, weighted by rarity, that the document matches, 0 to 1. */
  readonly coverage: number;
  /** Matched terms of the query, as the analyzer writes them. */
  readonly terms: readonly string[];
}

/** Facts about a query, independent of the hits. */
export interface QueryFacts {
  /** The language that the query was read in, one of those of the documents. */
  readonly language: Language;
  /** Distinct terms, stop words left out. */
  readonly terms: readonly {
    readonly text: string;
    /** Number of documents that contain it. */
    readonly frequency: number;
    readonly idf: number;
    /** Synonyms that occur in documents, as the analyzer writes them. */
    readonly synonyms: readonly string[];
  }[];
  /** Share of the query, weighted by rarity, that occurs in any document, 0 to 1. */
  readonly known: number;
  /** Maximum score that a document could reach for the query. */
  readonly bound: number;
  /** Number of documents with at least one of its terms. */
  readonly matched: number;
  /** Number of all documents. */
  readonly documents: number;
}

/** Result of a search. */
export interface LexicalResult {
  /** Best first; equal scores in the order of their ids. */
  readonly hits: readonly LexicalHit[];
  readonly facts: QueryFacts;
}

/** Options of one search. */
export interface LexicalSearchOptions {
  /** Maximum number of hits. Integer, 1 or more.
   *
   * @default 10
   */
  readonly limit?: number;
  /** Whether a document may be found, by its id. Default: all. */
  readonly filter?: (id: string) => boolean;
  /** Rejects the search with the signal's reason when it has aborted before the search begins. */
  readonly signal?: AbortSignal;
}
