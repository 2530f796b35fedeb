import type { KubernetesObject } from "../../cluster/cluster-reader.js";
import { listAt, recordAt, textAt, timeAt } from "../../cluster/fields.js";
import type { ClusterView } from "../cluster-view.js";
import { readContainers } from "../container-state.js";
import type { Detector } from "../detector.js";
import { eventEvidence, fieldEvidence } from "../evidence.js";
import { finding } from "../finding.js";
import { describeCommand, kubectl, option } from "../kubectl.js";
import { toObjectId } from "../object-id.js";
import { defined } from "../pod-finding.js";
import { printLabels, printSelector } from "../selector.js";

/** What a program or a probe says when nothing answers. */
const silence =
  /timed? ?out|deadline exceeded|i\/o timeout|no route to host|unreachable|EHOSTUNREACH|ETIMEDOUT/i;

/** A policy that selects no pod, or lets nothing in or out of pods that cannot connect. */
export const networkPolicy: Detector = (object, view, { signals }) => {
  const { name, namespace } = object.metadata;
  const selector = recordAt(object, "spec", "podSelector");
  const pods = view.podsMatching(namespace, selector);
  const arePodsKnown = view.presence("Pod", namespace, "\0") === "missing";
  const printed = printSelector(selector);
  if (pods.length === 0) {
    return [
      finding({
        signal: "NetworkPolicyNoPods",
        severity: "low",
        object,
        confidence: arePodsKnown ? 0.9 : 0.55,
        verified: arePodsKnown,
        summary: `NetworkPolicy ${name} applies to no pods: none matches its podSelector ${printed}`,
        evidence: [fieldEvidence(object, "spec.podSelector", printed)],
        next: kubectl`get pods --show-labels${option("-n", namespace)}`,
        values: defined({ pod_selector: printed, matching_pods: 0 }),
      }),
    ];
  }
  const closed = closedDirections(object);
  if (closed.length === 0) return [];
  const created = timeAt(object, "metadata", "creationTimestamp");
  const cut = pods.flatMap((pod) => silentEvent(pod, view, created));
  const asked = signals.has("NetworkPolicyBlocking");
  if (cut.length === 0 && !asked) return [];
  return [
    finding({
      signal: "NetworkPolicyBlocking",
      severity: "high",
      object,
      confidence: cut.length > 0 ? 0.75 : 0.55,
      verified: cut.length > 0,
      summary: `NetworkPolicy ${name} allows no ${closed.join(" and no ")} for the ${pods.length} pods its podSelector ${printed} matches${cut.length > 0 ? `, and ${cut[0]?.pod.metadata.name ?? "one"} gets no connection` : ""}`,
      message: cut[0]?.text,
      evidence: [
        fieldEvidence(
          object,
          "spec",
          `podSelector ${printed}; allows no ${closed.join(", no ")}`,
          created,
        ),
        ...cut.slice(0, 2).map(({ evidence }) => evidence),
        ...pods
          .slice(0, 2)
          .map((pod) =>
            fieldEvidence(pod, "metadata.labels", printLabels(pod.metadata.labels ?? {})),
          ),
      ],
      next: describeCommand(object),
      values: defined({
        pod_selector: printed,
        matching_pods: pods.length,
        policy_types: listAt(object, "spec", "policyTypes"),
      }),
      affects: pods.map(toObjectId),
    }),
  ];
};

/** Directions that a policy closes: named, and without a rule. */
export function closedDirections(object: KubernetesObject): readonly string[] {
  const types = listAt(object, "spec", "policyTypes");
  const ingress = listAt(object, "spec", "ingress");
  const egress = listAt(object, "spec", "egress");
  const closed: string[] = [];
  if ((types.length === 0 || types.includes("Ingress")) && ingress.length === 0)
    closed.push("ingress");
  if (types.includes("Egress") && egress.length === 0) closed.push("egress");
  return closed;
}

function silentEvent(pod: KubernetesObject, view: ClusterView, created: number | undefined) {
  const isUnready =
    readContainers(pod).some(({ ready, isInit }) => !isInit && ready === false) ||
    textAt(pod, "status", "phase") === "Pending";
  if (!isUnready) return [];
  const event = view
    .events(pod)
    .find(
      ({ message, lastSeen }) =>
        silence.test(message) &&
        (created === undefined || lastSeen === undefined || lastSeen >= created),
    );
  return event === undefined ? [] : [{ pod, text: event.message, evidence: eventEvidence(event) }];
}
