import { z } from "zod";

const labels = z.record(z.string(), z.string()).nullish().catch(undefined);
const alertSchema = z.object({
  status: z.string().nullish().catch(undefined),
  labels,
  annotations: labels,
  startsAt: z.string().nullish().catch(undefined),
});
const webhookSchema = z.object({
  alerts: z.array(alertSchema).min(1),
  status: z.string().nullish().catch(undefined),
  commonLabels: labels,
  commonAnnotations: labels,
  truncatedAlerts: z.number().nullish().catch(undefined),
});

/** Maximum number of alerts of one webhook that are read. */
const maxAlerts = 100;

/** Labels that name the object of an alert, the one that owns the others first. */
const kinds = [
  ["deployment", "Deployment"],
  ["statefulset", "StatefulSet"],
  ["daemonset", "DaemonSet"],
  ["cronjob", "CronJob"],
  ["job_name", "Job"],
  ["horizontalpodautoscaler", "HorizontalPodAutoscaler"],
  ["persistentvolumeclaim", "PersistentVolumeClaim"],
  ["poddisruptionbudget", "PodDisruptionBudget"],
  ["resourcequota", "ResourceQuota"],
  ["replicaset", "ReplicaSet"],
  ["pod", "Pod"],
  ["ingress", "Ingress"],
  ["service", "Service"],
  ["node", "Node"],
] as const;
const severities = ["critical", "high", "error", "warning", "medium", "info", "low"];

/** Whether a value is the webhook of Alertmanager, as it sends it. */
export function isAlertmanager(value: unknown): boolean {
  return webhookSchema.safeParse(value).success;
}

/**
 * Reads a webhook of Alertmanager as one signal: the most severe alert that fires, the first of equal ones. The labels
 * common to all count where an alert lacks them, and how many fire is reported as a count.
 *
 * @returns Undefined for another value, and for a webhook none of whose alerts fires.
 */
export function readAlertmanager(value: unknown): Readonly<Record<string, unknown>> | undefined {
  const { data } = webhookSchema.safeParse(value);
  if (data === undefined) return undefined;
  const firing = data.alerts
    .slice(0, maxAlerts)
    .filter(({ status }) => (status ?? data.status ?? "firing") === "firing")
    .map((alert) => ({ ...alert, labels: { ...data.commonLabels, ...alert.labels } }));
  const [first] = firing.toSorted((a, b) => rankOf(a.labels.severity) - rankOf(b.labels.severity));
  if (first === undefined) return undefined;
  const { labels: own, startsAt } = first;
  const annotations = { ...data.commonAnnotations, ...first.annotations };
  const [label, kind] = kinds.find(([name]) => own[name] !== undefined) ?? [];
  return {
    signal_type: own.alertname,
    signal_source: "alertmanager",
    severity: own.severity,
    summary: annotations.summary ?? annotations.message,
    description: annotations.description,
    environment: own.environment ?? own.env,
    priority: own.priority,
    namespace: own.namespace,
    resource_kind: kind,
    resource_name: label === undefined ? undefined : own[label],
    firing_time: startsAt,
    alert_labels: own,
    is_storm: firing.length > 1 ? true : undefined,
    storm_alert_count: firing.length > 1 ? firing.length + (data.truncatedAlerts ?? 0) : undefined,
  };
}

function rankOf(severity: string | undefined): number {
  const rank = severities.indexOf(severity?.toLowerCase() ?? "");
  return rank === -1 ? severities.length : rank;
}
