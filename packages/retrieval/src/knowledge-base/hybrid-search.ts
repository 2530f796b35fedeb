import { EmbedderError } from "../embeddings/embedder.js";
import type { SectionVectors } from "../embeddings/section-vectors.js";
import type { Comparison } from "../embeddings/vector-index.js";
import type { SectionHit, SectionIndex, SectionSearchOptions } from "../sections/section-index.js";
import type { KnowledgeResult } from "./knowledge-base.js";

/** Number of candidates of each ranking. */
const depth = 50;
/** Number of sections that tell how near in meaning a page is. */
const pageSections = 3;
/** Minimum share of sections with a vector for the ranking by meaning to be used. */
const minEmbedded = 0.9;
/** Weights of a full match of words, and of one standard deviation of meaning. Fitted on questions of eighteen knowledge bases. */
const fullMatch = 10;
const weight = 0.15;

/**
 * Ranks by words and meaning together; by words alone when the embedder fails or most sections have
 * no vector yet, which the result reports.
 *
 * A section's score by words, in units of the best and scaled by how well the best matches the query at
 * all, plus {@link weight} times its standard score by meaning and the mean of the best {@link pageSections} of its page: words
 * decide when they match well, otherwise meaning does.
 */
export async function searchHybrid(
  index: SectionIndex,
  vectors: SectionVectors,
  query: string,
  options: SectionSearchOptions,
): Promise<KnowledgeResult> {
  const { limit = 10, filter, signal } = options;
  const lexical = await index.searchInTurns(query, { ...options, limit: Math.max(limit, depth) });
  const byWords = (problem: string): KnowledgeResult => ({
    ...lexical,
    hits: lexical.hits.slice(0, limit),
    embedding: { used: false, problem },
  });
  const embedded = vectors.index.size;
  if (embedded < minEmbedded * index.size) {
    return byWords(`${embedded} of ${index.size} sections are embedded so far.`);
  }
  let meaning: Comparison;
  try {
    const isWanted = (id: string) => {
      const section = index.section(id);
      return section !== undefined && (filter === undefined || filter(section));
    };
    meaning = await vectors.compare(query, depth, isWanted, signal);
  } catch (thrown) {
    if (!(thrown instanceof EmbedderError)) throw thrown;
    return byWords(thrown.message);
  }
  const [best] = lexical.hits;
  const unit = best === undefined || best.score === 0 ? 0 : (fullMatch * best.share) / best.score;
  const candidates = new Map(lexical.hits.map((hit) => [hit.id, hit]));
  for (const { id } of meaning.nearest) {
    const hit = candidates.get(id) ?? withoutWords(index, id);
    if (hit !== undefined) candidates.set(id, hit);
  }
  const ofPage = new Map<string, number[]>();
  for (const { id, section } of candidates.values()) {
    const standings = ofPage.get(section.file) ?? [];
    ofPage.set(section.file, [...standings, meaning.standing(id)]);
  }
  const pages = new Map([...ofPage].map(([file, standings]) => [file, meanOfBest(standings)]));
  const hits = [...candidates.values()]
    .map((hit) => {
      const standing = meaning.standing(hit.id) + (pages.get(hit.section.file) ?? 0);
      return { ...hit, score: Math.max(0, unit * hit.score + weight * standing) };
    })
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    .slice(0, limit);
  const [first] = hits;
  const similarity = {
    nearest: meaning.nearest[0]?.cosine ?? 0,
    best: first === undefined ? 0 : meaning.cosine(first.id),
  };
  return { facts: lexical.facts, hits, embedding: { used: true, similarity } };
}

function meanOfBest(standings: readonly number[]): number {
  const best = [...standings].sort((a, b) => b - a).slice(0, pageSections);
  return best.reduce((sum, each) => sum + each, 0) / best.length;
}

/** Creates the hit of a section that is near in meaning and has few words of the query, or none. */
function withoutWords(index: SectionIndex, id: string): SectionHit | undefined {
  const section = index.section(id);
  return section && { id, section, score: 0, share: 0, coverage: 0, terms: [] };
}
