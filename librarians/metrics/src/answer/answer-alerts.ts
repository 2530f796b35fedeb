import type { Response } from "@constellation/core";
import type { Alert, MetricsReader } from "../reader/metrics-reader.js";
import { alertFact } from "./facts.js";
import { formatTime } from "./format.js";
import { escapeMarkdown } from "./text.js";

/** Maximum number of alerts that are shown one by one. */
const maxShown = 20;
const severities = [
  "critical",
  "page",
  "error",
  "high",
  "warning",
  "medium",
  "info",
  "low",
  "none",
];

/** Alerts and alerting rules of the server. */
export interface AlertState {
  readonly alerts: readonly Alert[];
  /** Number of alerting rules. */
  readonly ruleCount: number;
  /** Names of the rules whose last evaluation failed. */
  readonly brokenRules: readonly string[];
  /** Words of the question by which alerts were filtered; absent without a filter. */
  readonly about?: string | undefined;
}

/** Lists the firing alerts, most severe first, then oldest first. */
export function answerAlerts(state: AlertState, reader: MetricsReader): Response {
  const { alerts, ruleCount, brokenRules, about } = state;
  const firing = sorted(alerts.filter((alert) => alert.state === "firing"));
  const pending = sorted(alerts.filter((alert) => alert.state === "pending"));
  const shown = [...firing, ...pending].slice(0, maxShown);
  const hidden = firing.length + pending.length - shown.length;
  const lines = [
    `**${headline(firing, pending, about)}**`,
    "",
    ...shown.map(formatAlert),
    ...(hidden > 0 ? [`- and ${hidden} more`] : []),
    ...caveats(ruleCount, brokenRules),
  ];
  // Without working rules, the absence of alerts proves nothing.
  const isBlind = ruleCount === 0 || brokenRules.length > 0;
  return {
    answer: lines.join("\n").trim(),
    confidence: alerts.length > 0 ? 0.95 : isBlind ? 0.3 : 0.9,
    sources: [{ name: `${reader.name}: alerts`, type: "metric" }],
    metadata: { facts: shown.map(alertFact) },
  };
}

function headline(firing: readonly Alert[], pending: readonly Alert[], about?: string): string {
  const of = about === undefined ? "" : ` about ${escapeMarkdown(about)}`;
  if (firing.length === 0 && pending.length === 0) return `No alert${of} fires.`;
  const waiting = pending.length > 0 ? `, ${pending.length} pending` : "";
  return `${firing.length} ${firing.length === 1 ? "alert" : "alerts"}${of} firing${waiting}.`;
}

function formatAlert({ state, labels, annotations, activeAt }: Alert): string {
  const { alertname = "unnamed", severity } = labels;
  const name = escapeMarkdown(alertname);
  const where = ["namespace", "service", "deployment", "job", "pod", "instance"]
    .flatMap((label) =>
      labels[label] === undefined ? [] : [`${label} ${escapeMarkdown(labels[label])}`],
    )
    .slice(0, 3);
  const text = annotations.summary ?? annotations.description ?? annotations.message;
  return [
    `- **${name}** (${[state, ...(severity === undefined ? [] : [escapeMarkdown(severity)])].join(", ")})`,
    `since ${formatTime(activeAt)} UTC`,
    ...(where.length > 0 ? [`on ${where.join(", ")}`] : []),
    ...(text === undefined ? [] : [`: ${escapeMarkdown(text)}`]),
  ]
    .join(" ")
    .replace(" : ", ": ");
}

function caveats(ruleCount: number, brokenRules: readonly string[]): readonly string[] {
  if (ruleCount === 0) {
    return [
      "",
      "No alerting rule is loaded, so no alert can fire: this result does not show whether the system is healthy.",
    ];
  }
  if (brokenRules.length === 0) return [];
  const names = brokenRules.slice(0, 5).map(escapeMarkdown).join(", ");
  return ["", `${brokenRules.length} of ${ruleCount} rules could not be evaluated: ${names}.`];
}

function sorted(alerts: readonly Alert[]): readonly Alert[] {
  const rank = ({ labels }: Alert) => {
    const place = severities.indexOf((labels.severity ?? "").toLowerCase());
    return place === -1 ? severities.length : place;
  };
  return [...alerts].sort((one, other) => rank(one) - rank(other) || one.activeAt - other.activeAt);
}
