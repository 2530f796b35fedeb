import type { RAGValuationHint } from "../contract/rag-response.js";
import type { CountryConventions } from "../country/countries.js";
import type { Question } from "../question/question.js";
import { namesOfSources, sourceName } from "./citation.js";
import type { Comparables } from "./comparables.js";
import { ageInDays, measureAgreement, scoreConfidence } from "./confidence.js";
import { formatPeriod, measureNoun, printFigure, printMiddle } from "./figures.js";

/** Makes the valuation hint: the middle half of comparable rows, and how it was made. */
export function createValuation(
  question: Question,
  comparables: Comparables | undefined,
  conventions: CountryConventions,
  now: number,
): RAGValuationHint {
  if (comparables === undefined || comparables.isFew || comparables.measure === "area") {
    return {
      factors: [],
      methodology:
        comparables?.isFew === false
          ? "No valuation: areas were compared, not prices."
          : "No valuation: fewer than three comparable data rows were found.",
      confidence: 0,
    };
  }
  const { measure, spread, of, first, last, rows, closeness } = comparables;
  const { area } = question;
  const isByArea = measure === "rate" && area !== undefined;
  const range = isByArea
    ? printMiddle(
        { measure: "price", spread: { ...spread, q1: spread.q1 * area, q3: spread.q3 * area } },
        conventions,
      )
    : printMiddle(comparables, conventions);
  const names = namesOfSources(rows.map(({ chunk }) => chunk));
  const basis = `Middle half (first to third quartile) of the ${measureNoun(measure)} of ${spread.count} data rows: ${of}, ${formatPeriod(first, last)}, from ${names}`;
  const chunks = rows.map(({ chunk }) => chunk);
  return {
    estimated_range: measure.startsWith("rent") ? `${range} a month` : range,
    factors: [
      `Median ${measureNoun(measure)}: ${printFigure(spread.median, measure, conventions)}`,
      `Comparable data rows: ${spread.count}`,
      `Period: ${formatPeriod(first, last)}`,
      `Range of all rows: ${printFigure(spread.minimum, measure, conventions)} to ${printFigure(spread.maximum, measure, conventions)}`,
    ],
    methodology: isByArea
      ? `${basis}, for each ${conventions.areaUnit.name}, times the area asked for.`
      : `${basis}.`,
    confidence: scoreConfidence({
      sources: Math.floor(Math.log2(1 + spread.count / 3)) + new Set(chunks.map(sourceName)).size,
      ageDays: ageInDays(chunks.map(({ metadata }) => metadata.date).concat(last), now),
      closeness,
      agreement: measureAgreement(comparables),
    }),
  };
}
