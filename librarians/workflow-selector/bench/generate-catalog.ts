import { seeded } from "@constellation/testing";

const troubles = [
  "OOMKilled containers",
  "pods in CrashLoopBackOff",
  "pods stuck in ImagePullBackOff",
  "an expired TLS certificate",
  "a node under disk pressure",
  "a node that is NotReady",
  "a persistent volume claim that fills up",
  "pods that are Pending",
  "throttled CPU",
  "a stuck rollout",
  "a network policy that blocks ingress traffic",
  "an exhausted connection pool",
  "an HPA at its maxReplicas",
  "a PodDisruptionBudget that blocks drains",
  "etcd fragmentation",
  "a failed operator CSV",
];
const acts = [
  "Increases the limits of",
  "Rolls back",
  "Restarts",
  "Recreates",
  "Scales",
  "Patches the configuration of",
  "Removes",
  "Drains",
];

/** What incidents are called, as alerts and people say it. */
export const incidents = [
  "OOMKilled",
  "KubePodCrashLooping",
  "ImagePullBackOff",
  "certificate has expired",
  "NodeDiskPressure",
  "KubeNodeNotReady",
  "KubePersistentVolumeFillingUp",
  "FailedScheduling",
  "CPUThrottlingHigh",
  "KubeDeploymentRolloutStuck",
  "ErrorBudgetBurn",
  "pods of checkout run out of memory",
  "etcdDatabaseHighFragmentationRatio",
  "KubeHpaMaxedOut",
];

/** Entries as they are in a file, made up from a seed: with labels, some with conditions, words of which some are common. */
export function generateEntries(count: number): readonly unknown[] {
  const random = seeded(42);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T; // the place is inside
  const word = () => `service${Math.floor(3_000 ** random())}`;
  return Array.from({ length: count }, (_, at) => ({
    workflow_id: `${pick(["fix", "raise", "restore", "renew"])}-${word()}-${at}`,
    version: `1.${at % 10}.0`,
    description: {
      what: `${pick(acts)} ${word()} to recover from ${pick(troubles)}`,
      whenToUse: `When ${word()} shows ${pick(troubles)} and ${word()} is affected in the ${word()} tier`,
      whenNotToUse: `When the cause is ${pick(troubles)}`,
    },
    labels: {
      signal_type: pick(incidents),
      severity: pick([["critical", "high"], ["critical"], ["warning", "info"], ["*"]]),
      component: pick(["apps/v1/Deployment", "v1/Node", "apps/v1/StatefulSet", "*"]),
      environment: pick([["production"], ["production", "staging"], ["staging"], ["*"]]),
      priority: pick(["P0", "P1", "P2", "*", "*"]),
      risk_tolerance: pick(["low", "low", "medium", "high"]),
      business_category: pick(["*", "*", "payments", "search"]),
    },
    ...(random() < 0.2 && {
      detected_labels: { [pick(["helmManaged", "gitOpsManaged", "stateful"])]: "true" },
    }),
  }));
}

/** Queries as the selector makes them: by business labels. */
export const businessLabels = [
  {
    environment: "production",
    priority: "P0",
    risk_tolerance: "low",
    business_category: "payments",
  },
  { environment: "production", priority: "P1" },
  { environment: "staging", priority: "P2", risk_tolerance: "medium", business_category: "search" },
  { environment: "staging" },
];
