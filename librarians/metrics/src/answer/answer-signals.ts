import type { Response, Source } from "@constellation/core";
import type { Aspect } from "../question/intent.js";
import type { MetricsReader } from "../reader/metrics-reader.js";
import type { Assessment } from "../signals/assess.js";
import { toFact } from "./facts.js";
import { formatTime, formatValue, sparkline } from "./format.js";
import { writeHeadline } from "./headline.js";
import type { Measurement } from "./measurement.js";
import { codeSpan, escapeMarkdown } from "./text.js";

/** A value older than this is said to be old. */
const staleMs = 5 * 60_000;

const aspectNames: Readonly<Record<Aspect, string>> = {
  traffic: "requests",
  errors: "errors",
  latency: "latency",
  saturation: "resources",
};

/** Answers with the golden signals of a workload: what changed first, then each signal with its query. */
export function answerSignals(measured: Measurement, reader: MetricsReader): Response {
  const { subject, assessments, window } = measured;
  const missing = missingAspects(measured);
  const lines = [
    `**${writeHeadline(measured)}**`,
    "",
    `| Signal | ${formatTime(window.start)}–${formatTime(window.end)} UTC | Before | Course |`,
    "| --- | --- | --- | --- |",
    ...assessments.map(formatRow),
    "",
    ...notes(measured, missing),
    "Queries:",
    ...assessments.map(
      ({ signal }, index) => `${index + 1}. ${signal.title}: ${codeSpan(signal.query)}`,
    ),
  ];
  return {
    answer: lines.join("\n"),
    confidence: scoreConfidence(measured, missing),
    sources: assessments.map(({ signal }) => toSource(signal.query, reader)),
    ...((missing.length > 0 || window.unread !== undefined) && { partial: true }),
    metadata: { facts: assessments.map((each) => toFact(each, subject)) },
  };
}

/** Where a value comes from: the query, with a page that shows it where there is one. */
export function toSource(query: string, reader: MetricsReader): Source {
  const url = reader.linkTo?.(query);
  return { name: `${reader.name}: ${query}`, type: "metric", ...(url !== undefined && { url }) };
}

function formatRow({ signal, current, baseline, samples }: Assessment): string {
  const before = baseline === undefined ? "no data" : formatValue(baseline, signal.unit);
  return `| ${signal.title} | ${formatValue(current, signal.unit)} | ${before} | ${sparkline(samples)} |`;
}

function missingAspects({ assessments, requested }: Measurement): readonly Aspect[] {
  return requested.filter((aspect) => !assessments.some(({ signal }) => signal.aspect === aspect));
}

function notes(
  { assessments, window }: Measurement,
  missing: readonly Aspect[],
): readonly string[] {
  const lastAt = Math.max(...assessments.map((each) => each.lastAt));
  const text = [
    ...(window.unread === undefined
      ? []
      : [
          `The time "${escapeMarkdown(window.unread)}" was not understood: this is about the last minutes. Write "at 09:30", "since 08:00" or "in the last 2 hours".`,
        ]),
    ...(missing.length > 0
      ? [
          `Not measured: ${missing.map((aspect) => aspectNames[aspect]).join(", ")}. No metric of these is known for it.`,
        ]
      : []),
    ...(window.end - lastAt > staleMs
      ? [`The last value is from ${formatTime(lastAt)} UTC: nothing newer was recorded.`]
      : []),
  ];
  return text.flatMap((line) => [line, ""]);
}

/**
 * How much of what was requested was measured: the share of aspects with a metric, times the share of the
 * expected samples that are there, and less where there is nothing to compare with.
 */
function scoreConfidence(
  { assessments, requested }: Measurement,
  missing: readonly Aspect[],
): number {
  const aspectShare = (requested.length - missing.length) / requested.length;
  const mean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const coverage = mean(assessments.map((each) => each.coverage));
  const compared = mean(assessments.map(({ change }) => (change === "unknown" ? 0.7 : 1)));
  return Math.round(95 * aspectShare * coverage * compared) / 100;
}
