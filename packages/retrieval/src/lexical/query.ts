import { isAmountTerm } from "./amounts.js";
import type { Analyzer } from "./analyzer.js";
import type { Vocabulary } from "./documents.js";
import { detectLanguage, type Language } from "./language.js";
import type { Statistics } from "./statistics.js";
import type { Synonyms } from "./synonyms.js";

/** A synonym of a query term. */
export interface Synonym {
  readonly text: string;
  readonly number: number;
  /** Inverse document frequency, at most that of the term. */
  readonly idf: number;
}

/** One distinct term of a query. */
export interface QueryTerm {
  readonly text: string;
  /** Its number in the vocabulary; undefined when no document ever had it. */
  readonly number: number | undefined;
  /** Number of documents that contain it. */
  readonly frequency: number;
  /** Inverse document frequency; highest for a term in no document. */
  readonly idf: number;
  /** Weight: 1, slightly more when repeated, less when added by an expansion. */
  readonly weight: number;
  /** Synonyms that occur in documents and not in the query, rarest first. */
  readonly synonyms: readonly Synonym[];
}

/** A query as terms. */
export interface AnalyzedQuery {
  /** The language that it is read in, one of those of the documents. */
  readonly language: Language;
  readonly terms: readonly QueryTerm[];
  /** The numbers of its first words in their order, as documents have them; undefined for one that no document ever had. */
  readonly sequence: readonly (number | undefined)[];
}

/** Maximum number of characters, and of distinct terms, of a query. */
export const maxQueryLength = 8_000;
const maxQueryTerms = 256;

/** Reads a query against the current state of an index. */
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
  const sequence: (number | undefined)[] = [];
  const read = text.slice(0, maxQueryLength);
  const languages = statistics.languages();
  const language =
    (languages.length > 1 ? detectLanguage(read, { among: languages }) : undefined) ??
    languages[0] ??
    "en";
  const has = (term: string) => {
    const number = vocabulary.numberOf(term);
    return number !== undefined && statistics.frequency(number) > 0;
  };
  for (const term of analyzer.terms(read, language)) {
    // An amount that occurs in no document is the user's own and must not lower the score of
    // documents.
    if (isAmountTerm(term.text) && !has(term.text)) continue;
    if (counts.size >= maxQueryTerms && !counts.has(term.text)) continue;
    if (sequence.length < maxQueryTerms) sequence.push(vocabulary.numberOf(term.text));
    counts.set(term.text, (counts.get(term.text) ?? 0) + 1);
    if (!term.isExtra) order.push(term.text);
  }
  const compounds = new Set(
    findCompounds(order, has, (word) => analyzer.terms(word, language)[0]?.text ?? word).filter(
      (term) => !counts.has(term),
    ),
  );
  for (const compound of compounds) counts.set(compound, 1);
  const terms = [...counts].map(([termText, count]): QueryTerm => {
    const number = vocabulary.numberOf(termText);
    const frequency = number === undefined ? 0 : statistics.frequency(number);
    const idf = computeIdf(statistics.size, frequency);
    const others = (synonyms?.get(termText) ?? []).filter((other) => !counts.has(other));
    return {
      text: termText,
      number: frequency === 0 ? undefined : number,
      frequency,
      idf,
      synonyms: others
        .flatMap((other) => readSynonym(other, idf, vocabulary, statistics))
        .sort((a, b) => b.idf - a.idf || a.number - b.number),
      // Saturates like a word of a document, with k3 = 1.
      weight:
        (weightOf(termText) * (2 * count) * (compounds.has(termText) ? compoundWeight : 1)) /
        (1 + count),
    };
  });
  return { language, terms, sequence };
}

/** Reads a synonym; empty when no document contains it. */
function readSynonym(
  text: string,
  idf: number,
  vocabulary: Vocabulary,
  statistics: Statistics,
): readonly Synonym[] {
  const number = vocabulary.numberOf(text);
  const frequency = number === undefined ? 0 : statistics.frequency(number);
  if (number === undefined || frequency === 0) return [];
  return [{ text, number, idf: Math.min(idf, computeIdf(statistics.size, frequency)) }];
}

/** Weight of "rollback" for a query with "roll back", and vice versa. */
const compoundWeight = 0.5;
/** Minimum length of each half of a split word, in characters. */
const minHalf = 3;

/**
 * Alternative spellings of a query that documents use: two adjacent words joined, and a word that
 * no document contains split in two.
 */
function findCompounds(
  words: readonly string[],
  has: (term: string) => boolean,
  termOf: (word: string) => string,
): readonly string[] {
  const found: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    const joined = `${word}${words[at + 1] ?? ""}`;
    if (at + 1 < words.length && /^\p{L}{5,40}$/u.test(joined) && has(joined)) found.push(joined);
    if (has(word) || !/^\p{Script=Latin}{6,40}$/u.test(word)) continue;
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

/** Computes the inverse document frequency of a term. Never below 0.
 *
 * Source: the inverse document frequency of BM25 as Lucene has it, S. Robertson and H. Zaragoza,
 * "The Probabilistic Relevance Framework: BM25 and Beyond", 2009.
 */
export function computeIdf(documents: number, frequency: number): number {
  return Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));
}

function one(): number {
  return 1;
}
