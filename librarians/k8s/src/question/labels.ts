/** A label of objects that a question names. */
export type Label = readonly [key: string, value: string];

/** What `key=value` words of a question say. */
export interface Labelled {
  readonly labels: readonly Label[];
  /** Namespace that an alert is about. */
  readonly namespace: string | undefined;
  /** Names that an alert's labels hold, the closest first. */
  readonly names: readonly string[];
}

/** Labels of alerts that hold the name of an object, what is closest to the failure first. */
const named: readonly string[] = [
  "pod",
  "deployment",
  "statefulset",
  "daemonset",
  "job_name",
  "cronjob",
  "workload",
  "persistentvolumeclaim",
  "horizontalpodautoscaler",
  "hpa",
  "service",
  "ingress",
  "node",
];
/** Labels of alerts about the alert itself, or about who reported it. */
const aboutAlerts: ReadonlySet<string> = new Set([
  "alertname",
  "severity",
  "prometheus",
  "instance",
  "cluster",
  "endpoint",
  "reason",
  "phase",
  "condition",
  "status",
  "uid",
  "job",
  "container",
  "team",
]);

/** Reads `app=web` as a label of objects, and `pod=web-1`, `severity=warning` as what an alert says. */
export function labelsIn(words: readonly string[]): Labelled {
  const pairs = words.flatMap((word): readonly Label[] => {
    const match = /^([A-Za-z0-9./_-]+)==?([A-Za-z0-9._-]+)$/.exec(word);
    return match === null ? [] : [[match[1] ?? "", match[2] ?? ""]];
  });
  const ofAlert = new Map(pairs.map(([key, value]) => [key.toLowerCase(), value]));
  const isOfAlert = (key: string) =>
    key === "namespace" || named.includes(key) || aboutAlerts.has(key);
  return {
    labels: pairs.filter(([key]) => !isOfAlert(key.toLowerCase())),
    namespace: ofAlert.get("namespace"),
    names: named.flatMap((key) => ofAlert.get(key) ?? []),
  };
}
