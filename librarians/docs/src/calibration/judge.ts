import type { NavigatorConfidence } from "../navigator/navigator-response.js";
import {
  answerable,
  answerableByMeaning,
  confident,
  confidentByMeaning,
  cuts,
} from "./coefficients.js";
import type { RetrievalFeatures } from "./features.js";
import { chanceOf } from "./logistic.js";

/** What the features of a search come to. */
export interface Judgement {
  /** The chance that the pages answer the query, 0 to 1. */
  readonly answerable: number;
  /** The chance that the best section is the right one, if there is one, 0 to 1. */
  readonly confidence: number;
  /** Whether to answer at all. */
  readonly isAnswered: boolean;
  /** Whether a model may find an answer where the words alone do not. */
  readonly isDoubtful: boolean;
}

/**
 * Turns features into chances, and these into a decision.
 *
 * @param isLacking - Whether the best section is known to lack what is asked: then only a model may answer.
 */
export function judge(features: RetrievalFeatures, isLacking = false): Judgement {
  const isByMeaning = features.nearest > -1;
  if (features.topCoverage === 0 && !isByMeaning) {
    return { answerable: 0, confidence: 0, isAnswered: false, isDoubtful: false };
  }
  const fitted = isByMeaning
    ? chanceOf(answerableByMeaning, features)
    : chanceOf(answerable, features);
  const cut = isByMeaning ? cuts.answerByMeaning : cuts.answer;
  if (isLacking) {
    const chance = Math.min(fitted, cut / 2);
    return { answerable: chance, confidence: 0, isAnswered: false, isDoubtful: true };
  }
  const right = isByMeaning
    ? chanceOf(confidentByMeaning, features)
    : chanceOf(confident, features);
  const isShort = isShortAndCovered(features);
  // What is related is reported, as the little it is: it is not a reason to say that nothing is there.
  const isRelated = fitted < cut && !isShort && isOnTopic(features);
  const chance = isShort || isRelated ? Math.max(fitted, cut) : fitted;
  return {
    answerable: chance,
    confidence: isRelated || chance < cuts.sure ? Math.min(right, below("medium")) : right,
    isAnswered: chance >= cut,
    isDoubtful: chance >= cut / 6 && chance < cut,
  };
}

/** Up to three words, all in one passage: too short for the model to tell anything more. */
function isShortAndCovered({ words, topCoverage, passage }: RetrievalFeatures): boolean {
  return words <= 3 && Math.min(topCoverage, passage) > 0.999;
}

/** The whole heading of the best section, of two words or more, is in the query. */
function isOnTopic({ headingAsked, headingWords }: RetrievalFeatures): boolean {
  return headingWords >= 2 && headingAsked > 0.999;
}

/** The level of a confidence: a cut of the number. */
export function levelOf(confidence: number): NavigatorConfidence {
  if (confidence >= cuts.high) return "high";
  return confidence >= cuts.medium ? "medium" : "low";
}

/** The highest confidence below a level. */
export function below(level: "high" | "medium"): number {
  return cuts[level] - 0.001;
}
