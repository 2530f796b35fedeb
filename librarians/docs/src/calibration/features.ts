import type { Analyzer, KnowledgeResult, SectionHit } from "@constellation/retrieval";

/**
 * What a search reports about how well a query is answered. Shares are 0 to 1 and, where of the query,
 * weighted by how rare the words are; all are comparable across queries and knowledge bases.
 */
export interface RetrievalFeatures {
  /** Score of the best section by its words, of the highest that the query could reach. */
  readonly topShare: number;
  /** The same times `length`: a long query is rarely matched by chance. */
  readonly evidence: number;
  /** Share of the query in the best section. */
  readonly topCoverage: number;
  /** Share of the query in one block, with its headings, of the first five sections. */
  readonly passage: number;
  /** Share of the query in one block of the best section, with its headings. */
  readonly topPassage: number;
  /** The same, a synonym counting in part. */
  readonly topPassageRelated: number;
  /** The largest share of the query in one of the first five sections, a synonym counting in part. */
  readonly related: number;
  /** Share of the query in the first five sections together. */
  readonly together: number;
  /** The same, a synonym counting in part. */
  readonly togetherRelated: number;
  /** Share of the query in any page at all. */
  readonly known: number;
  /** Share of the query in the heading of the best section. */
  readonly heading: number;
  /** Share of the best section's heading that is in the query, by count. */
  readonly headingAsked: number;
  /** Different words in the heading of the best section. */
  readonly headingWords: number;
  /** Share of the query in the headings above the best section. */
  readonly above: number;
  /** Share of the query in the path of the best section's page and its first heading. */
  readonly title: number;
  /** What words standing together bring the best section, of the highest score. */
  readonly proximity: number;
  /** The most that they bring one of the first five sections. */
  readonly closeness: number;
  /** How far the second section is behind the best, 0 to 0.5 of the best's score. */
  readonly lead: number;
  /** How far the best section of another page is behind the best, 0 to 1. */
  readonly nextPage: number;
  /** Share of the first five sections that are in the page of the best. */
  readonly samePage: number;
  /** Score of the tenth section, of the best's; 0 when there are fewer. */
  readonly spread: number;
  /** Score of the best section by its score by words alone. */
  readonly promotion: number;
  /** The rarest word of the query that the best section lacks, of the rarest of all. */
  readonly rarestMissing: number;
  /** How much there is to compare: ln(1 + words). */
  readonly length: number;
  /** Cosine of the section nearest in meaning; -1 where meaning took no part. */
  readonly nearest: number;
  /** Cosine of the best section; -1 where meaning took no part. */
  readonly similar: number;
}

/** Name of a feature. */
export type FeatureName = keyof RetrievalFeatures;

/** How many hits the features are read from. */
export const featureHits = 20;

/** What is reported when nothing was found. */
const nothing: RetrievalFeatures = {
  topShare: 0,
  evidence: 0,
  topCoverage: 0,
  passage: 0,
  topPassage: 0,
  topPassageRelated: 0,
  related: 0,
  together: 0,
  togetherRelated: 0,
  known: 0,
  heading: 0,
  headingAsked: 0,
  headingWords: 0,
  above: 0,
  title: 0,
  proximity: 0,
  closeness: 0,
  lead: 0,
  nextPage: 0,
  samePage: 0,
  spread: 0,
  promotion: 1,
  rarestMissing: 1,
  length: 0,
  nearest: -1,
  similar: -1,
};

