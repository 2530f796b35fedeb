import type { CountryConventions } from "../country/countries.js";
import type { Question } from "../question/question.js";
import { cited, toSources } from "./citation.js";
import { budgetPrice, type Comparables } from "./comparables.js";
import { describeComparables, describeTrend, printFigure } from "./figures.js";
import type { Passage } from "./retrieve.js";
import type { Statement } from "./statements.js";
import type { Trend } from "./trend.js";

/** What a summary is written from. */
export interface SummaryParts {
  readonly question: Question;
  readonly conventions: CountryConventions;
  readonly passages: readonly Passage[];
  /** Absent: there are none, or they say nothing about what was asked. */
  readonly comparables?: Comparables | undefined;
  readonly trend?: Trend | undefined;
  /** The weightiest first. */
  readonly statements: readonly Statement[];
  /** What a reader has to know before the figures. */
  readonly notices?: readonly string[] | undefined;
}

/** Writes two or three sentences: what was compared, what has to be known of the sources, how a named price lies to it, what sources say. */
export function writeSummary({
  question,
  conventions,
  passages,
  comparables,
  trend,
  statements,
  notices = [],
}: SummaryParts): string {
  const { length } = toSources(
    passages.map(({ chunk }) => chunk),
    0,
  );
  const first =
    comparables === undefined
      ? `${length} ${length === 1 ? "source was" : "sources were"} found for a question ${describePlace(question, conventions)}.`
      : describeComparables(comparables, conventions);
  const [notice] = notices;
  // Several notices are one sentence: a summary has three.
  const noted =
    notices.length < 2 ? notice : `${notices.map((each) => each.slice(0, -1)).join("; ")}.`;
  const rest = [
    noted,
    comparables === undefined ? undefined : describeBudget(question, comparables, conventions),
    trend === undefined ? undefined : describeTrend(trend, conventions),
    ...statements.slice(0, 2).map(({ text, source }) => cited(text, source)),
  ].filter((sentence) => sentence !== undefined);
  const [second = "There is nothing more to compare or to quote.", third] = rest;
  return [first, second, ...(third === undefined ? [] : [third])].join(" ");
}

/** Where a question is about, for people: `about Visakhapatnam (IN)`. */
export function describePlace({ place }: Question, { country, name }: CountryConventions): string {
  return place === undefined ? `about ${name}` : `about ${place.name} (${country})`;
}

/** How a price that was named lies to comparable ones. Says what is, and not whether it is fair. */
function describeBudget(
  question: Question,
  { measure, spread, isFew }: Comparables,
  conventions: CountryConventions,
): string | undefined {
  const asked = budgetPrice(question, measure);
  if (asked === undefined) return undefined;
  const figure = printFigure(asked, measure, conventions);
  if (isFew) {
    const { minimum, maximum } = spread;
    const side = asked > maximum ? "above" : asked < minimum ? "below" : "within";
    return `${figure} lies ${side} what these rows say.`;
  }
  const difference = (asked / spread.median - 1) * 100;
  const percent = Math.round(Math.abs(difference));
  const relation =
    percent === 0
      ? "equals that median"
      : `is ${percent} % ${difference > 0 ? "above" : "below"} that median`;
  const place = asked > spread.q3 ? "above" : asked < spread.q1 ? "below" : "within";
  return `${figure} ${relation} and lies ${place} the middle half.`;
}
