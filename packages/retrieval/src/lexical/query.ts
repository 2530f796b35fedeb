import type { Analyzer } from "./analyzer.js";
import type { Vocabulary } from "./documents.js";
import type { Postings } from "./postings.js";

/** One distinct term of a query. */
export interface QueryTerm {
  readonly text: string;
  /** Its number in the vocabulary; undefined when no document ever had it. */
  readonly number: number | undefined;
  /** Documents that have it. */
  readonly frequency: number;
  /** How rare it is; a term in no document is the rarest. */
  readonly idf: number;
  /** How much it counts: once, a little more when it is repeated, less when an expansion added it. */
  readonly weight: number;
}

/** A query as terms. */
export interface AnalyzedQuery {
  readonly terms: readonly QueryTerm[];
  /** Positions in `terms` in the order of the text, without the wholes of identifiers. */
  readonly sequence: readonly number[];
}

/** Longest query that is read, in characters, and most distinct terms of it. */
export const maxQueryLength = 8_000;
const maxQueryTerms = 256;

/** Reads a query against an index as it stands now. */
export function analyzeQuery(
  text: string,
  analyzer: Analyzer,
  vocabulary: Vocabulary,
  postings: Postings,
  weightOf: (term: string) => number = one,
): AnalyzedQuery {
  const counts = new Map<string, number>();
  const order: string[] = [];
  for (const term of analyzer.terms(text.slice(0, maxQueryLength))) {
    if (counts.size >= maxQueryTerms && !counts.has(term.text)) continue;
    counts.set(term.text, (counts.get(term.text) ?? 0) + 1);
    if (!term.isExtra) order.push(term.text);
  }
  const places = new Map<string, number>();
  const terms = [...counts].map(([termText, count], place): QueryTerm => {
    places.set(termText, place);
    const number = vocabulary.numberOf(termText);
    const frequency = number === undefined ? 0 : (postings.frequencies[number] ?? 0);
    return {
      text: termText,
      number: frequency === 0 ? undefined : number,
      frequency,
      idf: idfOf(postings.documents.length, frequency),
      // Saturates like a word of a document, with k3 = 1.
      weight: (weightOf(termText) * (2 * count)) / (1 + count),
    };
  });
  return { terms, sequence: order.map((each) => places.get(each) ?? 0) };
}

/**
 * How rare a term is. Never below 0.
 *
 * Source: the inverse document frequency of BM25 as Lucene has it, S. Robertson and H. Zaragoza,
 * "The Probabilistic Relevance Framework: BM25 and Beyond", 2009.
 */
export function idfOf(documents: number, frequency: number): number {
  return Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));
}

function one(): number {
  return 1;
}
