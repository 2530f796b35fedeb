import type { Analyzer } from "@constellation/retrieval";
import { flagLowConfidence } from "../contract/confidence-bands.js";
import { emptyAdvisory } from "../contract/empty-advisory.js";
import type { RAGResponse } from "../contract/rag-response.js";
import type { CountryConventions } from "../country/countries.js";
import type { Question } from "../question/question.js";
import type { ContentSpan } from "../rules/content-rules.js";
import type { Chunk } from "../store/vector-store.js";
import type { ChosenStatements } from "./choose-statements.js";
import { cited, toSources } from "./citation.js";
import {
  type Comparables,
  findComparables,
  isOwnKind,
  type Measure,
  measuresFor,
} from "./comparables.js";
import { ageOfEvidence, weighEvidence } from "./confidence.js";
import { findContradictions } from "./contradictions.js";
import { describeComparables, describePace, describeTrend } from "./figures.js";
import { describeUse } from "./fit-figures.js";
import { listNotices } from "./notices.js";
import type { Retrieved } from "./retrieve.js";
import { findRisks } from "./risk-signals.js";
import { readStatements, type Statement, type Topic } from "./statements.js";
import { describePlace, writeSummary } from "./summary.js";
import { findTrend } from "./trend.js";
import { createValuation } from "./valuation.js";

/** The `model_version` of an advisory that no model wrote. */
export const extractiveVersion = "extractive-1";
/** Sentences of sources in one field, by their weight and by the choice of a model each. */
const statementsPerField = 2;

/** Confidence of an advisory when one of its documents addresses an assistant: below the flag's threshold. */
const maxSuspectConfidence = 0.69;

/** What a confidence is multiplied with, and its highest value, when sources contradict each other. */
const contradictedShare = 0.8;
const maxContradicted = 0.65;

/** An advisory in the sources' own words, and what was computed for it. */
export interface WrittenAdvisory {
  readonly advisory: RAGResponse;
  readonly comparables?: Comparables | undefined;
  /** Sentences of the sources that it may quote, the weightiest first. */
  readonly quotable: readonly Statement[];
  /** What broke a content rule in the sources; its sentences were dropped. */
  readonly violations: readonly ContentSpan[];
  /** Chunks that address an assistant. */
  readonly suspect: readonly Chunk[];
}

