import type { Analyzer, KnowledgeResult, SectionHit } from "@constellation/retrieval";
import { findAstray } from "./astray.js";

/** Features of a search result that predict how well it answers the query. Shares are 0 to 1 and, where of the query,
 * weighted by how rare the words are; all are comparable across queries and knowledge bases.
 */
export interface RetrievalFeatures {
  /**
   * Score of the best section by its words, of the highest that the query could reach, times ln(1 + words): a long
   * query is rarely matched by chance.
   */
  readonly evidence: number;
  /** Share of the query in the best section. */
  readonly topCoverage: number;
  /** Share of the query in one block of the best section, with its headings; a synonym counts in part. */
  readonly passage: number;
  /** Share of the query that occurs in any page. */
  readonly known: number;
  /** Share of the query in the heading of the best section. */
  readonly heading: number;
  /** Share of the best section's heading that is in the query, by count. */
  readonly headingAsked: number;
  /** 1 where the query has the best section's heading word for word, else 0. */
  readonly headingInOrder: number;
  /** Different words in the heading of the best section. */
  readonly headingWords: number;
  /** Share of the query in the path of the best section's page and its first heading. */
  readonly title: number;
  /** Share of the query in a name that the best section is not about: see `findAstray`. */
  readonly astray: number;
  /** Share of the best section in the softmax of all scores, each divided by the best: 1 when no other comes near. */
  readonly dominance: number;
  /** Share of the first five sections that are in the page of the best. */
  readonly samePage: number;
  /** Different words of the query, stop words left out. */
  readonly words: number;
  /** Natural logarithm of the number of sections: more of them are more likely to have a better one. Of {@link minSize} at least. */
  readonly size: number;
  /** Cosine of the section nearest in meaning; -1 where meaning took no part. */
  readonly nearest: number;
  /** Cosine of the best section; -1 where meaning took no part. */
  readonly similar: number;
}

/** Name of a feature. */
export type FeatureName = keyof RetrievalFeatures;

/** Number of hits that the features are computed from. */
export const featureHits = 20;

/** Fewer sections than in any knowledge base that the models were fitted on count as so many. */
const minSize = 300;

/** The features of a search without hits. */
const nothing: RetrievalFeatures = {
  evidence: 0,
  topCoverage: 0,
  passage: 0,
  known: 0,
  heading: 0,
  headingAsked: 0,
  headingInOrder: 0,
  headingWords: 0,
  title: 0,
  astray: 0,
  dominance: 0,
  samePage: 0,
  words: 0,
  size: Math.log(minSize),
  nearest: -1,
  similar: -1,
};

/** Reads the features off a search for {@link featureHits} sections. */
export function readFeatures(
  query: string,
  { hits, facts, embedding }: KnowledgeResult,
  analyzer: Analyzer,
): RetrievalFeatures {
  const [best] = hits;
  const { nearest, best: similar } = embedding?.similarity ?? { nearest: -1, best: -1 };
  const words = facts.terms.length;
  if (best === undefined || best.score === 0 || facts.bound === 0) {
    return { ...nothing, known: facts.known, words, nearest, similar };
  }
  const idfs = new Map(facts.terms.map(({ text, idf }) => [text, idf]));
  const all = sum(idfs.values());
  const read = (text: string) => analyzer.terms(text).map((term) => term.text);
  const share = (terms: Iterable<string>) =>
    all === 0 ? 0 : sum([...new Set(terms)].map((term) => idfs.get(term) ?? 0)) / all;
  const synonyms = new Map(facts.terms.map((term) => [term.text, term.synonyms]));
  const orSynonymShare = (terms: Iterable<string>) => {
    const own = new Set(terms);
    const worths = [...idfs].map(([term, idf]) => {
      if (own.has(term)) return idf;
      return synonyms.get(term)?.some((each) => own.has(each)) ? synonymShare * idf : 0;
    });
    return all === 0 ? 0 : sum(worths) / all;
  };

  const { section } = best;
  const firstFive = hits.slice(0, 5);
  const headingWords = read(section.heading);
  const heading = new Set(headingWords);
  const asked = [...heading].filter((term) => idfs.has(term));
  const fileWords = section.file.replaceAll(/[/_.-]+/g, " ");
  return {
    evidence: best.share * Math.log(1 + words),
    topCoverage: best.coverage,
    passage: passageShare(section, orSynonymShare, read),
    known: facts.known,
    heading: share(heading),
    headingAsked: heading.size === 0 ? 0 : asked.length / heading.size,
    headingInOrder: Number(heading.size > 0 && hasInOrder(read(query), headingWords)),
    headingWords: heading.size,
    title: share(read(`${fileWords}\n${section.headingPath[0] ?? ""}`)),
    astray: findAstray(query, facts, best, analyzer).share,
    dominance: 1 / sum(hits.map(({ score }) => Math.exp(sharpness * (score / best.score - 1)))),
    samePage:
      firstFive.filter((hit) => hit.section.file === section.file).length / firstFive.length,
    words,
    size: Math.log(Math.max(minSize, facts.documents)),
    nearest,
    similar,
  };
}

/** Inverse temperature of the softmax: a section with nine tenths of the best score counts e times less. */
const sharpness = 10;
/** Weight of a synonym, as a share of the weight of the missing word. */
const synonymShare = 0.7;

/** Whether some words stand among others, one after the other. */
function hasInOrder(all: readonly string[], some: readonly string[]): boolean {
  return all.some((_, at) => some.every((word, offset) => all[at + offset] === word));
}

/** Maximum number of blocks of one section that are read. */
const maxBlocks = 200;

/** Share of a query in the best block of a section together with its headings. */
function passageShare(
  { blocks, headingPath }: SectionHit["section"],
  share: (terms: Iterable<string>) => number,
  read: (text: string) => readonly string[],
): number {
  const headings = read(headingPath.join("\n"));
  return Math.max(
    share(headings),
    ...blocks.slice(0, maxBlocks).map(({ text }) => share([...headings, ...read(text)])),
  );
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
