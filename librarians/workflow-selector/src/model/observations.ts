import { z } from "zod";
import { asLine, observationsIn } from "../incident/untrusted.js";

/** What is told of one fact, in this order: what a read of objects, events and metrics gives. */
export const observedKeys = [
  "signal_type",
  "severity",
  "target_resource",
  "owner",
  "owner_reference",
  "other_resources",
  "container",
  "image",
  "reason",
  "phase",
  "ready",
  "waiting_reason",
  "termination_reason",
  "exit_code",
  "restart_count",
  "is_current",
  "memory_limit",
  "memory_request",
  "memory_usage",
  "cpu_limit",
  "requested",
  "replicas_wanted",
  "replicas_ready",
  "replicas_available",
  "min_replicas",
  "max_replicas",
  "current_replicas",
  "desired_replicas",
  "expected_pods",
  "failed_pods",
  "succeeded_pods",
  "matching_pods",
  "current_healthy",
  "desired_healthy",
  "disruptions_allowed",
  "backoff_limit",
  "node_conditions",
  "unschedulable",
  "scheduling_gates",
  "storage_class",
  "volume_name",
  "reclaim_policy",
  "references",
  "secret_name",
  "pod_selector",
  "selector",
  "policy_types",
  "ready_endpoints",
  "target_port",
  "backends",
  "ingress_class",
  "scale_target",
  "schedule",
  "suspend",
  "last_schedule_time",
  "webhooks",
  "failure_policy",
  "not_after",
  "issuer",
  "last_event",
  "event_count",
  "first_seen",
  "last_seen",
  "error_message",
] as const;

const factSchema = z.looseObject({
  evidence: z
    .array(z.object({ source: z.string(), text: z.string() }))
    .nullish()
    .catch(undefined),
});

const mostFacts = 20;
const longestFacts = 12_000;

/** Facts as lines of a prompt, in the order given: values of the keys above and evidence, and nothing else that a fact holds. */
export function observationsOf(records: readonly unknown[]): readonly string[] {
  let room = longestFacts;
  return records.slice(0, mostFacts).flatMap((record) => {
    const { success, data } = factSchema.safeParse(record);
    if (!success) return [];
    const values = observedKeys.flatMap((key) => {
      const text = Object.hasOwn(data, key) ? shownValue(data[key]) : "";
      return text === "" ? [] : [`${key} ${text}`];
    });
    const evidence = (data.evidence ?? [])
      .slice(0, 8)
      .map(({ source, text }) => `[${asLine(source, 200)}] ${asLine(observationsIn(text), 300)}`);
    const whole = [...values, ...evidence].join("; ").slice(0, room);
    room -= whole.length;
    return whole === "" ? [] : [whole];
  });
}

function shownValue(value: unknown): string {
  if (typeof value === "string") return asLine(observationsIn(value), 300);
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (!Array.isArray(value)) return "";
  return value
    .slice(0, 20)
    .map(shownValue)
    .filter((text) => text !== "")
    .join(", ");
}
