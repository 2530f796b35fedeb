import type { KubernetesObject } from "../../cluster/cluster-reader.js";
import { booleanAt, numberAt, textAt } from "../../cluster/fields.js";
import type { ClusterView } from "../cluster-view.js";
import { findCondition, listConditions } from "../conditions.js";
import type { Detector } from "../detector.js";
import { type Evidence, fieldEvidence } from "../evidence.js";
import { clause, type Draft } from "../finding.js";
import { describeCommand, kubectl, option } from "../kubectl.js";
import { listUnmetRequirements } from "../node-requirements.js";
import { listPodNames, missingPods } from "../ordinals.js";
import { siblingKey } from "../pod-finding.js";
import { findPodSpec } from "../pod-spec.js";
import { quote } from "../quote.js";
import { podsUnder } from "../superseded.js";

/** A Deployment, StatefulSet, DaemonSet or ReplicaSet with fewer ready pods than it wants, or a rollout that stands still. */
export const workload: Detector = (object, view) => {
  const { kind } = object;
  const isPast =
    kind === "ReplicaSet" &&
    view.owner(object) !== undefined &&
    (numberAt(object, "spec", "replicas") ?? 1) <= 0;
  if (isPast) return [];
  const counts = readReplicaCounts(object);
  const { wanted, ready, available, unavailable = 0 } = counts;
  const stuck = rollout(object, counts);
  if (wanted === 0)
    return kind === "DaemonSet"
      ? withoutNode(object, view)
      : [scaledToZero(object, counts, view), ...stuck];
  const have = Math.min(ready ?? 0, available ?? ready ?? 0);
  const isKnown =
    [ready, available, counts.unavailable, numberAt(object, "status", "replicas")].some(
      (one) => one !== undefined,
    ) || listConditions(object).length > 0;
  if (!isKnown || (have >= wanted && unavailable === 0))
    return [...stuck, ...uncounted(object, view)];
  const missing = missingPods(object, view);
  const generation = numberAt(object, "metadata", "generation");
  const observed = numberAt(object, "status", "observedGeneration");
  const isStale = generation !== undefined && observed !== undefined && observed < generation;
  const condition = findCondition(object, "Available", "False");
  return [
    ...stuck,
    {
      signal: "ReplicasUnavailable",
      severity: have === 0 ? "critical" : "high",
      summary: `${kind} ${object.metadata.name} has ${have}/${wanted} ready (${have} of ${wanted} wanted)${available === undefined ? "" : `, ${available} available`}${have >= wanted ? `, and ${unavailable} more of its rollout unavailable` : ""}${isStale ? "; its status is older than its spec" : ""}${clause("; ", missing.why)}`,
      message: condition?.message,
      evidence: [
        ["status", `${have} ready, ${available ?? "?"} available, ${wanted} wanted`],
        condition,
        ...missing.evidence,
        ...podPhases(object, view),
      ],
      values: replicaValues(counts),
      key: siblingKey(view, object, "replicas"),
    },
  ];
};

function replicaValues({ wanted, ready, available }: Counts) {
  return { replicas_wanted: wanted, replicas_ready: ready, replicas_available: available };
}

function scaledToZero(object: KubernetesObject, counts: Counts, view: ClusterView): Draft {
  const { kind, metadata } = object;
  const by = findScaler(object, view);
  const said = findNote(object);
  const note = by ?? said;
  return {
    signal: "ScaledToZero",
    severity: "low",
    summary: `${kind} ${metadata.name} is scaled to 0 replicas (spec.replicas: 0), so it runs no pods${clause("; ", by)}${clause("; its annotation says: ", said)}`,
    evidence: [
      ["spec.replicas", "0 replicas wanted"],
      view.event(object, "ScalingReplicaSet", "SuccessfulRescale"),
    ],
    next: [
      ...describeCommand(object),
      ...kubectl`rollout history ${kind.toLowerCase()}/${metadata.name}${option("-n", metadata.namespace)}`,
    ],
    values: { ...replicaValues(counts), note },
  };
}

/** What scales a workload to nothing while there is no work for it, and says so. */
function findScaler(object: KubernetesObject, view: ClusterView): string | undefined {
  const { namespace, name } = object.metadata;
  const scaler = view
    .list("ScaledObject")
    .find(
      (one) =>
        one.metadata.namespace === namespace &&
        textAt(one, "spec", "scaleTargetRef", "name") === name &&
        (numberAt(one, "spec", "minReplicaCount") ?? 0) === 0,
    );
  if (scaler !== undefined)
    return `ScaledObject ${scaler.metadata.name} scales it to 0 while nothing triggers it`;
  const event = view.event(object, "KEDAScaleTargetDeactivated");
  return event && `its autoscaler did that: ${event.message}`;
}

/** A key of an annotation under which people write why something is as it is. */
const noteKey = /(?:^|[/.-])(?:notes?|why|reason|comments?|purpose|description)(?:$|[.-])/i;
/** That something is off for a time, or for good, under whatever key. */
const intention =
  /\b(?:until|(?:re)?opens?|closed|season|paused?|disabled|retired|decommissioned|replaced by|moved to|migrated|maintenance|shut ?down|(?:switched|turned) off|scaled? (?:down|to)|standby|dormant|hibernat\w{1,6}|not needed|no longer|(?:mon|tue|wed|thu|fri|sat|sun)-(?:mon|tue|wed|thu|fri|sat|sun))\b/i;

