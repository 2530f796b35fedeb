import type { SectionHit } from "@constellation/retrieval";
import type { QueryWeights } from "./query-weights.js";

const mostParts = 4;
/** Share of a part's weight that a heading must have to be its answer. */
const headingShare = 0.6;

/**
 * Finds what answers the parts of a question one by one: for each sentence the section whose heading
 * has most of it. Nothing for a question of one part.
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
    .slice(0, mostParts);
  if (parts.length < 2) return [];
  return parts.flatMap(({ terms, isHowTo }) => {
    const all = weights.share(terms);
    let best: { hit: SectionHit; worth: number } | undefined;
    for (const hit of hits) {
      const heading = weights.read(hit.section.heading).filter((term) => terms.has(term));
      const share = weights.share(heading) / all;
      if (share < headingShare) continue;
      // Who asks how comes for a command.
      const hasCode = isHowTo && hit.section.blocks.some(({ kind }) => kind === "code");
      const worth = share + (hasCode ? 0.3 : 0) + 0.1 * hit.share;
      if (worth > (best?.worth ?? 0)) best = { hit, worth };
    }
    return best === undefined ? [] : [best.hit];
  });
}
