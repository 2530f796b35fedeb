import { MeshError } from "@constellation/core";
import { isRecord } from "../cluster/fields.js";

/** Fields of a signal that are repeated as facts, in ADR-041's order. Others, such as past remediations, are not. */
const repeated = [
  "signal_type",
  "severity",
  "alert_name",
  "namespace",
  "resource_kind",
  "resource_name",
  "target_resource",
  "component",
  "error_message",
  "description",
  "firing_time",
  "received_time",
  "failed_action_type",
  "failed_action_target",
  "failed_action_namespace",
  "cluster_name",
  "signal_source",
  "signal_labels",
  "environment",
  "priority",
  "business_category",
  "risk_tolerance",
  "recovery_attempts",
  "attempt_number",
  "max_attempts",
  "max_recovery_attempts",
  "timeout",
  "timeout_seconds",
] as const;

const deduplication = ["is_duplicate", "first_seen", "last_seen", "occurrence_count"] as const;
const storm = ["storm_type", "storm_window", "storm_alert_count", "affected_resources"] as const;

/** Other keys of labels for the same. */
const otherKeys: Readonly<Record<string, readonly string[]>> = { environment: ["env", "stage"] };

/** A signal as the caller gave it, or nothing. */
export type Signal = Readonly<Record<string, unknown>>;

/** Business fields, wherever the caller put them. */
const business = [
  "environment",
  "priority",
  "business_category",
  "risk_tolerance",
  "cluster_name",
] as const;

/**
 * Reads `context.metadata.signal`.
 *
 * @throws MeshError `INVALID_QUERY` for a storm of a type that does not exist.
 */
export function signalIn(
  metadata: Readonly<Record<string, unknown>> | undefined,
): Signal | undefined {
  const signal = metadata?.signal;
  if (!isRecord(signal)) return undefined;
  const type = signal.storm_type;
  if (type !== undefined && type !== null && type !== "rate" && type !== "pattern") {
    throw new MeshError(
      "INVALID_QUERY",
      `signal.storm_type: expected "rate" or "pattern", got ${JSON.stringify(String(type).slice(0, 40))}.`,
      {
        suggestion: "Give the storm's type as rate or pattern, or leave it out.",
      },
    );
  }
  return signal;
}

/** What a signal says, as facts: its own words and numbers, unchanged. */
export function signalFacts(signal: Signal): Readonly<Record<string, unknown>> {
  const facts: Record<string, unknown> = pick(signal, repeated);
  const seen = pick(signal, deduplication);
  if (Object.keys(seen).length > 0) {
    Object.assign(facts, seen);
    facts.deduplication_window = "5m";
    const count = seen.occurrence_count;
    if (typeof count === "number" && count > 1 && typeof seen.first_seen === "string") {
      facts.occurrence = `present since ${seen.first_seen}, received ${count} times within the window`;
    }
  }
  if (typeof signal.is_storm === "boolean") {
    facts.is_storm = signal.is_storm;
    if (signal.is_storm) Object.assign(facts, pick(signal, storm));
  }
  return facts;
}

/**
 * Environment and the like: from the signal, the caller or the labels of a namespace, never from a name. What the labels say
 * is in `namespace_labels`, whatever signal and caller state.
 */
export function businessFacts(
  signal: Signal | undefined,
  metadata: Readonly<Record<string, unknown>> | undefined,
  labels: Readonly<Record<string, string>> | undefined,
): Readonly<Record<string, unknown>> {
  const facts: Record<string, unknown> = {};
  const observed: Record<string, string | readonly string[]> = {};
  for (const key of business) {
    const names = [key, key.replaceAll("_", "-"), ...(otherKeys[key] ?? [])];
    const stated = Object.entries(labels ?? {}).flatMap(([name, label]) =>
      label !== "" && names.includes(name.split("/").at(-1) ?? "") ? [label] : [],
    );
    const [label, ...others] = [...new Set(stated)];
    // Where labels differ, none of them hides another.
    if (label !== undefined) observed[key] = others.length === 0 ? label : [label, ...others];
    const value = signal?.[key] ?? metadata?.[key] ?? label;
    if (value !== undefined && value !== null && value !== "") facts[key] = value;
  }
  return Object.keys(observed).length === 0 ? facts : { ...facts, namespace_labels: observed };
}

function pick(signal: Signal, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    keys.flatMap((key) =>
      signal[key] === undefined || signal[key] === null || signal[key] === ""
        ? []
        : [[key, signal[key]]],
    ),
  );
}
