import type { KubernetesObject } from "../../cluster/cluster-reader.js";
import { booleanAt, listAt, numberAt, textAt, timeAt } from "../../cluster/fields.js";
import type { ClusterView } from "../cluster-view.js";
import type { Detector } from "../detector.js";
import { eventEvidence, fieldEvidence } from "../evidence.js";
import { type Evidence, type Finding, finding } from "../finding.js";
import { describeCommand, kubectl, option } from "../kubectl.js";
import { listUnmetRequirements } from "../node-requirements.js";
import { listPodNames, missingPods } from "../ordinals.js";
import { defined, siblingKey } from "../pod-finding.js";
import { findPodSpec } from "../pod-spec.js";
import { quote } from "../quote.js";

/** A Deployment, StatefulSet, DaemonSet or ReplicaSet with fewer ready pods than it wants, or a rollout that stands still. */
export const workload: Detector = (object, view) => {
  const { kind } = object;
  const owner = view.owner(object);
  const isCurrent =
    kind !== "ReplicaSet" || owner === undefined || (numberAt(object, "spec", "replicas") ?? 1) > 0;
  if (!isCurrent) return [];
  const counts = readReplicaCounts(object);
  const label = `${kind} ${object.metadata.name}`;
  const stuck = rollout(object, counts);
  const values = defined({
    replicas_wanted: counts.wanted,
    replicas_ready: counts.ready,
    replicas_available: counts.available,
  });
  if (counts.wanted === 0) {
    if (kind === "DaemonSet") return withoutNode(object, view);
    const note = findNote(object);
    return [
      finding({
        signal: "ScaledToZero",
        severity: "low",
        object,
        confidence: 0.9,
        summary: `${label} is scaled to 0 replicas (spec.replicas: 0), so it runs no pods${note === undefined ? "" : `; its annotation says: ${note}`}`,
        evidence: [
          fieldEvidence(object, "spec.replicas", "0 replicas wanted"),
          ...scaled(object, view),
        ],
        next: [
          ...describeCommand(object),
          ...kubectl`rollout history ${kind.toLowerCase()}/${object.metadata.name}${option("-n", object.metadata.namespace)}`,
        ],
        values: { ...values, ...(note !== undefined && { note }) },
      }),
      ...stuck,
    ];
  }
  const have = Math.min(counts.ready ?? 0, counts.available ?? counts.ready ?? 0);
  const isKnown =
    counts.ready !== undefined ||
    counts.available !== undefined ||
    listAt(object, "status", "conditions").length > 0 ||
    numberAt(object, "status", "replicas") !== undefined ||
    counts.unavailable !== undefined;
  const missing = missingPods(object, view);
  if (!isKnown || (have >= counts.wanted && (counts.unavailable ?? 0) === 0))
    return [...stuck, ...uncounted(object, view)];
  const generation = numberAt(object, "metadata", "generation");
  const observed = numberAt(object, "status", "observedGeneration");
  const isStale = generation !== undefined && observed !== undefined && observed < generation;
  const available = listAt(object, "status", "conditions").findIndex(
    (one) => textAt(one, "type") === "Available",
  );
  const condition = listAt(object, "status", "conditions")[available];
  return [
    ...stuck,
    finding({
      signal: "ReplicasUnavailable",
      severity: have === 0 ? "critical" : "high",
      object,
      confidence: 0.7,
      summary: `${label} has ${have}/${counts.wanted} ready (${have} of ${counts.wanted} wanted)${counts.available === undefined ? "" : `, ${counts.available} available`}${have >= counts.wanted ? `, and ${counts.unavailable} more of its rollout unavailable` : ""}${isStale ? "; its status is older than its spec" : ""}${missing.why === "" ? "" : `; ${missing.why}`}`,
      message: textAt(condition, "status") === "False" ? textAt(condition, "message") : undefined,
      evidence: [
        fieldEvidence(
          object,
          "status",
          `${have} ready, ${counts.available ?? "?"} available, ${counts.wanted} wanted`,
        ),
        ...(available >= 0 && textAt(condition, "status") === "False"
          ? [
              fieldEvidence(
                object,
                `status.conditions[${available}]`,
                `Available False, reason ${textAt(condition, "reason") ?? ""}: ${textAt(condition, "message") ?? ""}`,
                timeAt(condition, "lastTransitionTime"),
              ),
            ]
          : []),
        ...missing.evidence,
        ...podPhases(object, view),
      ],
      next: describeCommand(object),
      values,
      key: siblingKey(view, object, "replicas"),
    }),
  ];
};

/** What people wrote of a workload, in an annotation: a sentence under a key such as `example.com/note`. */
function findNote({ metadata }: KubernetesObject): string | undefined {
  const notes = Object.entries(metadata.annotations ?? {}).filter(
    ([key, value]) =>
      /(?:^|[/.-])(?:notes?|why|reason|comments?|purpose|description)(?:$|[.-])/i.test(key) &&
      value.trim().includes(" "),
  );
  return notes.map(([, value]) => quote(value, 120))[0];
}

/** Pods that are not there although the status does not say so: it may be old, or they were not recorded. */
function uncounted(object: KubernetesObject, view: ClusterView): readonly Finding[] {
  const { names, why, evidence } = missingPods(object, view);
  // Where none of them is there, its pods were not recorded.
  if (names.length === 0 || names.length === listPodNames(object).length) return [];
  return [
    finding({
      signal: "ReplicasUnavailable",
      severity: "medium",
      object,
      confidence: 0.4,
      verified: false,
      summary: `${why}, or not recorded, while the status of StatefulSet ${object.metadata.name} counts all pods as ready`,
      evidence,
      next: describeCommand(object),
    }),
  ];
}

