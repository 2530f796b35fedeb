import type { KubernetesObject } from "../../cluster/cluster-reader.js";
import { listAt, recordAt, timeAt, valueAt } from "../../cluster/fields.js";
import type { ClusterView } from "../cluster-view.js";
import type { Detector } from "../detector.js";
import { fieldEvidence } from "../evidence.js";
import { kubectl, option } from "../kubectl.js";
import { isolates, resolvePort, selectingPolicies, targetPort } from "../network-rules.js";
import { toObjectId } from "../object-id.js";
import { matchesLabels, printLabels, printSelector } from "../selector.js";

/** A policy that selects no pod, or lets nothing in or out of pods that cannot connect. */
export const networkPolicy: Detector = (object, view, { signals }) => {
  const { name, namespace } = object.metadata;
  const selector = recordAt(object, "spec", "podSelector");
  const pods = view.podsMatching(namespace, selector);
  const printed = printSelector(selector);
  if (pods.length === 0)
    return {
      signal: "NetworkPolicyNoPods",
      severity: "low",
      verified: view.isKnown("Pod", namespace),
      summary: `NetworkPolicy ${name} applies to no pods: none matches its podSelector ${printed}`,
      evidence: [["spec.podSelector", printed]],
      next: kubectl`get pods --show-labels${option("-n", namespace)}`,
      values: { pod_selector: printed, matching_pods: 0 },
    };
  const closed = closedDirections(object);
  const created = timeAt(object, "metadata", "creationTimestamp");
  if (closed.length === 0 || !signals.has("NetworkPolicyBlocking")) return [];
  return {
    signal: "NetworkPolicyBlocking",
    severity: "high",
    verified: false,
    summary: `NetworkPolicy ${name} allows no ${closed.join(" and no ")} for the ${pods.length} pods its podSelector ${printed} matches`,
    evidence: [
      ["spec", `podSelector ${printed}; allows no ${closed.join(", no ")}`, created],
      ...pods
        .slice(0, 2)
        .map((pod) =>
          fieldEvidence(pod, "metadata.labels", printLabels(pod.metadata.labels ?? {})),
        ),
    ],
    values: {
      pod_selector: printed,
      matching_pods: pods.length,
      policy_types: listAt(object, "spec", "policyTypes"),
    },
    affects: pods.map(toObjectId),
  };
};

/** Directions that a policy closes: named, and without a rule. */
export function closedDirections(object: KubernetesObject): readonly string[] {
  const types = listAt(object, "spec", "policyTypes");
  const isClosed = (direction: "ingress" | "egress", type: string) =>
    listAt(object, "spec", direction).length === 0 &&
    (types.includes(type) || (types.length === 0 && direction === "ingress"));
  return [
    ...(isClosed("ingress", "Ingress") ? ["ingress"] : []),
    ...(isClosed("egress", "Egress") ? ["egress"] : []),
  ];
}

/**
 * A policy that lets callers in on other ports than the Service in front of its pods sends to. That no caller gets through
 * is sure only with a call that fails.
 */
export const policyPorts: Detector = (object, view) => {
  const { namespace, name } = object.metadata;
  if (!isolates(object, "ingress") || listAt(object, "spec", "ingress").length === 0) return [];
  const [pod] = view.podsMatching(namespace, recordAt(object, "spec", "podSelector"));
  const open = pod && openPorts(pod, view);
  if (pod === undefined || open === undefined) return [];
  const [first] = view
    .list("Service")
    .filter(
      (service) =>
        service.metadata.namespace === namespace &&
        matchesLabels(recordAt(service, "spec", "selector"), pod.metadata.labels ?? {}),
    )
    .flatMap((service) => {
      const ports = listAt(service, "spec", "ports").map((port) => targetPort(port, pod));
      const isShut =
        ports.length > 0 && ports.every((port) => port !== undefined && !open.has(port));
      return isShut ? [{ service, sent: ports.join(", ") }] : [];
    });
  if (first === undefined) return [];
  const allowed = [...open].join(", ");
  return {
    signal: "NetworkPolicyBlocking",
    severity: "medium",
    verified: false,
    summary: `NetworkPolicy ${name} lets callers in on port ${allowed} only, and Service ${first.service.metadata.name} sends to port ${first.sent}`,
    evidence: [
      ["spec.ingress", `allows port ${allowed}`],
      fieldEvidence(first.service, "spec.ports", `sends to port ${first.sent}`),
    ],
    affects: [toObjectId(pod), toObjectId(first.service)],
  };
};

/** Ports of a pod that the policies which select it let anyone in on. Undefined where one of them lets in on all, or on a range. */
function openPorts(pod: KubernetesObject, view: ClusterView): ReadonlySet<number> | undefined {
  const rules = selectingPolicies(pod, "ingress", view).flatMap((policy) =>
    listAt(policy, "spec", "ingress"),
  );
  const open = new Set<number>();
  for (const rule of rules) {
    const ports = listAt(rule, "ports");
    if (ports.length === 0) return undefined;
    for (const port of ports) {
      const number = resolvePort(valueAt(port, "port"), pod);
      if (number === undefined || valueAt(port, "endPort") !== undefined) return undefined;
      open.add(number);
    }
  }
  return open;
}