/** What an advisory is written for. */
export interface WriteOptions {
  readonly question: Question;
  readonly retrieved: Retrieved;
  readonly conventions: CountryConventions;
  readonly analyzer: Analyzer;
  /** What a model chose to be quoted besides. */
  readonly chosen?: ChosenStatements | undefined;
  /** What else has to be known of the figures. */
  readonly notices?: readonly string[] | undefined;
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
  const { question, retrieved, conventions, analyzer, chosen, now } = options;
  const { passages, surroundings, rows } = retrieved;
  const comparables = findComparables(rows, question);
  // What properties cost says nothing about risks and rules.
  const isAnswer = question.intent !== "risk" && question.intent !== "regulation";
  const answering = isAnswer ? comparables : undefined;
  const { country } = conventions;
  if (answering === undefined && passages.length === 0) {
    const summary = `No information was found ${describePlace(question, conventions)}.`;
    const modelVersion = extractiveVersion;
    return {
      advisory: emptyAdvisory({ country, now, summary, modelVersion }),
      quotable: [],
      violations: [],
      suspect: [],
    };
  }
  const said = readStatements(passages, question, analyzer);
  const besides = readStatements(surroundings, question, analyzer);
  const statements = [...said.statements, ...besides.statements];
  const trend =
    comparables !== undefined
      ? findTrend(comparables.ever, trendMeasures([comparables.measure]))
      : isOwnKind(question.propertyType)
        ? undefined
        : findTrend(rows, trendMeasures(measuresFor(question)));
  const pace = describePace(rows);
  const contradictions = isAnswer
    ? findContradictions(statements, trend, answering, conventions)
    : [];
  const notices = listNotices(question, contradictions, ageOfEvidence(passages, answering, now), [
    ...(options.notices ?? []),
    ...describeUse(question, answering, conventions),
  ]);
  const disputed = contradictions.flatMap((each) => each.statements);
  const fields = {
    trends: [
      ...new Set([
        ...disputed.map(({ text, source }) => cited(text, source)),
        ...take(statements, chosen, "trend", "price"),
      ]),
    ],
    conditions: take(statements, chosen, "market"),
    location: take(statements, chosen, "location"),
  };
  const risks = findRisks(statements, question, comparables, conventions);
  const quoted = new Set([...fields.trends, ...fields.conditions, ...fields.location]);
  const used = [
    ...[...(comparables?.rows ?? []), ...(trend?.rows ?? []), ...pace.rows].map(
      ({ chunk }) => chunk,
    ),
    ...passages.map(({ chunk }) => chunk),
    ...besides.statements
      .filter(
        ({ text, source }) =>
          quoted.has(cited(text, source)) || risks.some(({ description }) => description === text),
      )
      .map(({ chunk }) => chunk),
  ];
  const advisory: RAGResponse = {
    summary: writeSummary({
      question,
      conventions,
      passages,
      comparables: answering,
      trend: isAnswer ? trend : undefined,
      statements: said.statements,
      notices,
    }),
    country,
    confidence: Math.min(
      weighed(passages, answering, contradictions.length > 0, now),
      said.suspect.length + besides.suspect.length === 0 ? 1 : maxSuspectConfidence,
    ),
    retrieval_timestamp: new Date(now).toISOString(),
    model_version: chosen?.model ?? extractiveVersion,
    market_context: {
      price_trends: joined(
        [...(trend === undefined ? [] : [describeTrend(trend, conventions)]), ...fields.trends],
        "The sources give no price trend.",
      ),
      market_conditions: joined(
        [...pace.sentences, ...fields.conditions],
        "The sources say nothing about supply and demand.",
      ),
      location_insights: joined(
        fields.location,
        `The sources say nothing more ${describePlace(question, conventions)}.`,
      ),
      ...(comparables !== undefined && {
        comparable_properties: describeComparables(comparables, conventions),
      }),
    },
    risk_signals: risks,
    valuation_hint: createValuation(question, comparables, conventions, now),
    sources: toSources(used, now),
  };
  const violations = [...said.violations, ...besides.violations];
  const suspect = [...said.suspect, ...besides.suspect];
  return {
    advisory: flagLowConfidence(advisory),
    comparables,
    quotable: statements,
    violations,
    suspect,
  };
}

/** How sure an advisory is; less where its sources contradict each other, and flagged. */
function weighed(
  passages: Retrieved["passages"],
  comparables: Comparables | undefined,
  isContradicted: boolean,
  now: number,
): number {
  const confidence = weighEvidence(passages, comparables, now);
  return isContradicted
    ? Math.min(maxContradicted, Math.round(confidence * contradictedShare * 100) / 100)
    : confidence;
}

/** Prices for an area change less with what happened to be sold than prices do. */
function trendMeasures(measures: readonly Measure[]): readonly Measure[] {
  return measures.includes("price") ? ["rate", "price"] : measures;
}

/** The weightiest statements of some topics, then those of a model's choice. */
function take(
  statements: readonly Statement[],
  chosen: ChosenStatements | undefined,
  ...topics: readonly Topic[]
): readonly string[] {
  const ofTopics = (some: readonly Statement[]) =>
    some
      .filter(({ topic }) => topics.includes(topic))
      .slice(0, statementsPerField)
      .map(({ text, source }) => cited(text, source));
  return [...new Set([...ofTopics(statements), ...ofTopics(chosen?.statements ?? [])])];
}

function joined(sentences: readonly string[], nothing: string): string {
  return sentences.length === 0 ? nothing : sentences.join(" ");
}