/** Reads the features off a search for {@link featureHits} sections. */
export function featuresOf(
  { hits, facts, embedding }: KnowledgeResult,
  analyzer: Analyzer,
): RetrievalFeatures {
  const [best] = hits;
  const { nearest, best: similar } = embedding?.similarity ?? { nearest: -1, best: -1 };
  const length = Math.log(1 + facts.terms.length);
  if (best === undefined || best.score === 0 || facts.bound === 0) {
    return { ...nothing, known: facts.known, length, nearest, similar };
  }
  const idfs = new Map(facts.terms.map(({ text, idf }) => [text, idf]));
  const all = sum(idfs.values());
  const read = (text: string) => analyzer.terms(text).map((term) => term.text);
  const share = (terms: Iterable<string>) =>
    all === 0 ? 0 : sum([...new Set(terms)].map((term) => idfs.get(term) ?? 0)) / all;
  const synonyms = new Map(facts.terms.map((term) => [term.text, term.synonyms]));
  const relatedShare = (terms: Iterable<string>) => {
    const own = new Set(terms);
    const worths = [...idfs].map(([term, idf]) => {
      if (own.has(term)) return idf;
      return synonyms.get(term)?.some((each) => own.has(each)) ? synonymShare * idf : 0;
    });
    return all === 0 ? 0 : sum(worths) / all;
  };

  const { section, parts } = best;
  const firstFive = hits.slice(0, 5);
  const inHits = (some: readonly SectionHit[]) => {
    const own = share(some.flatMap(({ terms }) => terms));
    const either = share(some.flatMap(({ terms, related }) => [...terms, ...related]));
    return { own, withSynonyms: own + synonymShare * (either - own) };
  };
  const together = inHits(firstFive);
  const heading = new Set(read(section.heading));
  const asked = [...heading].filter((term) => idfs.has(term));
  const rarest = Math.max(...idfs.values());
  const has = new Set(best.terms);
  const missing = [...idfs].filter(([term]) => !has.has(term)).map(([, idf]) => idf);
  const behind = (hit: SectionHit | undefined) => 1 - (hit?.score ?? 0) / best.score;
  const byWords = parts.own + parts.parent + parts.proximity;
  const fileWords = section.file.replaceAll(/[/_.-]+/g, " ");
  return {
    topShare: best.share,
    evidence: best.share * length,
    topCoverage: best.coverage,
    passage: Math.max(...firstFive.map((hit) => passageShare(hit.section, share, read))),
    topPassage: passageShare(section, share, read),
    topPassageRelated: passageShare(section, relatedShare, read),
    related: Math.max(...firstFive.map((hit) => inHits([hit]).withSynonyms)),
    together: together.own,
    togetherRelated: together.withSynonyms,
    known: facts.known,
    heading: share(heading),
    headingAsked: heading.size === 0 ? 0 : asked.length / heading.size,
    headingWords: heading.size,
    above: share(read(section.headingPath.slice(0, -1).join("\n"))),
    title: share(read(`${fileWords}\n${section.headingPath[0] ?? ""}`)),
    proximity: parts.proximity / facts.bound,
    closeness: Math.max(...firstFive.map((hit) => hit.parts.proximity)) / facts.bound,
    lead: Math.min(0.5, behind(hits[1])),
    nextPage: behind(hits.find((hit) => hit.section.file !== section.file)),
    samePage:
      firstFive.filter((hit) => hit.section.file === section.file).length / firstFive.length,
    spread: (hits[9]?.score ?? 0) / best.score,
    promotion: byWords === 0 ? 1 : best.score / byWords,
    rarestMissing: rarest === 0 ? 0 : Math.max(0, ...missing) / rarest,
    length,
    nearest,
    similar,
  };
}

/** What a synonym counts of a word that is not there. */
const synonymShare = 0.7;

/** Most blocks of one section that are looked at. */
const mostBlocks = 200;

/** Share of a query in the best block of a section, its headings read with it. */
function passageShare(
  { blocks, headingPath }: SectionHit["section"],
  share: (terms: Iterable<string>) => number,
  read: (text: string) => readonly string[],
): number {
  const headings = read(headingPath.join("\n"));
  return Math.max(
    share(headings),
    ...blocks.slice(0, mostBlocks).map(({ text }) => share([...headings, ...read(text)])),
  );
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
