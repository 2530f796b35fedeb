import type { KubernetesObject } from "../../cluster/cluster-reader.js";
import { textAt } from "../../cluster/fields.js";
import type { ClusterView } from "../cluster-view.js";
import { isUnready } from "../conditions.js";
import { readContainers } from "../container-state.js";
import type { Detector } from "../detector.js";
import { signalOfEvent } from "../event-signals.js";
import { fieldEvidence } from "../evidence.js";
import { clause } from "../finding.js";
import { toObjectId } from "../object-id.js";
import { findControllerReference } from "../owners.js";
import { siblingKey } from "../pod-finding.js";
import { listClaims } from "../pod-references.js";

/** Reasons of events that say what keeps a pod from being made. */
const reasons =
  /^(?:FailedCreatePodSandBox|FailedMount|FailedAttachVolume|FailedMapVolume|NetworkNotReady)$/;
/** What is over once a pod has its node. */
const before = /^(?:FailedScheduling|NotTriggerScaleUp|FailedScaleUp|Unhealthy)$/;
/** The kubelet's summary, which says nothing of why. */
const summary = /^Unable to attach or mount volumes|timed out waiting for the condition/i;

/** A pod with a node whose containers are still being created, and an event that says what fails. */
export const sandbox: Detector = (pod, view) => {
  if (textAt(pod, "status", "phase") !== "Pending") return [];
  const containers = readContainers(pod);
  const creating = containers.find(({ waiting }) =>
    /^(ContainerCreating|PodInitializing|)$/.test(waiting?.reason ?? "none"),
  );
  if (containers.length > 0 && creating === undefined) return [];
  const failures = view.events(pod).filter(({ reason }) => reasons.test(reason));
  const warning = view
    .events(pod)
    .find(({ type, reason }) => type === "Warning" && !before.test(reason));
  const event = failures.find(({ message }) => !summary.test(message)) ?? failures[0] ?? warning;
  if (event === undefined) return [];
  const { reason, message } = event;
  const holders = /multi-attach|already (?:exclusively )?(?:attached|used)/i.test(message)
    ? findHolders(pod, view)
    : [];
  // The event names the volume of the cluster, not the claim that people know.
  const claims = listClaims(pod);
  const isUnnamed =
    reason.endsWith("Volume") && claims.length === 1 && !message.includes(claims[0] ?? "");
  const isMissing =
    /\b(?:configmap|secret|persistentvolumeclaim)s?\b(?!-)[^:]{0,300}not found|references non-existent/i.test(
      message,
    );
  return {
    signal: isMissing ? "MissingReference" : (signalOfEvent(event)?.signal ?? "PodNotReady"),
    severity: "high",
    summary: `pod ${pod.metadata.name} cannot start: ${reason}: ${message}${isUnnamed ? `; the volume is that of claim ${claims[0] ?? ""}` : ""}${holders.map(({ text }) => `; ${text}`).join("")}`,
    message,
    evidence: [
      event,
      ...holders.map(({ pod: holder, text }) => fieldEvidence(holder, "spec.volumes", text)),
      [`${creating?.path ?? ""}.state.waiting`, creating?.waiting?.reason],
    ],
    ...(holders.length > 0 && { waitsFor: holders.map(({ pod: holder }) => toObjectId(holder)) }),
    values: {
      phase: "Pending",
      claims: claims.length === 0 ? undefined : claims,
      volume: /for volume "([^"]{1,253})"/.exec(message)?.[1],
      reason,
      node: textAt(pod, "spec", "nodeName"),
      event_count: event.count,
    },
    key: siblingKey(view, pod, reason, message.slice(0, 60)),
  };
};

/** Other pods that use a claim of this pod, and so keep its volume on their node. */
function findHolders(pod: KubernetesObject, view: ClusterView) {
  const claims = listClaims(pod);
  return view
    .podsMatching(pod.metadata.namespace, {})
    .filter(
      (other) =>
        other !== pod &&
        (listClaims(other).some((claim) => claims.includes(claim)) || isSibling(other, pod)),
    )
    .slice(0, 2)
    .map((other) => {
      const isLost = isUnready(view.nodeOf(other));
      const isGoing = textAt(other, "metadata", "deletionTimestamp") !== undefined;
      return {
        pod: other,
        text: `pod ${other.metadata.name}${clause(" on node ", textAt(other, "spec", "nodeName"))}${isLost ? ", which is not ready," : ""} ${isGoing ? "is being deleted and still holds the volume" : "uses the volume"}`,
      };
    });
}

/** True for a pod of the same owner, which has the same claims. */
function isSibling(other: KubernetesObject, pod: KubernetesObject): boolean {
  const owner = findControllerReference(pod);
  return owner?.kind === "ReplicaSet" && findControllerReference(other)?.name === owner.name;
}

/** A pod in phase Failed whose containers tell nothing. */
export const podRun: Detector = (pod, view) => {
  if (textAt(pod, "status", "phase") !== "Failed") return [];
  const reason = textAt(pod, "status", "reason") ?? "";
  const warnings = view.events(pod).filter(({ type }) => type === "Warning");
  const message = textAt(pod, "status", "message") ?? warnings[0]?.message ?? "";
  return {
    signal: "PodFailed",
    severity: "high",
    summary: `pod ${pod.metadata.name} is in phase Failed${clause(" (", reason, ")")}${clause(": ", message) || "; nothing that was read says why"}`,
    message,
    evidence: [["status.phase", `Failed${clause(", reason ", reason)}`], ...warnings.slice(0, 2)],
    values: { phase: "Failed", reason, node: textAt(pod, "spec", "nodeName") },
    key: siblingKey(view, pod, "failed", reason),
  };
};

/** A pod of a Job whose work has ended while a container beside it still runs, so that the Job never completes. */
export const leftRunning: Detector = (pod, view) => {
  if (findControllerReference(pod)?.kind !== "Job") return [];
  const containers = readContainers(pod).filter(({ isInit }) => !isInit);
  const done = containers.filter(({ terminated }) => terminated?.exitCode === 0);
  const running = containers.filter(({ isRunning }) => isRunning);
  if (done.length === 0 || running.length === 0) return [];
  const names = (some: typeof containers) => some.map(({ name }) => name).join(", ");
  return {
    signal: "PodNotReady",
    severity: "medium",
    summary: `container ${names(done)} of pod ${pod.metadata.name} has completed, and ${names(running)} still runs, so the pod and its Job do not complete`,
    evidence: [
      ...done.map(({ path }) => [`${path}.state.terminated`, "exit code 0"] as const),
      ...running.map(({ name, path }) => [`${path}.state.running`, `${name} is running`] as const),
    ],
    key: siblingKey(view, pod, "left-running"),
  };
};
