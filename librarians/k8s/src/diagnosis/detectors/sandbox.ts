import type { KubernetesObject } from "../../cluster/cluster-reader.js";
import { listAt, textAt } from "../../cluster/fields.js";
import type { ClusterView } from "../cluster-view.js";
import { readContainers } from "../container-state.js";
import type { Detector } from "../detector.js";
import { signalOfEvent } from "../event-signals.js";
import { eventEvidence, fieldEvidence } from "../evidence.js";
import { finding } from "../finding.js";
import { describeCommand } from "../kubectl.js";
import { toObjectId } from "../object-id.js";
import { findControllerReference } from "../owners.js";
import { defined, siblingKey } from "../pod-finding.js";

const reasons = [
  "FailedCreatePodSandBox",
  "FailedMount",
  "FailedAttachVolume",
  "FailedMapVolume",
  "NetworkNotReady",
];

/** What is over once a pod has its node. */
const before = /^(?:FailedScheduling|NotTriggerScaleUp|FailedScaleUp|Unhealthy)$/;

const summary = /^Unable to attach or mount volumes|timed out waiting for the condition/i;

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
      const name = textAt(other, "spec", "nodeName");
      const node = name === undefined ? undefined : view.get("Node", undefined, name);
      const ready = listAt(node, "status", "conditions").find(
        (one) => textAt(one, "type") === "Ready",
      );
      const isLost = ready !== undefined && textAt(ready, "status") !== "True";
      const isGoing = textAt(other, "metadata", "deletionTimestamp") !== undefined;
      return {
        pod: other,
        text: `pod ${other.metadata.name}${name === undefined ? "" : ` on node ${name}`}${isLost ? ", which is not ready," : ""} ${isGoing ? "is being deleted and still holds the volume" : "uses the volume"}`,
      };
    });
}

/** True for a pod of the same owner, which has the same claims. */
function isSibling(other: KubernetesObject, pod: KubernetesObject): boolean {
  const owner = findControllerReference(pod);
  return owner?.kind === "ReplicaSet" && findControllerReference(other)?.name === owner.name;
}

function listClaims(pod: KubernetesObject): readonly string[] {
  return listAt(pod, "spec", "volumes").flatMap(
    (volume) => textAt(volume, "persistentVolumeClaim", "claimName") ?? [],
  );
}

/** A pod with a node whose containers are still being created, and an event that says what fails. */
export const sandbox: Detector = (pod, view) => {
  if (textAt(pod, "status", "phase") !== "Pending") return [];
  const containers = readContainers(pod);
  const creating = containers.find(({ waiting }) =>
    /^(ContainerCreating|PodInitializing|)$/.test(waiting?.reason ?? "none"),
  );
  if (containers.length > 0 && creating === undefined) return [];
  const warnings = view
    .events(pod)
    .filter(({ type, reason }) => type === "Warning" && !before.test(reason));
  const failures = view.events(pod).filter(({ reason }) => reasons.includes(reason));
  // The kubelet's summary comes last and says nothing of why. Any other warning may be what keeps it.
  const event =
    failures.find(({ message }) => !summary.test(message)) ?? failures[0] ?? warnings[0];
  if (event === undefined) return [];
  const { reason, message } = event;
  const holders = /multi-attach|already (?:exclusively )?(?:attached|used)/i.test(message)
    ? findHolders(pod, view)
    : [];
  // The event names the volume of the cluster, not the claim that people know.
  const [claim, ...others] = reason.endsWith("Volume") ? listClaims(pod) : [];
  const ofClaim =
    claim === undefined || others.length > 0 || message.includes(claim)
      ? ""
      : `; the volume is that of claim ${claim}`;
  const isMissing =
    /\b(?:configmap|secret|persistentvolumeclaim)s?\b(?!-)[^:]{0,300}not found|references non-existent/i.test(
      message,
    );
  return [
    finding({
      signal: isMissing ? "MissingReference" : (signalOfEvent(event)?.signal ?? "PodNotReady"),
      severity: "high",
      object: pod,
      summary: `pod ${pod.metadata.name} cannot start: ${reason}: ${message}${ofClaim}${holders.map(({ text }) => `; ${text}`).join("")}`,
      message,
      evidence: [
        eventEvidence(event),
        ...holders.map(({ pod: holder, text }) => fieldEvidence(holder, "spec.volumes", text)),
        ...(creating?.waiting === undefined
          ? []
          : [fieldEvidence(pod, `${creating.path}.state.waiting`, creating.waiting.reason)]),
      ],
      next: describeCommand(pod),
      ...(holders.length > 0 && { waitsFor: holders.map(({ pod: holder }) => toObjectId(holder)) }),
      values: defined({
        phase: "Pending",
        claims: listClaims(pod).length === 0 ? undefined : listClaims(pod),
        volume: /for volume "([^"]{1,253})"/.exec(message)?.[1],
        reason,
        node: textAt(pod, "spec", "nodeName"),
        event_count: event.count,
      }),
      key: siblingKey(view, pod, reason, message.slice(0, 60)),
    }),
  ];
};