interface Counts {
  readonly wanted: number;
  readonly ready: number | undefined;
  readonly available: number | undefined;
  readonly unavailable: number | undefined;
}

function readReplicaCounts(object: KubernetesObject): Counts {
  if (object.kind === "DaemonSet") {
    return {
      wanted: numberAt(object, "status", "desiredNumberScheduled") ?? 0,
      ready: numberAt(object, "status", "numberReady"),
      available: numberAt(object, "status", "numberAvailable"),
      unavailable: numberAt(object, "status", "numberUnavailable"),
    };
  }
  return {
    wanted:
      numberAt(object, "spec", "replicas") ??
      (object.kind === "StatefulSet" || object.kind === "Deployment" ? 1 : 0),
    ready: numberAt(object, "status", "readyReplicas"),
    available: numberAt(object, "status", "availableReplicas"),
    unavailable: numberAt(object, "status", "unavailableReplicas"),
  };
}

function rollout(object: KubernetesObject, counts: Counts): readonly Finding[] {
  if (object.kind !== "Deployment") return [];
  const conditions = listAt(object, "status", "conditions");
  const index = conditions.findIndex(
    (one) => textAt(one, "type") === "Progressing" && textAt(one, "status") === "False",
  );
  const reason = textAt(conditions[index], "reason") ?? "";
  // A status leaves out a number that is 0.
  const unsaid = numberAt(object, "status", "replicas") === undefined ? counts.wanted : 0;
  const paused =
    booleanAt(object, "spec", "paused") === true &&
    (numberAt(object, "status", "updatedReplicas") ?? unsaid) < counts.wanted;
  if (!paused && (index < 0 || reason === "FailedCreate")) return [];
  const message = textAt(conditions[index], "message") ?? "";
  return [
    finding({
      signal: "RolloutStuck",
      severity: "high",
      object,
      confidence: 0.85,
      summary:
        paused && index < 0
          ? `the rollout of Deployment ${object.metadata.name} is paused`
          : `the rollout of Deployment ${object.metadata.name} stands still: Progressing is False, reason ${reason}${message === "" ? "" : `: ${message}`}`,
      message: message === "" ? undefined : message,
      evidence: [
        paused && index < 0
          ? fieldEvidence(object, "spec.paused", "true")
          : fieldEvidence(
              object,
              `status.conditions[${index}]`,
              `Progressing False, reason ${reason}: ${message}`,
              timeAt(conditions[index], "lastUpdateTime"),
            ),
        fieldEvidence(
          object,
          "status",
          `${numberAt(object, "status", "updatedReplicas") ?? 0} updated, ${counts.ready ?? 0} ready, ${counts.wanted} wanted`,
        ),
      ],
      next: [
        ...kubectl`rollout status deployment/${object.metadata.name}${option("-n", object.metadata.namespace)}`,
        ...describeCommand(object),
      ],
      values: defined({ reason, replicas_wanted: counts.wanted, replicas_ready: counts.ready }),
    }),
  ];
}

/** Pods that do not run, as the workload's own evidence. */
function podPhases(object: KubernetesObject, view: ClusterView): readonly Evidence[] {
  const { namespace } = object.metadata;
  const ordinals =
    object.kind === "StatefulSet"
      ? listPodNames(object).map((name) => view.get("Pod", namespace, name))
      : [];
  const pods = new Set([
    ...view.owned(object).flatMap((child) => (child.kind === "Pod" ? [child] : view.owned(child))),
    ...ordinals.filter((pod) => pod !== undefined),
  ]);
  return [...pods]
    .filter(
      (pod) =>
        pod.kind === "Pod" &&
        textAt(pod, "status", "phase") !== "Running" &&
        textAt(pod, "status", "phase") !== "Succeeded",
    )
    .slice(0, 3)
    .map((pod) =>
      fieldEvidence(
        pod,
        "status.phase",
        `pod ${pod.metadata.name} is ${textAt(pod, "status", "phase") ?? "without a phase"}`,
      ),
    );
}

function scaled(object: KubernetesObject, view: ClusterView): readonly Evidence[] {
  return view
    .events(object)
    .filter(({ reason }) => reason === "ScalingReplicaSet" || reason === "SuccessfulRescale")
    .slice(0, 1)
    .map(eventEvidence);
}

/** A DaemonSet that wants no pod because no node has the labels that its pods ask for. It may wait for one to come. */
function withoutNode(object: KubernetesObject, view: ClusterView): readonly Finding[] {
  const spec = findPodSpec(object);
  const nodes = view.list("Node");
  const lacks = nodes.map((node) => listUnmetRequirements(spec, node));
  const [unmet = []] = lacks;
  if (!view.isWhole("Node") || unmet.length === 0 || lacks.some((some) => some.length === 0))
    return [];
  const text = `no node has ${unmet.join(", ")}`;
  return [
    finding({
      signal: "FailedScheduling",
      severity: "medium",
      object,
      confidence: 0.6,
      // None may be wanted yet.
      verified: false,
      summary: `DaemonSet ${object.metadata.name} runs on no node: ${text}`,
      evidence: [
        fieldEvidence(object, "status.desiredNumberScheduled", "0"),
        fieldEvidence(object, "spec.template.spec.nodeSelector", text),
      ],
      next: [...describeCommand(object), "kubectl get nodes --show-labels"],
    }),
  ];
}
