import { isCommon } from "./is-common.js";
import type { QueryWord } from "./query-words.js";

/*
 * Fitted on the questions of the eval's development halves: see eval/README.md.
 */

/** What a word weighs that no delegate has. */
const unknownWeight = 1;
/** What a way of asking weighs beside a word that is as rare. */
const formWeight = 0.28;
/** What a concept weighs beside a word that is as rare. */
const conceptWeight = 0.7;
/** What a word of everyday English weighs beside one that is not. */
const commonWeight = 0.35;
/** Below 1: a word that many delegates have still says something. */
const rarityPower = 0.85;

/** How much a word counts against a delegate that lacks it, as a share of its weight. */
const missing = 0.085;
/** What a subject of everyday life, and a field of business, weighs that no delegate covers. */
export const everydayWeight = 18;
export const fieldWeight = 8;
/** Share of those weights where meaning counts, too: it knows such subjects by itself. */
export const strangenessBesideMeaning = 0.6;
/** Evidence at which a delegate with every word of the query has a score of one half. */
const halfEvidence = 0.525;

/** Odds that a delegate fits whose words say nothing, and whose meaning is as near as everyday subjects. */
const oddsWithoutWords = 0.2;
/** How fast the odds change with nearness in meaning. */
const steepness = 8;
/** Words and meaning together are surer than words alone. */
const certainty = 1.2;

/** Weight of a word of a query, 0 to 1: the rarer among delegates and in English, the more. */
export function weightOf(
  { isForm, isConcept, term }: QueryWord,
  frequency: number,
  size: number,
): number {
  const common = isCommon(term) ? commonWeight : 1;
  if (frequency === 0) return isForm || isConcept ? 0 : unknownWeight * common;
  const weight = (rarity(frequency, size) / rarity(1, size)) ** rarityPower;
  if (isConcept) return weight * conceptWeight;
  return weight * (isForm ? formWeight : common);
}

/**
 * Evidence against what is missing, 0 to 1: a query of many words needs more of them than one of few.
 *
 * @param lacking - Weight of the words that the delegate lacks.
 */
export function scoreOf(evidence: number, lacking: number): number {
  return evidence / (evidence + missing * lacking + halfEvidence);
}

/**
 * Evidence of words and meaning together: 1 where it is as likely as not that the delegate fits.
 *
 * @param near - From -3 to 1: above 0, nearer than everyday subjects.
 */
export function evidenceOfBoth(evidence: number, lacking: number, near: number): number {
  const odds = evidence / (missing * lacking + halfEvidence);
  return certainty * (odds + oddsWithoutWords / (1 + lacking / 4)) * Math.exp(steepness * near);
}

/** Inverse document frequency, as BM25 has it. */
function rarity(frequency: number, size: number): number {
  return Math.log(1 + (size - frequency + 0.5) / (frequency + 0.5));
}
