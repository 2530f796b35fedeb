import type { Analyzer } from "@constellation/retrieval";
import { flagLowConfidence } from "../contract/confidence-bands.js";
import { emptyAdvisory } from "../contract/empty-advisory.js";
import type { RAGResponse, RAGValuationHint } from "../contract/rag-response.js";
import type { CountryConventions } from "../country/conventions.js";
import { printMoney } from "../country/money.js";
import type { Question } from "../question/question.js";
import type { ContentSpan } from "../rules/content-rules.js";
import { cited, fullDate, namesOfSources, sourceName, sourcesOf } from "./citation.js";
import { type Comparables, findComparables, type Measure, measuresFor } from "./comparables.js";
import { confidenceOf } from "./confidence.js";
import {
  describeComparables,
  describePace,
  describeTrend,
  nounOf,
  periodOf,
  printFigure,
  printMiddle,
} from "./figures.js";
import type { Retrieved } from "./retrieved.js";
import { findRisks } from "./risk-signals.js";
import { readStatements, type Statement, type Topic } from "./statements.js";
import { findTrend, type Trend } from "./trend.js";

/** The `model_version` of an advisory that no model wrote. */
export const extractiveVersion = "extractive-1";
/** Sentences of sources in one field. */
const statementsPerField = 2;
const dayMs = 86_400_000;

/** An advisory in the sources' own words, and what was computed for it. */
export interface WrittenAdvisory {
  readonly advisory: RAGResponse;
  readonly comparables?: Comparables | undefined;
  readonly trend?: Trend | undefined;
  /** What broke a content rule in the sources, and was rewritten or dropped. */
  readonly violations: readonly ContentSpan[];
}

