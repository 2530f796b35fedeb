import { promptFence, trimTrailing } from "@constellation/authoring";
import type { PromptFacts } from "./prompt-facts.js";

/** The incident, as ADR-041 has it: a narrative, then the details. What is not known is left out. */
export function incidentPrompt(facts: PromptFacts): string {
  const sections = [
    incidentSummary(facts),
    section("Error Details", [
      ["Error Message", facts.error_message],
      ["Description", facts.description],
      ["Firing Time", facts.firing_time],
      ["Received Time", facts.received_time],
    ]),
    section("Deduplication Context", [
      ["Is Duplicate", facts.is_duplicate],
      ["First Seen", facts.first_seen],
      ["Last Seen", facts.last_seen],
      ["Occurrence Count", facts.occurrence_count],
    ]),
    section("Storm Detection", [
      ["Is Storm", facts.is_storm],
      ["Storm Type", facts.storm_type],
      ["Storm Window", facts.storm_window],
      ["Storm Alert Count", facts.storm_alert_count],
      ["Affected Resources", facts.affected_resources?.join(", ")],
    ]),
    section("Cluster Context", [
      ["Cluster", facts.cluster_name],
      ["Signal Source", facts.signal_source],
      ["Alert", facts.alert_name],
      ["Signal Labels", formatLabels(facts)],
    ]),
    section("Recovery Limits", [
      ["Attempts So Far", facts.recovery_attempts],
      ["Most Attempts", facts.max_attempts],
      ["Timeout in Seconds", facts.timeout_seconds],
    ]),
    section("Business Context (FOR WORKFLOW SEARCH - NOT FOR RCA)", [
      ["Environment", facts.environment],
      ["Priority", facts.priority],
      ["Business Category", facts.business_category],
      ["Risk Tolerance", facts.risk_tolerance],
    ]),
    facts.observations.length === 0
      ? ""
      : `## Observed Facts\n${facts.observations.map((one) => `- ${one}`).join("\n")}`,
  ];
  const text = sections.filter((one) => one !== "").join("\n\n");
  return ["# Recovery Analysis Request", promptFence({ name: "incident", text }), notesOn(facts)]
    .filter((one) => one !== "")
    .join("\n\n");
}

/** The first section: the seed's example, with other values. */
export function incidentSummary(facts: PromptFacts): string {
  const { severity, signal_type, signal_source, error_message } = facts;
  const where = describeLocation(facts);
  const event = [severity, signal_type, "event"].filter((one) => one !== undefined).join(" ");
  const source = signal_source === undefined ? "" : ` from **${signal_source}**`;
  const place = where === "" ? "" : ` in the **${where}**`;
  const impact = [
    ["Priority", describePriority(facts)],
    ["Environment", facts.environment],
    ["Risk Tolerance", describeRiskTolerance(facts)],
  ].flatMap(([name, value]) => (value === undefined ? [] : [`- **${name}**: ${value}`]));
  const details = listed([
    ["Signal Type", signal_type],
    ["Severity", severity],
    ["Resource", where === "" ? undefined : where],
    ["Error", error_message],
    ["Failed Action", describeFailedAction(facts)],
    ["Failed Action Namespace", facts.failed_action_namespace],
  ]);
  return [
    "## Incident Summary",
    `A **${event}**${source} has occurred${place}.${error_message === undefined ? "" : `\n${asSentence(error_message)}`}`,
    impact.length === 0 ? "" : ["**Business Impact Assessment**:", ...impact].join("\n"),
    details === "" ? "" : `**Technical Details**:\n${details}`,
  ]
    .filter((one) => one !== "")
    .join("\n\n");
}

type Item = readonly [name: string, value: string | number | boolean | undefined];

function section(title: string, items: readonly Item[]): string {
  const list = listed(items);
  return list === "" ? "" : `## ${title}\n${list}`;
}

function listed(items: readonly Item[]): string {
  return items
    .flatMap(([name, value]) =>
      value === undefined || value === "" ? [] : [`- ${name}: ${value}`],
    )
    .join("\n");
}

function describeLocation({ namespace, resource_kind, resource_name }: PromptFacts): string {
  return [namespace, resource_kind, resource_name].filter((one) => one !== undefined).join("/");
}

/** A sentence on a line of its own: nothing of it begins a heading, a list or a rule, and it ends with one full stop. */
function asSentence(text: string): string {
  return `${trimTrailing(text.replace(/^(?:[#>*+|=~-]+|\d+[.)](?=\s)|\s+)+/, ""), /[.\s]/)}.`;
}

function describePriority({ priority, business_category }: PromptFacts): string | undefined {
  switch (priority) {
    case "P0":
      return `P0 (highest priority) - This is a ${business_category === undefined ? "" : `${business_category} `}service requiring immediate attention`;
    case "P1":
      return "P1 (high priority) - This service requires prompt attention";
    case "P2":
      return "P2 (medium priority) - This service requires timely resolution";
    case "P3":
      return "P3 (low priority) - This service can be addressed during normal operations";
    default:
      return priority;
  }
}

function describeRiskTolerance({ risk_tolerance }: PromptFacts): string | undefined {
  switch (risk_tolerance) {
    case "low":
      return "low (conservative remediation required - avoid aggressive restarts or scaling)";
    case "medium":
      return "medium (balanced approach - standard remediation actions permitted)";
    case "high":
      return "high (aggressive remediation permitted - prioritize recovery speed)";
    default:
      return risk_tolerance;
  }
}

function describeFailedAction({ failed_action_type, failed_action_target }: PromptFacts) {
  if (failed_action_type === undefined) return failed_action_target;
  return failed_action_target === undefined
    ? failed_action_type
    : `${failed_action_type} (target: ${failed_action_target})`;
}

function formatLabels({ signal_labels = {} }: PromptFacts): string | undefined {
  const pairs = Object.entries(signal_labels).map(([key, value]) => `${key}=${value}`);
  return pairs.length === 0 ? undefined : pairs.join(", ");
}

/** What the fields of an incident mean: our words, so they stand outside the fence. */
function notesOn({
  occurrence_count,
  is_duplicate,
  environment,
  priority,
  business_category,
  risk_tolerance,
}: PromptFacts): string {
  const isRepeated = occurrence_count !== undefined || is_duplicate !== undefined;
  const hasBusiness = [environment, priority, business_category, risk_tolerance].some(
    (one) => one !== undefined,
  );
  return [
    ...(isRepeated
      ? [
          `**What Deduplication Means**:
Monitoring sends the same alert again for as long as a condition lasts, and equal alerts of five minutes are counted as one.
- An occurrence count above 1 means that the condition has been **continuously present** since it was first seen.
- It is one persistent, ongoing issue, not a failed remediation: ask why the condition persists.
- A higher count means a stable condition, not an intermittent one.`,
        ]
      : []),
    ...(hasBusiness
      ? [
          "**Business Context**: these fields are for the workflow search, which our code makes with them as they are. They are not for the root cause analysis.",
        ]
      : []),
  ].join("\n\n");
}
