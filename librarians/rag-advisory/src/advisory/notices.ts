import type { Question } from "../question/question.js";
import { findPattern, indexPatterns, type PatternIndex } from "../rules/pattern-index.js";
import { tokenSentences } from "../rules/tokens.js";
import type { Contradiction } from "./contradictions.js";

/** Days after which the newest evidence is called old. */
export const staleDays = 365;
const monthDays = 365.25 / 12;
/** Maximum number of contradictions that are spelled out. */
const maxShown = 2;

/** Forms of questions about the future. */
const futureForms: readonly string[] = [
  "will|won't|forecast|forecasts|predict|prediction|predictions|predicted|projection|projections|outlook|future|tomorrow",
  "going|expected|likely|set|bound to",
  "would|could|might|should rise|fall|grow|drop|increase|decrease|double|appreciate|depreciate|crash|recover|be",
  "next|coming few|two|three|four|five|ten|#? year|years|month|months|quarter|decade|summer|winter|spring",
  "in two|three|four|five|ten|# year's|years|months time|from|?",
  "by|in 2027|2028|2029|2030|2031|2032|2033|2034|2035|2040|2050",
];
let compiled: PatternIndex | undefined;

/** Whether a question asks what is to come. */
export function isAboutFuture({ query }: Question): boolean {
  compiled ??= indexPatterns(futureForms, {});
  const known = compiled;
  return tokenSentences(query.slice(0, maxRead)).some(
    (each) => findPattern(each, known) !== undefined,
  );
}

/** Maximum characters of a question that are read. */
const maxRead = 2_000;

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
