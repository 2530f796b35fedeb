import type { Analyzer, SectionHit, SectionResult } from "@constellation/retrieval";

/**
 * What a search tells of how well a query is answered. Shares are 0 to 1 and, where of the query,
 * weighted by how rare the words are; all are comparable across queries and knowledge bases.
 */
export interface RetrievalFeatures {
  /** Score of the best section, of the highest that the query could reach. */
  readonly topShare: number;
  /** Share of the query in the best section. */
  readonly topCoverage: number;
  /** Share of the query in the best covered of the first five sections. */
  readonly bestCoverage: number;
  /** Share of the query in any page at all. */
  readonly known: number;
  /** Share of the query in the heading of the best section. */
  readonly heading: number;
  /** Share of the best section's heading that is in the query, by count. */
  readonly headingAsked: number;
  /** What words standing together bring the best section, of the highest score. */
  readonly proximity: number;
  /** How far the second section is behind the best, 0 to 1 of the best's score. */
  readonly lead: number;
  /** How far the best section of another page is behind the best. */
  readonly nextPage: number;
  /** Score of the tenth section, of the best's; 0 when there are fewer. */
  readonly spread: number;
  /** Share of the best section's page in the scores of the first ten. */
  readonly vote: number;
  /** Sections with at least 0.8 of the best's score: ln. */
  readonly rivals: number;
  /** The rarest word of the query that the best section lacks, of the rarest of all. */
  readonly rarestMissing: number;
  /** Share of the query's words that are in no page, by count. */
  readonly scarce: number;
  /** How much there is to compare: ln(1 + words). */
  readonly length: number;
}

/** Name of a feature. */
export type FeatureName = keyof RetrievalFeatures;

/** How many hits the features are read from. */
export const featureHits = 20;

/** What is told when nothing was found. */
const nothing: RetrievalFeatures = {
  topShare: 0,
  topCoverage: 0,
  bestCoverage: 0,
  known: 0,
  heading: 0,
  headingAsked: 0,
  proximity: 0,
  lead: 0,
  nextPage: 0,
  spread: 0,
  vote: 0,
  rivals: 0,
  rarestMissing: 1,
  scarce: 1,
  length: 0,
};

/** Reads the features off a search for {@link featureHits} sections. */
export function featuresOf({ hits, facts }: SectionResult, analyzer: Analyzer): RetrievalFeatures {
  const [best] = hits;
  const length = Math.log(1 + facts.terms.length);
  const unknown = facts.terms.filter(({ frequency }) => frequency === 0).length;
  const scarce = unknown / Math.max(1, facts.terms.length);
  if (best === undefined || best.score === 0) {
    return { ...nothing, known: facts.known, length, scarce };
  }
  const idfs = new Map(facts.terms.map(({ text, idf }) => [text, idf]));
  const all = sum(idfs.values());
  const { section } = best;
  const heading = analyzer.terms(section.heading).map(({ text }) => text);
  const asked = new Set(heading.filter((term) => idfs.has(term)));
  const rarest = Math.max(...idfs.values());
  const has = new Set(best.terms);
  const missing = [...idfs].filter(([term]) => !has.has(term)).map(([, idf]) => idf);
  const behind = (hit: SectionHit | undefined) => 1 - (hit?.score ?? 0) / best.score;
  return {
    topShare: best.share,
    topCoverage: best.coverage,
    bestCoverage: facts.coverage,
    known: facts.known,
    heading: all === 0 ? 0 : sum([...asked].map((term) => idfs.get(term) ?? 0)) / all,
    headingAsked: heading.length === 0 ? 0 : asked.size / new Set(heading).size,
    proximity: facts.bound === 0 ? 0 : best.parts.proximity / facts.bound,
    lead: behind(hits[1]),
    nextPage: behind(hits.find((hit) => hit.section.file !== section.file)),
    spread: (hits[9]?.score ?? 0) / best.score,
    vote: voteOf(hits.slice(0, 10), section.file),
    rivals: Math.log(hits.filter((hit) => hit.score >= 0.8 * best.score).length),
    rarestMissing: rarest === 0 ? 0 : Math.max(0, ...missing) / rarest,
    scarce,
    length,
  };
}

function voteOf(hits: readonly SectionHit[], file: string): number {
  const own = hits.filter((hit) => hit.section.file === file);
  return sum(own.map(({ score }) => score)) / sum(hits.map(({ score }) => score));
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
