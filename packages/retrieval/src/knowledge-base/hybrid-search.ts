import { EmbedderError } from "../embeddings/embedder.js";
import { fuse } from "../embeddings/fuse.js";
import type { SectionVectors } from "../embeddings/section-vectors.js";
import type { SectionHit, SectionIndex, SectionSearchOptions } from "../sections/section-index.js";
import type { KnowledgeResult } from "./knowledge-base.js";

/** Places of each ranking that take part. */
const depth = 50;

/** Ranks by words and by meaning together; by words alone where the embedder fails, and says so. */
export async function searchHybrid(
  index: SectionIndex,
  vectors: SectionVectors,
  weight: number,
  query: string,
  options: SectionSearchOptions,
): Promise<KnowledgeResult> {
  const { limit = 10, filter, signal } = options;
  const lexical = index.search(query, { ...options, limit: Math.max(limit, depth) });
  const firsts = lexical.hits.slice(0, limit);
  let near: readonly { readonly id: string }[];
  try {
    const isWanted = (id: string) => {
      const section = index.section(id);
      return section !== undefined && (filter === undefined || filter(section));
    };
    near = await vectors.nearest(query, depth, isWanted, signal);
  } catch (thrown) {
    if (!(thrown instanceof EmbedderError)) throw thrown;
    return { ...lexical, hits: firsts, embedding: { used: false, problem: thrown.message } };
  }
  const byId = new Map(lexical.hits.map((hit) => [hit.id, hit]));
  const fused = fuse([
    { ids: lexical.hits.map(({ id }) => id) },
    { ids: near.map(({ id }) => id), weight },
  ]).slice(0, limit);
  const hits = fused.flatMap(({ id, score }) => {
    const hit = byId.get(id) ?? withoutWords(index, id);
    return hit === undefined ? [] : [{ ...hit, score }];
  });
  return { facts: lexical.facts, hits, embedding: { used: true } };
}

/** A section that is near in meaning and has no word of the query, or few. */
function withoutWords(index: SectionIndex, id: string): SectionHit | undefined {
  const section = index.section(id);
  if (section === undefined) return undefined;
  const parts = { own: 0, parent: 0, proximity: 0 };
  return { id, section, score: 0, share: 0, coverage: 0, terms: [], fields: {}, parts };
}
