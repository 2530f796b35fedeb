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
}

/** Rounds to a number of places. */
export function round(value: number, places: number): number {
  return Number(value.toFixed(places));
}

/** Writes `src/calibration/coefficients.ts`. */
export function printCoefficients(
  models: FittedModels,
  cuts: FittedThresholds,
  date: string,
): string {
  const model = ({ intercept, weights }: LogisticModel<FeatureName>) =>
    `{\n  intercept: ${round(intercept, 4)},\n  weights: {\n${Object.entries(weights)
      .map(([name, weight]) => `    ${name}: ${round(weight, 4)},`)
      .join("\n")}\n  },\n}`;
  const { answer, answerByMeaning, sure, high, medium } = cuts;
  return `// Written by \`npm run fit -w librarians/docs\`, ${date}: do not edit.

/** The chance that the pages answer a query. */
export const answerable = ${model(models.answerable)} as const;

/** The same where meaning took part in the ranking. */
export const answerableByMeaning = ${model(models.answerableByMeaning)} as const;

/** The chance that the best section is the right one. */
export const confident = ${model(models.confident)} as const;

/** The same where meaning took part in the ranking. */
export const confidentByMeaning = ${model(models.confidentByMeaning)} as const;

/** Where a chance becomes a decision. */
export const cuts = {
  /** From this chance on a query is answered: seven in ten of those without an answer are below, and of those in the domain. */
  answer: ${round(answer, 3)},
  /** The same where meaning took part in the ranking. */
  answerByMeaning: ${round(answerByMeaning, 3)},
  /** Below this chance of an answer confidence is low: at most 4 % of what is out of domain has more. */
  sure: ${round(sure, 3)},
  /** From this chance on confidence is high: .9 are right. */
  high: ${round(high, 3)},
  /** From this chance on it is medium: .7 are right. */
  medium: ${round(medium, 3)},
} as const;
`;
}
