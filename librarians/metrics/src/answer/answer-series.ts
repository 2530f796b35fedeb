import type { Response } from "@constellation/core";
import type { TimeWindow } from "../question/time-window.js";
import type { MetricsReader, Series } from "../reader/metrics-reader.js";
import { toSource } from "./answer-signals.js";
import { seriesFacts } from "./facts.js";
import { formatNumber, formatTime, sparkline } from "./format.js";
import { codeSpan, escapeMarkdown } from "./text.js";

/** Lists the series of a query, with the last value and a sparkline of each. */
export function answerSeries(
  query: string,
  series: readonly Series[],
  { baselineStart, end }: TimeWindow,
  maxSeries: number,
  reader: MetricsReader,
): Response {
  const shown = series.slice(0, maxSeries);
  const count = `${series.length} series`;
  const lines = [
    `**${codeSpan(query)}: ${count}, ${formatTime(baselineStart)} to ${formatTime(end)} UTC.**`,
    "",
    "| Series | Last value | At | Course |",
    "| --- | --- | --- | --- |",
    ...shown.map(formatRow),
    ...(series.length > shown.length
      ? ["", `${series.length - shown.length} more are not shown.`]
      : []),
  ];
  return {
    answer: lines.join("\n"),
    confidence: 0.95,
    sources: [toSource(query, reader)],
    ...(series.length > shown.length && { partial: true }),
    metadata: { facts: seriesFacts(query, shown) },
  };
}

function formatRow({ labels, samples }: Series): string {
  const last = samples.at(-1);
  const named = Object.entries(labels)
    .filter(([label]) => label !== "__name__")
    .map(([label, value]) => `${label}=${value}`);
  const name = escapeMarkdown(named.length === 0 ? (labels.__name__ ?? "value") : named.join(", "));
  const value = last === undefined ? "no data" : formatNumber(last.value);
  return `| ${name} | ${value} | ${last === undefined ? "" : formatTime(last.at)} | ${sparkline(samples)} |`;
}
