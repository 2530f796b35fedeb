import type { NavigatorConfidence } from "../navigator/navigator-response.js";
import {
  answerable,
  answerableByMeaning,
  confident,
  confidentByMeaning,
  thresholds,
} from "./coefficients.js";
import type { RetrievalFeatures } from "./features.js";
import { predictProbability } from "./logistic.js";

/** The calibrated probabilities of a search result, and the decisions that follow from them. */
export interface Calibration {
  /** Probability that the pages answer the query, 0 to 1. */
  readonly answerable: number;
  /** Probability that the best section is the right one, if there is one, 0 to 1. */
  readonly confidence: number;
  /** Whether to answer. */
  readonly isAnswered: boolean;
  /** Whether the nearest sections are shown, with low confidence, instead of a refusal. */
  readonly isNear: boolean;
  /** Whether a model may answer although the words alone do not suffice. */
  readonly isDoubtful: boolean;
}

/** Minimum probability that the pages have no answer for a refusal; below it the nearest sections are shown. */
export const minRefusal = 0.8;

/** Turns features into probabilities, and these into decisions.
 *
 * @param isLacking - Whether the best section is known to lack the subject of the question; then
 *   only a model may answer.
 */
export function judge(features: RetrievalFeatures, isLacking = false): Calibration {
  const isByMeaning = features.nearest > -1;
  if (features.topCoverage === 0 && !isByMeaning) {
    return {
      answerable: 0,
      confidence: 0,
      isAnswered: false,
      isNear: false,
      isDoubtful: false,
    };
  }
  const fitted = isByMeaning
    ? predictProbability(answerableByMeaning, features)
    : predictProbability(answerable, features);
  const threshold = isByMeaning ? thresholds.answerByMeaning : thresholds.answer;
  if (isLacking) {
    const chance = Math.min(fitted, threshold / 2);
    return {
      answerable: chance,
      confidence: 0,
      isAnswered: false,
      isNear: false,
      isDoubtful: true,
    };
  }
  const right = isByMeaning
    ? predictProbability(confidentByMeaning, features)
    : predictProbability(confident, features);
  const isShort = isShortAndCovered(features);
  // A related section is reported with low confidence instead of a refusal.
  const isRelated = fitted < threshold && !isShort && isOnTopic(features);
  const chance = isShort || isRelated ? Math.max(fitted, threshold) : fitted;
  return {
    answerable: chance,
    confidence:
      isRelated || chance < thresholds.sure || isAstray(features)
        ? Math.min(right, maxConfidenceBelow("medium"))
        : right,
    isAnswered: chance >= threshold,
    isNear: chance > 1 - minRefusal && chance < threshold,
    isDoubtful: chance >= threshold / 6 && chance < threshold,
  };
}

/** Whether the question names a thing that the best section is not about. */
export function isAstray({ astray }: RetrievalFeatures): boolean {
  return astray >= thresholds.astray;
}

/** Up to three words, all in one passage: too short for the fitted model to be reliable. */
function isShortAndCovered({ words, topCoverage, passage }: RetrievalFeatures): boolean {
  return words <= 3 && Math.min(topCoverage, passage) > 0.999;
}

/** Whether the query contains the whole heading of the best section, of two words or more. */
function isOnTopic({ headingAsked, headingWords }: RetrievalFeatures): boolean {
  return headingWords >= 2 && headingAsked > 0.999;
}

/** The level of a confidence, by the thresholds. */
export function toConfidenceLevel(confidence: number): NavigatorConfidence {
  if (confidence >= thresholds.high) return "high";
  return confidence >= thresholds.medium ? "medium" : "low";
}

/** The highest confidence below a level. */
export function maxConfidenceBelow(level: "high" | "medium"): number {
  return thresholds[level] - 0.001;
}