/** What an advisory is written for. */
export interface WriteOptions {
  readonly question: Question;
  readonly retrieved: Retrieved;
  readonly conventions: CountryConventions;
  readonly analyzer: Analyzer;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * Writes the advisory of a question from what was found: figures computed from data rows, sentences of
 * the passages, each with its source.
 *
 * @returns An advisory that keeps the schema and the content rules, flagged below 0.7. Where nothing
 *   was found it has no sources and confidence 0.
 */
export function writeAdvisory(options: WriteOptions): WrittenAdvisory {
  const { question, retrieved, conventions, analyzer, now } = options;
  const { passages, rows } = retrieved;
  const comparables = findComparables(rows, question);
  const { statements, violations } = readStatements(passages, question, analyzer);
  const trend =
    comparables === undefined
      ? findTrend(rows, trendMeasures(measuresFor(question)))
      : findTrend(comparables.ever, trendMeasures([comparables.measure]));
  const pace = describePace(rows);
  const used = [
    ...[...(comparables?.rows ?? []), ...(trend?.rows ?? []), ...pace.rows].map(
      ({ chunk }) => chunk,
    ),
    ...passages.map(({ chunk }) => chunk),
  ];
  const country = conventions.country;
  if (comparables === undefined && passages.length === 0) {
    const summary = `No information was found ${placeOf(question, conventions)}.`;
    return {
      advisory: emptyAdvisory({ country, now, summary, modelVersion: extractiveVersion }),
      violations,
    };
  }
  const take = fieldTaker(statements);
  const risks = findRisks(statements, question, comparables, conventions);
  const advisory: RAGResponse = {
    summary: summaryOf(options, comparables, trend, statements),
    country,
    confidence: evidenceOf(retrieved, comparables, now),
    retrieval_timestamp: new Date(now).toISOString(),
    model_version: extractiveVersion,
    market_context: {
      price_trends: joined(
        trend === undefined ? [] : [describeTrend(trend, conventions)],
        take("trend", "price"),
        "The sources give no price trend.",
      ),
      market_conditions: joined(
        pace.sentences,
        take("market"),
        "The sources say nothing about supply and demand.",
      ),
      location_insights: joined(
        [],
        take("location"),
        `The sources say nothing more ${placeOf(question, conventions)}.`,
      ),
      ...(comparables !== undefined && {
        comparable_properties: describeComparables(comparables, conventions),
      }),
    },
    risk_signals: risks,
    valuation_hint: valuationOf(question, comparables, conventions, now),
    sources: sourcesOf(used, now),
  };
  return { advisory: flagLowConfidence(advisory), comparables, trend, violations };
}

/** Prices for an area change less with what happened to be sold than prices do. */
function trendMeasures(measures: readonly Measure[]): readonly Measure[] {
  return measures.includes("price") ? ["rate", "price"] : measures;
}

/** Where a question is about, for people: `about Visakhapatnam (IN)`. */
export function placeOf({ place }: Question, { country, name }: CountryConventions): string {
  return place === undefined ? `about ${name}` : `about ${place.name} (${country})`;
}

function summaryOf(
  { question, conventions, retrieved, now }: WriteOptions,
  comparables: Comparables | undefined,
  trend: Trend | undefined,
  statements: readonly Statement[],
): string {
  const sources = sourcesOf(
    retrieved.passages.map(({ chunk }) => chunk),
    now,
  ).length;
  const first =
    comparables === undefined
      ? `${sources} ${sources === 1 ? "source was" : "sources were"} found for a question ${placeOf(question, conventions)}.`
      : describeComparables(comparables, conventions);
  const rest = [
    comparables === undefined ? undefined : describeBudget(question, comparables, conventions),
    trend === undefined ? undefined : describeTrend(trend, conventions),
    ...statements.slice(0, 2).map(({ text, source }) => cited(text, source)),
  ].filter((sentence) => sentence !== undefined);
  const [second = "There are no data rows to compare with."] = rest;
  const third = rest[1];
  return [first, second, ...(third === undefined ? [] : [third])].join(" ");
}

/** How a price that was named lies to comparable ones. Says what is, and not whether it is fair. */
function describeBudget(
  { budget }: Question,
  { measure, spread }: Comparables,
  conventions: CountryConventions,
): string | undefined {
  if (budget === undefined || budget.per === "sqft" || budget.per === "sqm") return undefined;
  if (measure !== "price" && measure !== "rent") return undefined;
  const asked =
    (budget.low + budget.high) / 2 / (measure === "rent" && budget.per === "year" ? 12 : 1);
  const difference = (asked / spread.median - 1) * 100;
  const percent = Math.round(Math.abs(difference));
  const relation =
    percent === 0
      ? "equals that median"
      : `is ${percent} % ${difference > 0 ? "above" : "below"} that median`;
  const place = asked > spread.q3 ? "above" : asked < spread.q1 ? "below" : "within";
  return `${printMoney(asked, conventions)} ${relation} and lies ${place} the middle half.`;
}

function valuationOf(
  question: Question,
  comparables: Comparables | undefined,
  conventions: CountryConventions,
  now: number,
): RAGValuationHint {
  if (comparables === undefined) {
    return {
      factors: [],
      methodology: "No valuation: fewer than three comparable data rows were found.",
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
  const basis = `Middle half (first to third quartile) of the ${nounOf(measure)} of ${spread.count} data rows: ${of}, ${periodOf(first, last)}, from ${names}`;
  const chunks = rows.map(({ chunk }) => chunk);
  return {
    estimated_range: measure === "rent" ? `${range} a month` : range,
    factors: [
      `Median ${nounOf(measure)}: ${printFigure(spread.median, measure, conventions)}`,
      `Comparable data rows: ${spread.count}`,
      `Period: ${periodOf(first, last)}`,
      `Range of all rows: ${printFigure(spread.least, measure, conventions)} to ${printFigure(spread.most, measure, conventions)}`,
    ],
    methodology: isByArea
      ? `${basis}, for each ${conventions.areaUnit}, times the area asked for.`
      : `${basis}.`,
    confidence: confidenceOf({
      sources: Math.floor(Math.log2(1 + spread.count / 3)) + new Set(chunks.map(sourceName)).size,
      ageDays: ageOf(chunks.map(({ metadata }) => metadata.date).concat(last), now),
      closeness,
      agreement: agreementOf(comparables),
    }),
  };
}

/** Confidence of the whole: everything that was found, whatever is quoted of it. */
function evidenceOf(
  { passages }: Retrieved,
  comparables: Comparables | undefined,
  now: number,
): number {
  const rows = comparables?.rows ?? [];
  const chunks = [...passages.map(({ chunk }) => chunk), ...rows.map(({ chunk }) => chunk)];
  const dates = [...chunks.map(({ metadata }) => metadata.date), ...rows.map(({ date }) => date)];
  return confidenceOf({
    sources: new Set(chunks.map(sourceName)).size,
    ageDays: ageOf(dates, now),
    closeness: Math.max(
      0,
      comparables?.closeness ?? 0,
      ...passages.map(({ closeness }) => closeness),
    ),
    agreement: comparables === undefined ? 0.5 : agreementOf(comparables),
  });
}

/** How narrow the middle half is: 1 where all rows say the same, 0 where it is as wide as the median is large. */
function agreementOf({ spread: { q1, q3, median } }: Comparables): number {
  return median <= 0 ? 0 : Math.max(0, 1 - (q3 - q1) / median);
}

function ageOf(dates: readonly (string | undefined)[], now: number): number {
  const times = dates.flatMap((date) => {
    const full = fullDate(date);
    return full === undefined ? [] : Date.parse(`${full}T00:00:00Z`);
  });
  return times.length === 0
    ? Number.POSITIVE_INFINITY
    : Math.max(0, (now - Math.max(...times)) / dayMs);
}

/** Gives the weightiest statements of some topics, each once. */
function fieldTaker(
  statements: readonly Statement[],
): (...topics: readonly Topic[]) => readonly string[] {
  return (...topics) =>
    statements
      .filter(({ topic }) => topics.includes(topic))
      .slice(0, statementsPerField)
      .map(({ text, source }) => cited(text, source));
}

function joined(computed: readonly string[], stated: readonly string[], nothing: string): string {
  const all = [...computed, ...stated];
  return all.length === 0 ? nothing : all.join(" ");
}
