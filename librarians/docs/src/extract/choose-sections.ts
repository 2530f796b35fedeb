import type { SectionHit } from "@constellation/retrieval";
import { sectionsOfParts } from "./query-parts.js";
import type { QueryWeights } from "./query-weights.js";

/** Maximum number of sections that one answer quotes. */
const maxSections = 3;
/** A section with at least this share of the best score is as good an answer. */
const asGood = 0.85;
/** A section that adds at least this share of the query is worth quoting beside the best. */
const worthAdding = 0.2;

/** A section of another page that adds this share, while the best has less than `wholeCoverage`, makes a synthesis. */
const synthesisShare = 0.25;
const wholeCoverage = 0.75;

/** A question that asks how to do something. */
const asksHow = /\bhow (?:do|can|could|should|would|to)\b/i;
/** Maximum number of characters of a question that the pattern is applied to. */
const maxLength = 500;

/** The quotable parts of a section. */
export interface Quotable {
  /** Whether a section has anything to quote. */
  isQuotable(hit: SectionHit): boolean;
  /** Whether a section has steps or commands. */
  hasSteps(hit: SectionHit): boolean;
}

/** The sections that an answer is made of. */
export interface ChosenSections {
  /** Best first; one or more. */
  readonly hits: readonly SectionHit[];
  /** Whether a good part of the query occurs only in a later section, of another page. */
  readonly isSynthesis: boolean;
}

/**
 * Chooses the sections to quote: the best one, those that answer other sentences of the question,
 * those that score as well, and those that have a good part of the query that the others lack. When
 * the question asks how to do something and the best section only introduces the steps below it,
 * the best of these is added.
 */
export function chooseSections(
  query: string,
  hits: readonly SectionHit[],
  weights: QueryWeights,
  { isQuotable, hasSteps }: Quotable,
): ChosenSections {
  const best = hits.find(isQuotable);
  if (best === undefined) return { hits: [], isSynthesis: false };
  const found = hits.slice(hits.indexOf(best));
  const chosen = [best];
  const names = new Set([toSectionKey(best)]);
  const covered = new Set(best.terms);
  let isSynthesis = false;
  const add = (hit: SectionHit) => {
    chosen.push(hit);
    names.add(toSectionKey(hit));
    for (const term of hit.terms) covered.add(term);
  };
  if (asksHow.test(query.slice(0, maxLength)) && !hasSteps(best)) {
    const steps = found.find((hit) => isBelow(hit, best) && hasSteps(hit));
    if (steps !== undefined) add(steps);
  }
  for (const hit of sectionsOfParts(query, found, weights)) {
    if (chosen.length === maxSections || names.has(toSectionKey(hit)) || !isQuotable(hit)) continue;
    add(hit);
  }
  for (const next of found.slice(1, 8)) {
    if (chosen.length === maxSections) break;
    if (names.has(toSectionKey(next))) continue;
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

/** Whether a section is under the heading of another. */
function isBelow({ section }: SectionHit, { section: above }: SectionHit): boolean {
  return (
    section.file === above.file &&
    section.headingPath.length > above.headingPath.length &&
    above.headingPath.every((heading, at) => section.headingPath[at] === heading)
  );
}

/** Key of a citation as readers see it: they cannot distinguish two sections of one name. */
function toSectionKey({ section }: SectionHit): string {
  return `${section.file}#${section.heading}`;
}
