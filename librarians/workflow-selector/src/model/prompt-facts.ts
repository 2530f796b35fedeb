import { z } from "zod";
import type { Gathered } from "../incident/gather.js";
import { asLine, observationsIn } from "../incident/untrusted.js";
import { readObservations } from "./observations.js";

const line = z
  .string()
  .max(20_000)
  .transform((text) => asLine(text))
  .optional()
  .catch(undefined);
const number = z.number().optional().catch(undefined);
const flag = z.boolean().optional().catch(undefined);
const lines = z
  .array(z.string())
  .transform((texts) => texts.slice(0, 50).map((text) => asLine(text, 200)))
  .optional()
  .catch(undefined);
const record = z.record(z.string(), z.unknown()).optional().catch(undefined);

/** What is taken of a signal. Every other key stays out, whatever it is called. */
const signalSchema = z.object({
  alert_name: line,
  alertname: line,
  signal_source: line,
  error_message: line,
  summary: line,
  description: line,
  failed_action_type: line,
  failed_action_target: line,
  failed_action_namespace: line,
  firing_time: line,
  received_time: line,
  is_duplicate: flag,
  first_seen: line,
  last_seen: line,
  occurrence_count: number,
  is_storm: flag,
  storm_type: line,
  storm_window: line,
  storm_alert_count: number,
  affected_resources: lines,
  cluster_name: line,
  signal_labels: record,
  alert_labels: record,
  /** How often recovery was tried. A count, not what came of it. */
  recovery_attempts: number,
  attempt_number: number,
  max_attempts: number,
  max_recovery_attempts: number,
  timeout_seconds: number,
});

type SignalFields = z.infer<typeof signalSchema>;

/**
 * All that a prompt may hold of an incident: what was observed, counted or set as a policy. What anybody
 * concluded from it has no place here: no cause, symptom, strategy, confidence, risk assessment or pattern.
 * Every text is one line.
 */
export interface PromptFacts
  extends Omit<
    SignalFields,
    | "alertname"
    | "summary"
    | "signal_labels"
    | "alert_labels"
    | "attempt_number"
    | "max_recovery_attempts"
  > {
  readonly signal_type?: string | undefined;
  readonly severity?: string | undefined;
  readonly namespace?: string | undefined;
  readonly resource_kind?: string | undefined;
  readonly resource_name?: string | undefined;
  readonly signal_labels?: Readonly<Record<string, string>> | undefined;
  readonly environment?: string | undefined;
  readonly priority?: string | undefined;
  readonly business_category?: string | undefined;
  readonly risk_tolerance?: string | undefined;
  /** What a librarian that reads the cluster observed, one line each, the most important first. */
  readonly observations: readonly string[];
}

/** Labels of monitoring systems that name what an alert is about. Others could hold anybody's conclusions. */
const labelKeys = new Set(
  "alertname app cluster component container cronjob daemonset deployment device endpoint horizontalpodautoscaler host instance job job_name kind mountpoint name namespace node persistentvolumeclaim phase pod poddisruptionbudget prometheus reason region replicaset resource resourcequota route service severity statefulset status team tier type volume zone".split(
    " ",
  ),
);

const withSignal = z.looseObject({ signal: z.unknown().optional() });

/** What a prompt may hold of what was gathered. */
export function toPromptFacts({ incident, records, from }: Gathered): PromptFacts {
  const {
    alertname,
    summary,
    signal_labels,
    alert_labels,
    attempt_number,
    max_recovery_attempts,
    ...signal
  } = signalIn(records);
  const { resource } = incident;
  const message =
    signal.error_message ?? summary ?? (from === "sentence" ? incident.message : undefined);
  return {
    ...signal,
    signal_type: toLine(incident.signalType),
    severity: toLine(incident.severity),
    environment: toLine(incident.environment),
    priority: toLine(incident.priority)?.toUpperCase(),
    business_category: toLine(incident.businessCategory),
    risk_tolerance: toLine(incident.riskTolerance)?.toLowerCase(),
    namespace: toLine(resource?.namespace),
    resource_kind: toLine(resource?.kind),
    resource_name: toLine(resource?.name),
    alert_name: signal.alert_name ?? alertname,
    error_message: toLine(observationsIn(message ?? "")),
    description: toLine(observationsIn(signal.description ?? "")),
    signal_labels: keepLabels({ ...alert_labels, ...signal_labels }),
    recovery_attempts: signal.recovery_attempts ?? attempt_number,
    max_attempts: signal.max_attempts ?? max_recovery_attempts,
    observations: from === "signal" || from === "sentence" ? [] : readObservations(records),
  };
}

/** The signal as it was given, and as facts repeat it; the first that says something counts. */
function signalIn(records: readonly unknown[]): SignalFields {
  const signals = records.flatMap((record) => {
    const { success, data } = withSignal.safeParse(record);
    return success ? [data, data.signal] : [];
  });
  const parts = signals.map((one) => signalSchema.safeParse(one).data ?? {});
  const known = parts.flatMap((part) =>
    Object.entries(part).filter(([, value]) => value != null && value !== ""),
  );
  return signalSchema.parse(Object.fromEntries(known.reverse())); // the first one is written last
}

function keepLabels(
  labels: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> | undefined {
  const kept = Object.entries(labels).flatMap(([key, value]) => {
    const isAllowed = labelKeys.has(key) && ["string", "number", "boolean"].includes(typeof value);
    const text = isAllowed ? asLine(String(value), 200) : "";
    return text === "" ? [] : [[key, text]];
  });
  return kept.length === 0 ? undefined : Object.fromEntries(kept.slice(0, 30));
}

function toLine(text: string | undefined): string | undefined {
  const one = asLine(text ?? "");
  return one === "" ? undefined : one;
}
