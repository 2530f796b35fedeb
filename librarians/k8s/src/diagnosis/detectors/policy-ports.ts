import type { KubernetesObject } from "../../cluster/cluster-reader.js";
import { listAt, numberAt, recordAt, textAt, valueAt } from "../../cluster/fields.js";
import type { ClusterView } from "../cluster-view.js";
import type { Detector } from "../detector.js";
import { fieldEvidence } from "../evidence.js";
import { finding } from "../finding.js";
import { describeCommand } from "../kubectl.js";
import { isolates } from "../network-rules.js";
import { toObjectId } from "../object-id.js";
import { matchesLabels, matchesSelector } from "../selector.js";

/**
 * A policy that lets callers in on other ports than the Service in front of its pods sends to. That no caller gets through
 * is sure only with a call that fails.
 */
export const policyPorts: Detector = (object, view) => {
  const { namespace, name } = object.metadata;
  if (!isolates(object, "ingress") || listAt(object, "spec", "ingress").length === 0) return [];
  const [pod] = view.podsMatching(namespace, recordAt(object, "spec", "podSelector"));
  if (pod === undefined) return [];
  const open = openPorts(pod, view);
  if (open === undefined) return [];
  const shut = view
    .list("Service")
    .filter(
      (service) =>
        service.metadata.namespace === namespace &&
        matchesLabels(recordAt(service, "spec", "selector"), pod.metadata.labels ?? {}),
    )
    .flatMap((service) => {
      const ports = listAt(service, "spec", "ports").map((port) => resolveTargetPort(port, pod));
      const isShut =
        ports.length > 0 && ports.every((port) => port !== undefined && !open.has(port));
      return isShut ? [{ service, ports }] : [];
    });
  const [first] = shut;
  if (first === undefined) return [];
  const sent = first.ports.join(", ");
  const allowed = [...open].join(", ");
  return [
    finding({
      signal: "NetworkPolicyBlocking",
      severity: "medium",
      object,
      confidence: 0.55,
      verified: false,
      summary: `NetworkPolicy ${name} lets callers in on port ${allowed} only, and Service ${first.service.metadata.name} sends to port ${sent}`,
      evidence: [
        fieldEvidence(object, "spec.ingress", `allows port ${allowed}`),
        fieldEvidence(first.service, "spec.ports", `sends to port ${sent}`),
      ],
      next: describeCommand(object),
      affects: [toObjectId(pod), toObjectId(first.service)],
    }),
  ];
};

/** Ports of a pod that the policies which select it let anyone in on. Undefined where one of them lets in on all, or on a range. */
function openPorts(pod: KubernetesObject, view: ClusterView): ReadonlySet<number> | undefined {
  const rules = view
    .list("NetworkPolicy")
    .filter(
      (policy) =>
        policy.metadata.namespace === pod.metadata.namespace &&
        isolates(policy, "ingress") &&
        matchesSelector(recordAt(policy, "spec", "podSelector"), pod.metadata.labels ?? {}),
    )
    .flatMap((policy) => listAt(policy, "spec", "ingress"));
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

function resolveTargetPort(port: unknown, pod: KubernetesObject): number | undefined {
  return resolvePort(valueAt(port, "targetPort") ?? valueAt(port, "port"), pod);
}

/** A port by its number, or by the name that a container gives it. */
function resolvePort(value: unknown, pod: KubernetesObject): number | undefined {
  if (typeof value === "number") return value;
  const named = listAt(pod, "spec", "containers")
    .flatMap((container) => listAt(container, "ports"))
    .find((port) => textAt(port, "name") === value);
  return numberAt(named, "containerPort");
}
