import type { FeatureName } from "../src/calibration/features.js";
import type { LogisticModel } from "../src/calibration/logistic.js";

/** What {@link printCoefficients} writes, by name. */
export interface FittedModels {
  readonly answerable: LogisticModel<FeatureName>;
  readonly answerableByMeaning: LogisticModel<FeatureName>;
  readonly confident: LogisticModel<FeatureName>;
  readonly confidentByMeaning: LogisticModel<FeatureName>;
}

/** The thresholds, by name. */
export interface FittedThresholds {
  readonly answer: number;
  readonly answerByMeaning: number;
  readonly sure: number;
  readonly high: number;
  readonly medium: number;
  readonly astray: number;
}

/** Rounds to a number of places. */
export function round(value: number, places: number): number {
  return Number(value.toFixed(places));
}

/** Writes `src/calibration/coefficients.ts`. */
export function printCoefficients(
  models: FittedModels,
  thresholds: FittedThresholds,
  date: string,
): string {
  const model = ({ intercept, weights }: LogisticModel<FeatureName>) =>
    `{\n  intercept: ${round(intercept, 4)},\n  weights: {\n${Object.entries(weights)
      .map(([name, weight]) => `    ${name}: ${round(weight, 4)},`)
      .join("\n")}\n  },\n}`;
  const { answer, answerByMeaning, sure, high, medium, astray } = thresholds;
  return `// Written by \`npm run fit -w librarians/docs\`, ${date}: do not edit.

/** Predicts the probability that the pages answer a query. */
export const answerable = ${model(models.answerable)} as const;

/** The same where meaning took part in the ranking. */
export const answerableByMeaning = ${model(models.answerableByMeaning)} as const;

/** Predicts the probability that the best section is the right one. */
export const confident = ${model(models.confident)} as const;

/** The same where meaning took part in the ranking. */
export const confidentByMeaning = ${model(models.confidentByMeaning)} as const;

/** Thresholds at which a probability becomes a decision. */
export const thresholds = {
  /**
   * Minimum probability for a query to be answered: seven in ten queries without an answer are
   * below it, as are seven in ten of those in the domain.
   */
  answer: ${round(answer, 3)},
  /** The same where meaning took part in the ranking. */
  answerByMeaning: ${round(answerByMeaning, 3)},
  /**
   * Below this probability of an answer, confidence is low: at most 4 % of out-of-domain queries
   * are above it.
   */
  sure: ${round(sure, 3)},
  /** Minimum probability for high confidence: 88 % of these answers are right. */
  high: ${round(high, 3)},
  /** Minimum probability for medium confidence: 70 % of these answers are right. */
  medium: ${round(medium, 3)},
  /**
   * From this share of a question on in a name that the best section is not about, confidence is low: right answers
   * to at most 0.5 % of the questions lose high confidence.
   */
  astray: ${round(astray, 3)},
} as const;
`;
}