/** What people wrote of a workload, in an annotation: a sentence of several words. */
export function findNote({ metadata }: KubernetesObject): string | undefined {
  const notes = Object.entries(metadata.annotations ?? {}).filter(
    ([key, value]) =>
      (noteKey.test(key) || intention.test(value)) &&
      value.trim().includes(" ") &&
      !/^\s*[[{]/.test(value),
  );
  return notes.map(([, value]) => quote(value, 120))[0];
}

/** Pods that are not there although the status does not say so: it may be old, or they were not recorded. */
function uncounted(object: KubernetesObject, view: ClusterView): readonly Draft[] {
  const { names, why, evidence } = missingPods(object, view);
  // Where none of them is there, its pods were not recorded.
  if (names.length === 0 || names.length === listPodNames(object).length) return [];
  return [
    {
      signal: "ReplicasUnavailable",
      severity: "medium",
      verified: false,
      isFaint: true,
      summary: `${why}, or not recorded, while the status of StatefulSet ${object.metadata.name} counts all pods as ready`,
      evidence,
    },
  ];
}

interface Counts {
  readonly wanted: number;
  readonly ready: number | undefined;
  readonly available: number | undefined;
  readonly unavailable: number | undefined;
}

function readReplicaCounts(object: KubernetesObject): Counts {
  const count = (field: string) => numberAt(object, "status", field);
  if (object.kind === "DaemonSet")
    return {
      wanted: count("desiredNumberScheduled") ?? 0,
      ready: count("numberReady"),
      available: count("numberAvailable"),
      unavailable: count("numberUnavailable"),
    };
  const byDefault = object.kind === "StatefulSet" || object.kind === "Deployment" ? 1 : 0;
  return {
    wanted: numberAt(object, "spec", "replicas") ?? byDefault,
    ready: count("readyReplicas"),
    available: count("availableReplicas"),
    unavailable: count("unavailableReplicas"),
  };
}

function rollout(object: KubernetesObject, { wanted, ready }: Counts): readonly Draft[] {
  if (object.kind !== "Deployment") return [];
  const condition = findCondition(object, "Progressing", "False");
  // A status leaves out a number that is 0.
  const unsaid = numberAt(object, "status", "replicas") === undefined ? wanted : 0;
  const updated = numberAt(object, "status", "updatedReplicas");
  const isPaused = booleanAt(object, "spec", "paused") === true && (updated ?? unsaid) < wanted;
  if (!isPaused && (condition === undefined || condition.reason === "FailedCreate")) return [];
  const { namespace, name } = object.metadata;
  return [
    {
      signal: "RolloutStuck",
      severity: "high",
      summary:
        condition === undefined
          ? `the rollout of Deployment ${name} is paused`
          : `the rollout of Deployment ${name} stands still: Progressing is False, reason ${condition.reason}${clause(": ", condition.message)}`,
      message: condition?.message,
      evidence: [
        condition ?? ["spec.paused", "true"],
        ["status", `${updated ?? 0} updated, ${ready ?? 0} ready, ${wanted} wanted`],
      ],
      next: [
        ...kubectl`rollout status deployment/${name}${option("-n", namespace)}`,
        ...describeCommand(object),
      ],
      values: { reason: condition?.reason, replicas_wanted: wanted, replicas_ready: ready },
    },
  ];
}

/** Pods that do not run, as the workload's own evidence. */
function podPhases(object: KubernetesObject, view: ClusterView): readonly Evidence[] {
  const ordinals = object.kind === "StatefulSet" ? listPodNames(object) : [];
  const pods = new Set([
    ...podsUnder(object, view),
    ...ordinals.flatMap((name) => view.get("Pod", object.metadata.namespace, name) ?? []),
  ]);
  return [...pods]
    .map((pod) => ({ pod, phase: textAt(pod, "status", "phase") ?? "without a phase" }))
    .filter(({ phase }) => phase !== "Running" && phase !== "Succeeded")
    .slice(0, 3)
    .map(({ pod, phase }) =>
      fieldEvidence(pod, "status.phase", `pod ${pod.metadata.name} is ${phase}`),
    );
}

/** A DaemonSet that wants no pod because no node has the labels that its pods ask for. It may wait for one to come. */
function withoutNode(object: KubernetesObject, view: ClusterView): readonly Draft[] {
  const spec = findPodSpec(object);
  const lacks = view.list("Node").map((node) => listUnmetRequirements(spec, node));
  const [unmet = []] = lacks;
  if (!view.isWhole("Node") || unmet.length === 0 || lacks.some((some) => some.length === 0))
    return [];
  const text = `no node has ${unmet.join(", ")}`;
  return [
    {
      signal: "FailedScheduling",
      severity: "medium",
      // None may be wanted yet.
      verified: false,
      summary: `DaemonSet ${object.metadata.name} runs on no node: ${text}`,
      evidence: [
        ["status.desiredNumberScheduled", "0"],
        ["spec.template.spec.nodeSelector", text],
      ],
      next: [...describeCommand(object), "kubectl get nodes --show-labels"],
    },
  ];
}
