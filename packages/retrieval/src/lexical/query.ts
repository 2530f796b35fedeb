import { isAmountTerm } from "./amounts.js";
import type { Analyzer } from "./analyzer.js";
import type { Vocabulary } from "./documents.js";
import type { Statistics } from "./statistics.js";
import type { Synonyms } from "./synonyms.js";

/** Another word for a term of a query. */
export interface Synonym {
  readonly text: string;
  readonly number: number;
  /** How rare it is, at most as the term. */
  readonly idf: number;
}

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
  /** Other words for it that documents have and the query has not; the rarest first. */
  readonly synonyms: readonly Synonym[];
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
  statistics: Statistics,
  weightOf: (term: string) => number = one,
  synonyms?: Synonyms,
): AnalyzedQuery {
  const counts = new Map<string, number>();
  const order: string[] = [];
  const has = (term: string) => {
    const number = vocabulary.numberOf(term);
    return number !== undefined && statistics.frequency(number) > 0;
  };
  for (const term of analyzer.terms(text.slice(0, maxQueryLength))) {
    // An amount of the user's own, which no document has, says nothing against the documents.
    if (isAmountTerm(term.text) && !has(term.text)) continue;
    if (counts.size >= maxQueryTerms && !counts.has(term.text)) continue;
    counts.set(term.text, (counts.get(term.text) ?? 0) + 1);
    if (!term.isExtra) order.push(term.text);
  }
  const places = new Map<string, number>();
  const compounds = new Set(
    compoundsOf(order, has, (word) => analyzer.terms(word)[0]?.text ?? word).filter(
      (term) => !counts.has(term),
    ),
  );
  for (const compound of compounds) counts.set(compound, 1);
  const terms = [...counts].map(([termText, count], place): QueryTerm => {
    places.set(termText, place);
    const number = vocabulary.numberOf(termText);
    const frequency = number === undefined ? 0 : statistics.frequency(number);
    const idf = idfOf(statistics.size, frequency);
    const others = (synonyms?.get(termText) ?? []).filter((other) => !counts.has(other));
    return {
      text: termText,
      number: frequency === 0 ? undefined : number,
      frequency,
      idf,
      synonyms: others
        .flatMap((other) => synonymOf(other, idf, vocabulary, statistics))
        .sort((a, b) => b.idf - a.idf || a.number - b.number),
      // Saturates like a word of a document, with k3 = 1.
      weight:
        (weightOf(termText) * (2 * count) * (compounds.has(termText) ? compoundWeight : 1)) /
        (1 + count),
    };
  });
  return { terms, sequence: order.map((each) => places.get(each) ?? 0) };
}

/** The synonym as documents have it; none where none has it. */
function synonymOf(
  text: string,
  idf: number,
  vocabulary: Vocabulary,
  statistics: Statistics,
): readonly Synonym[] {
  const number = vocabulary.numberOf(text);
  const frequency = number === undefined ? 0 : statistics.frequency(number);
  if (number === undefined || frequency === 0) return [];
  return [{ text, number, idf: Math.min(idf, idfOf(statistics.size, frequency)) }];
}

/** What "rollback" counts for a query that writes "roll back", and the other way round. */
const compoundWeight = 0.5;
/** Shortest half of a word that is cut in two, in characters. */
const minHalf = 3;

/**
 * Words of a query in the other spelling that documents use: two neighbours as one word, and a word
 * that no document has as two.
 */
function compoundsOf(
  words: readonly string[],
  has: (term: string) => boolean,
  termOf: (word: string) => string,
): readonly string[] {
  const found: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    const joined = `${word}${words[at + 1] ?? ""}`;
    if (at + 1 < words.length && /^\p{L}{5,40}$/u.test(joined) && has(joined)) found.push(joined);
    if (has(word) || !/^[a-z]{6,40}$/.test(word)) continue;
    for (let cut = minHalf; cut <= word.length - minHalf; cut++) {
      const halves = [word.slice(0, cut), word.slice(cut)].map(termOf);
      if (halves.every(has)) {
        found.push(...halves);
        break;
      }
    }
  }
  return found;
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
