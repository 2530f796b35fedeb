import type { ClusterEvent, KubernetesObject } from "../../cluster/cluster-reader.js";
import { listAt, numberAt, recordAt, textAt } from "../../cluster/fields.js";
import type { ClusterView } from "../cluster-view.js";
import { findCondition } from "../conditions.js";
import type { Detector, Sightings } from "../detector.js";
import { clause } from "../finding.js";
import { describeCommand } from "../kubectl.js";
import { siblingKey } from "../pod-finding.js";
import { listClaims } from "../pod-references.js";
import { putOutAt } from "../recurrence.js";
import { schedulingCauses } from "../scheduling-causes.js";
import { describePreemptor } from "./trace.js";

/** A pod that its node put out. What ran short is only said when the node said it. */
export const evicted: Detector = (pod, view) => {
  const reason = textAt(pod, "status", "reason") ?? "";
  if (!/^(?:Evicted|Preempting|NodeShutdown|Terminated)$/.test(reason)) return disrupted(pod, view);
  const message = textAt(pod, "status", "message") ?? "";
  const said = clause(": ", message);
  return {
    signal: reason === "Evicted" ? "Evicted" : reason === "Preempting" ? "Preempted" : "PodFailed",
    severity: "high",
    summary: `pod ${pod.metadata.name} was ${reason === "Evicted" ? "evicted (reason Evicted)" : `ended (reason ${reason})`}${said || "; no message says why"}`,
    message,
    evidence: [
      ["status", `reason ${reason}${said || ", without a message"}`, putOutAt(pod)],
      view.event(pod, "Evicted"),
    ],
    values: {
      phase: textAt(pod, "status", "phase"),
      reason,
      node: textAt(pod, "spec", "nodeName"),
    },
    key: siblingKey(view, pod, "Evicted", message.slice(0, 40)),
  };
};

/** Who put a pod out, by the reason of its condition DisruptionTarget. */
const disruptors: Readonly<Record<string, string>> = {
  PreemptionByScheduler: "the scheduler preempts it for a pod of higher priority",
  EvictionByEvictionAPI: "it is evicted through the Eviction API, as a drain or an autoscaler does",
  DeletionByTaintManager: "its node has a taint that it does not tolerate",
  DeletionByPodGC: "its node does not exist any more",
  TerminationByKubelet: "its kubelet ends it",
};

/** A pod that is being put out, or was: its condition says by whom. */
function disrupted(pod: KubernetesObject, view: ClusterView): Sightings {
  const condition = findCondition(pod, "DisruptionTarget", "True");
  const phase = textAt(pod, "status", "phase");
  if (condition === undefined || phase === "Succeeded") return [];
  const { reason, message } = condition;
  const node = textAt(pod, "spec", "nodeName");
  const by = view.events(pod).map((event) => describePreemptor(event, view));
  return {
    signal: reason === "PreemptionByScheduler" ? "Preempted" : "Evicted",
    severity: "high",
    summary: `pod ${pod.metadata.name} is put out of ${clause("node ", node) || "its node"} (${reason || "DisruptionTarget"}): ${disruptors[reason] ?? "a disruption"}${clause(": ", message)}${by.find((text) => text !== "") ?? ""}`,
    message,
    evidence: [condition],
    values: { reason, node, phase },
    key: siblingKey(view, pod, "disrupted", reason),
  };
}

/** What the scheduler itself begins with: "0/3 nodes are available". */
const ofScheduler = /^\d{1,6}\/\d{1,6} nodes/;

/** True for what an autoscaler reports of a pod without a node, under the scheduler's reason or its own. */
function isOfScaler({ reason, message }: ClusterEvent, known: string): boolean {
  return (
    /^(?:FailedScheduling|NotTriggerScaleUp|FailedScaleUp|ScaleUpFailed)$/.test(reason) &&
    !ofScheduler.test(message) &&
    message !== known
  );
}

