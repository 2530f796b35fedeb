import { createAnalyzer } from "@constellation/retrieval";
import { commonWords } from "./common-words.js";
import type { QueryWord } from "./query-words.js";

/*
 * Fitted on the questions of the eval's development halves: see eval/README.md.
 */

/** What a word weighs that no delegate has. */
const unknownWeight = 0.27;
/** What a way of asking weighs beside a word that is as rare. */
const formWeight = 0.2;
/** What a word of everyday English weighs beside one that is not. */
const commonWeight = 0.62;
/** Below 1: a word that many delegates have still says something. */
const rarityPower = 0.85;

/** How much a word counts against a delegate that lacks it, as a share of its weight. */
const missing = 0.085;
/** Evidence at which a delegate with every word of the query has a score of one half. */
const halfEvidence = 0.525;

/** How much words count beside nearness in meaning. */
const wordShare = 0.35;
/** Sum of both at which a delegate fits with a score of one half, and how fast the score changes there. */
const halfNear = 0.06;
const steepness = 12;

/** Weight of a word of a query, 0 to 1: the rarer among delegates and in English, the more. */
export function weightOf({ isForm, term }: QueryWord, frequency: number, size: number): number {
  const common = isCommon(term) ? commonWeight : 1;
  if (frequency === 0) return isForm ? 0 : unknownWeight * common;
  const weight = (rarity(frequency, size) / rarity(1, size)) ** rarityPower;
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

/** Evidence of words and meaning together: 1 where it is as likely as not that the delegate fits. */
export function evidenceOfBoth(evidence: number, near: number): number {
  return Math.exp(steepness * (near + wordShare * Math.sqrt(evidence) - halfNear));
}

let commonTerms: ReadonlySet<string> | undefined;

/** Whether a term is a word of everyday English. A term that is not names something: `namespace`, `valuation`. */
export function isCommon(term: string): boolean {
  // Made on first use: some milliseconds.
  commonTerms ??= new Set(
    createAnalyzer({ stopWords: new Set() })
      .terms(commonWords)
      .map(({ text }) => text),
  );
  return commonTerms.has(term);
}

/** Inverse document frequency, as BM25 has it. */
function rarity(frequency: number, size: number): number {
  return Math.log(1 + (size - frequency + 0.5) / (frequency + 0.5));
}
