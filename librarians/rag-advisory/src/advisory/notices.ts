import type { Question } from "../question/question.js";
import { compilePatterns, hasPattern, patternTable } from "../rules/pattern.js";
import type { Contradiction } from "./contradictions.js";

/** Days after which the newest evidence is called old. */
export const staleDays = 365;
const monthDays = 365.25 / 12;
/** Maximum number of contradictions that are spelled out. */
const maxShown = 2;

let future: RegExp | undefined;

/** Whether a question asks what is to come. */
export function isAboutFuture({ query }: Question): boolean {
  future ??= compilePatterns(patternTable.future);
  return hasPattern(query, future);
}

/** What a reader has to know before the figures: no forecast, a disagreement of sources, the age of the newest. */
export function listNotices(
  question: Question,
  contradictions: readonly Contradiction[],
  ageDays: number,
  ofFigures: readonly string[] = [],
): readonly string[] {
  return [
    ...ofFigures,
    ...(isAboutFuture(question) ? ["No forecast is given; the figures are of the past."] : []),
    ...contradictions.slice(0, maxShown).map(({ sentence }) => sentence),
    ...(ageDays > staleDays && Number.isFinite(ageDays)
      ? [`The newest of these sources is ${Math.round(ageDays / monthDays)} months old.`]
      : []),
  ];
}