/** A pod that no node was chosen for. An event alone does not say so: the pod may have a node since. */
export const scheduling: Detector = (pod, view) => {
  const phase = textAt(pod, "status", "phase");
  const condition = findCondition(pod, "PodScheduled");
  const hasPlace =
    condition?.status === "True" ||
    textAt(pod, "spec", "nodeName") !== undefined ||
    textAt(pod, "status", "hostIP") !== undefined;
  if (hasPlace || (phase !== undefined && phase !== "Pending")) return [];
  const said = view.events(pod).filter(({ reason }) => reason === "FailedScheduling");
  const event = said.find((one) => ofScheduler.test(one.message)) ?? said[0];
  const gates = listAt(pod, "spec", "schedulingGates").flatMap(
    (gate) => textAt(gate, "name") ?? [],
  );
  const message = condition?.message || (event?.message ?? "");
  const isGated = condition?.reason === "SchedulingGated" || gates.length > 0;
  if (!isGated && event === undefined && (condition?.reason ?? "") === "") return [];
  const { name } = pod.metadata;
  const claims = listClaims(pod);
  const base = {
    values: {
      phase: "Pending",
      reason: condition?.reason,
      scheduling_gates: gates.length === 0 ? undefined : gates,
      claims: claims.length === 0 ? undefined : claims,
    },
    message,
    key: siblingKey(view, pod, "scheduling", message.slice(0, 80)),
  };
  if (isGated)
    return {
      ...base,
      signal: "SchedulingGated",
      severity: "medium",
      summary: `pod ${name} is held back by a scheduling gate (SchedulingGated)${clause(": ", gates.join(", "))}`,
      evidence: [condition],
    };
  const causes = schedulingCauses(pod, message, view);
  const scaler = view.events(pod).find((one) => isOfScaler(one, message));
  const waits = clause(
    "; it is nominated for node ",
    textAt(pod, "status", "nominatedNodeName"),
    ", and waits for pods of lower priority to end there",
  );
  return {
    ...base,
    signal: "FailedScheduling",
    severity: "high",
    summary: `pod ${name} is Pending: no node was found for it${clause(": ", message)}${causes.map(({ text }) => `; ${text}`).join("")}${waits}${clause("; ", scaler?.message)}`,
    evidence: [
      condition,
      event,
      ...causes.flatMap(({ evidence }) => evidence),
      scaler,
      ["spec", describeConstraints(pod) || undefined],
    ],
    next: [...describeCommand(pod), "kubectl get nodes --show-labels"],
  };
};

/** What the pod asks of a node, as its spec says. */
function describeConstraints(pod: unknown): string {
  const required = "requiredDuringSchedulingIgnoredDuringExecution";
  const pairs = (values: object) =>
    Object.entries(values).map(([key, value]) => `${key}=${String(value)}`);
  const terms = listAt(pod, "spec", "affinity", "nodeAffinity", required, "nodeSelectorTerms")
    .flatMap((term) => listAt(term, "matchExpressions"))
    .map((one) =>
      `${textAt(one, "key") ?? "?"} ${textAt(one, "operator") ?? ""} ${listAt(one, "values").join(", ")}`.trim(),
    );
  const spread = listAt(pod, "spec", "topologySpreadConstraints").map(
    (one) =>
      `topology spread over ${textAt(one, "topologyKey") ?? "?"}, maxSkew ${String(numberAt(one, "maxSkew") ?? 1)}, ${textAt(one, "whenUnsatisfiable") ?? ""}`,
  );
  const apart = listAt(pod, "spec", "affinity", "podAntiAffinity", required).map(
    (one) => `required pod anti-affinity over ${textAt(one, "topologyKey") ?? "?"}`,
  );
  const tolerations = listAt(pod, "spec", "tolerations").flatMap((one) => {
    const key = textAt(one, "key");
    return key === undefined || key.startsWith("node.kubernetes.io/") ? [] : [key];
  });
  const requests = listAt(pod, "spec", "containers").flatMap((container) =>
    Object.entries(recordAt(container, "resources", "requests")).map(
      ([key, value]) =>
        `${textAt(container, "name") ?? "container"} requests ${key} ${String(value)}`,
    ),
  );
  return [
    clause("nodeSelector ", pairs(recordAt(pod, "spec", "nodeSelector")).join(", ")),
    clause("required node affinity ", terms.join("; ")),
    ...spread,
    ...apart,
    clause("tolerates ", tolerations.join(", ")),
    requests.join(", "),
  ]
    .filter((part) => part !== "")
    .join("; ");
}
