import type { SectionHit } from "@constellation/retrieval";
import { sectionsOfParts } from "./query-parts.js";
import type { QueryWeights } from "./query-weights.js";

/** Most sections that one answer quotes. */
const mostSections = 3;
/** From this share of the best score on, a section is as good an answer. */
const asGood = 0.85;
/** A section that adds at least this share of the query is worth quoting beside the best. */
const worthAdding = 0.2;

/** A section of another page that adds this share, while the best has less than `wholeCoverage`, makes a synthesis. */
const synthesisShare = 0.25;
const wholeCoverage = 0.75;

/** The sections that an answer is made of. */
export interface ChosenSections {
  /** Best first; one or more. */
  readonly hits: readonly SectionHit[];
  /** Whether a good part of the query is in none but a later one, of another page. */
  readonly isSynthesis: boolean;
}

/**
 * Chooses what is quoted: the best section, what answers other sentences of the question, those that
 * are as good, and those that have a good part of the query that the others lack. `isQuotable` says
 * whether a section has anything to quote.
 */
export function chooseSections(
  query: string,
  hits: readonly SectionHit[],
  weights: QueryWeights,
  isQuotable: (hit: SectionHit) => boolean,
): ChosenSections {
  const best = hits.find(isQuotable);
  if (best === undefined) return { hits: [], isSynthesis: false };
  const found = hits.slice(hits.indexOf(best));
  const chosen = [best];
  const names = new Set([nameOf(best)]);
  const covered = new Set(best.terms);
  let isSynthesis = false;
  const add = (hit: SectionHit) => {
    chosen.push(hit);
    names.add(nameOf(hit));
    for (const term of hit.terms) covered.add(term);
  };
  for (const hit of sectionsOfParts(query, found, weights)) {
    if (chosen.length === mostSections || names.has(nameOf(hit)) || !isQuotable(hit)) continue;
    add(hit);
  }
  for (const next of found.slice(1, 8)) {
    if (chosen.length === mostSections) break;
    if (names.has(nameOf(next))) continue;
    const adds = weights.share(next.terms.filter((term) => !covered.has(term)));
    const doesAdd = adds >= worthAdding && next.score >= best.score * 0.4;
    if (!doesAdd && next.score < best.score * asGood) continue;
    if (!isQuotable(next)) continue;
    isSynthesis ||=
      adds >= synthesisShare &&
      best.coverage < wholeCoverage &&
      next.section.file !== best.section.file;
    add(next);
  }
  return { hits: chosen, isSynthesis };
}

/** What a citation shows: two sections of one name cannot be distinguished by a reader. */
function nameOf({ section }: SectionHit): string {
  return `${section.file}#${section.heading}`;
}
