import type { KubernetesObject } from "../../cluster/cluster-reader.js";
import { listAt, textAt, timeAt } from "../../cluster/fields.js";
import type { ClusterView } from "../cluster-view.js";
import { readContainers } from "../container-state.js";
import type { Detector } from "../detector.js";
import { eventEvidence, fieldEvidence } from "../evidence.js";
import { type Finding, finding } from "../finding.js";
import { describeCommand } from "../kubectl.js";
import { defined, siblingKey } from "../pod-finding.js";
import { describePreemptor } from "../preemptor.js";

/** A pod that its node put out. What ran short is only said when the node said it. */
export const evicted: Detector = (pod, view) => {
  const reason = textAt(pod, "status", "reason") ?? "";
  if (
    reason !== "Evicted" &&
    reason !== "Preempting" &&
    reason !== "NodeShutdown" &&
    reason !== "Terminated"
  )
    return disrupted(pod, view);
  const message = textAt(pod, "status", "message") ?? "";
  const event = view.events(pod).find((one) => one.reason === "Evicted");
  return [
    finding({
      signal:
        reason === "Evicted" ? "Evicted" : reason === "Preempting" ? "Preempted" : "PodFailed",
      severity: "high",
      object: pod,
      confidence: 0.95,
      summary: `pod ${pod.metadata.name} was ${reason === "Evicted" ? "evicted (reason Evicted)" : `ended (reason ${reason})`}${message === "" ? "; no message says why" : `: ${message}`}`,
      message: message === "" ? undefined : message,
      evidence: [
        fieldEvidence(
          pod,
          "status",
          `reason ${reason}${message === "" ? ", without a message" : `: ${message}`}`,
          endedAt(pod),
        ),
        ...(event === undefined ? [] : [eventEvidence(event)]),
      ],
      next: describeCommand(pod),
      values: defined({
        phase: textAt(pod, "status", "phase"),
        reason,
        node: textAt(pod, "spec", "nodeName"),
      }),
      key: siblingKey(view, pod, "Evicted", message.slice(0, 40)),
    }),
  ];
};

/** When it was put out, or else when it began. */
function endedAt(pod: KubernetesObject): number | undefined {
  const ends = [
    ...listAt(pod, "status", "conditions").flatMap((one) =>
      textAt(one, "type") === "DisruptionTarget" ? (timeAt(one, "lastTransitionTime") ?? []) : [],
    ),
    ...readContainers(pod).flatMap(({ terminated }) => terminated?.finishedAt ?? []),
  ];
  return ends.length > 0 ? Math.max(...ends) : timeAt(pod, "status", "startTime");
}

/** Who put a pod out, by the reason of its condition DisruptionTarget. */
const disruptors: Readonly<Record<string, string>> = {
  PreemptionByScheduler: "the scheduler preempts it for a pod of higher priority",
  EvictionByEvictionAPI: "it is evicted through the Eviction API, as a drain or an autoscaler does",
  DeletionByTaintManager: "its node has a taint that it does not tolerate",
  DeletionByPodGC: "its node does not exist any more",
  TerminationByKubelet: "its kubelet ends it",
};

/** A pod that is being put out, or was: its condition says by whom. */
function disrupted(pod: KubernetesObject, view: ClusterView): readonly Finding[] {
  const conditions = listAt(pod, "status", "conditions");
  const index = conditions.findIndex(
    (one) => textAt(one, "type") === "DisruptionTarget" && textAt(one, "status") === "True",
  );
  if (index < 0 || textAt(pod, "status", "phase") === "Succeeded") return [];
  const reason = textAt(conditions[index], "reason") ?? "";
  const message = textAt(conditions[index], "message") ?? "";
  const node = textAt(pod, "spec", "nodeName");
  return [
    finding({
      signal: reason === "PreemptionByScheduler" ? "Preempted" : "Evicted",
      severity: "high",
      object: pod,
      confidence: 0.92,
      summary: `pod ${pod.metadata.name} is put out of ${node === undefined ? "its node" : `node ${node}`} (${reason || "DisruptionTarget"}): ${disruptors[reason] ?? "a disruption"}${message === "" ? "" : `: ${message}`}${
        view
          .events(pod)
          .map((event) => describePreemptor(event, view))
          .find((text) => text !== "") ?? ""
      }`,
      message: message === "" ? undefined : message,
      evidence: [
        fieldEvidence(
          pod,
          `status.conditions[${index}]`,
          `DisruptionTarget True, reason ${reason}: ${message}`,
          timeAt(conditions[index], "lastTransitionTime"),
        ),
      ],
      next: describeCommand(pod),
      values: defined({ reason, node, phase: textAt(pod, "status", "phase") }),
      key: siblingKey(view, pod, "disrupted", reason),
    }),
  ];
}
