import type { SectionHit } from "@constellation/retrieval";
import type { QueryWeights } from "./query-weights.js";

const maxParts = 4;
/** Minimum share of a part's weight that a heading must have to answer it. */
const headingShare = 0.6;

/**
 * Finds a section for each sentence of a question: the one whose heading has most of it. Empty for
 * a question of one sentence.
 */
export function sectionsOfParts(
  query: string,
  hits: readonly SectionHit[],
  weights: QueryWeights,
): readonly SectionHit[] {
  const parts = query
    .slice(0, 2_000)
    .split(/[.;?!](?=\s)|\n/)
    .map((text) => ({ terms: new Set(weights.read(text)), isHowTo: /^\W*how\b/i.test(text) }))
    .filter(({ terms }) => weights.share(terms) > 0)
    .slice(0, maxParts);
  if (parts.length < 2) return [];
  return parts.flatMap(({ terms, isHowTo }) => {
    const all = weights.share(terms);
    let best: { hit: SectionHit; worth: number } | undefined;
    for (const hit of hits) {
      const heading = weights.read(hit.section.heading).filter((term) => terms.has(term));
      const share = weights.share(heading) / all;
      if (share < headingShare) continue;
      // A question that asks how expects a command.
      const hasCode = isHowTo && hit.section.blocks.some(({ kind }) => kind === "code");
      const worth = share + (hasCode ? 0.3 : 0) + 0.1 * hit.share;
      if (worth > (best?.worth ?? 0)) best = { hit, worth };
    }
    return best === undefined ? [] : [best.hit];
  });
}
