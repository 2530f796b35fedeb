import type { KubernetesObject } from "../../cluster/cluster-reader.js";
import { listAt, recordAt, textAt } from "../../cluster/fields.js";
import type { ClusterView } from "../cluster-view.js";
import type { Finding } from "../finding.js";
import { isolates } from "../network-rules.js";
import type { Labels } from "../selector.js";
import { findTopOwner } from "../top-of.js";
import { type Change, type Path, patch, setField } from "./patch.js";

/** Where each kind has labels that must fit those of pods. */
const selectorPaths: Readonly<Record<string, Path>> = {
  Service: ["spec", "selector"],
  PodDisruptionBudget: ["spec", "selector", "matchLabels"],
  NetworkPolicy: ["spec", "podSelector", "matchLabels"],
};

/** A selector that differs in a key from the labels of the workload that it most nearly selects. */
export function fixSelector({ object }: Finding, view: ClusterView): Change | undefined {
  const path = selectorPaths[object.kind];
  if (path === undefined) return undefined;
  const selector = recordAt(object, ...path);
  const near = nearest(selector, object.metadata.name, listTemplates(object, view));
  if (near === undefined) return undefined;
  const { labels, wrong, workload } = near;
  const differing = wrong.map((key) => `${key}=${String(selector[key])}`).join(", ");
  const actual = wrong.map((key) => `${key}=${String(labels[key] ?? "not set")}`).join(", ");
  return setRecord(
    object,
    path,
    `${path.join(".")} asks for ${differing}, and the pods of ${workload.kind} ${workload.metadata.name} have ${actual}`,
    Object.fromEntries(wrong.map((key) => [key, labels[key] ?? null])),
  );
}

/** Some members of a record, as one change. */
function setRecord(
  object: KubernetesObject,
  path: Path,
  what: string,
  changed: Readonly<Record<string, unknown>>,
): Change | undefined {
  const keys = Object.keys(changed);
  const before = recordAt(object, ...path);
  const part = (values: Labels): object =>
    path.reduceRight<unknown>(
      (inner, key) => ({ [key]: inner }),
      Object.fromEntries(keys.map((key) => [key, values[key] ?? null])),
    ) as object; // the path is not empty
  return patch(object, what, part(changed), part(before));
}

function listTemplates({ metadata }: KubernetesObject, view: ClusterView) {
  return (["Deployment", "StatefulSet", "DaemonSet"] as const)
    .flatMap((kind) => view.list(kind))
    .filter((workload) => workload.metadata.namespace === metadata.namespace);
}

/** The workload whose labels meet all of a selector but a part, or that is called like its object. */
function nearest(selector: Labels, name: string, workloads: readonly KubernetesObject[]) {
  const wanted = Object.entries(selector);
  return workloads
    .map((workload) => {
      const labels = recordAt(workload, "spec", "template", "metadata", "labels");
      const wrong = wanted.filter(([key, value]) => labels[key] !== value).map(([key]) => key);
      return { workload, labels, wrong, isNamed: workload.metadata.name === name };
    })
    .filter(({ wrong, isNamed }) => wrong.length > 0 && (isNamed || wrong.length < wanted.length))
    .sort((a, b) => Number(b.isNamed) - Number(a.isNamed) || a.wrong.length - b.wrong.length)[0];
}

/** Labels that identify a pod to others: those of its template. */
function ownLabels(pod: KubernetesObject, view: ClusterView): Labels {
  const top = findTopOwner(pod, view);
  const selected = recordAt(top, "spec", "selector", "matchLabels");
  return Object.keys(selected).length > 0 ? selected : (pod.metadata.labels ?? {});
}

/** A policy that keeps a caller out: the peer whose labels nearly fit, corrected; else a rule for the caller. */
export function letIn(one: Finding, view: ClusterView): Change | undefined {
  const { object: policy } = one;
  const caller = typeof one.values.pod === "string" ? view.byId(one.values.pod) : undefined;
  if (policy.kind !== "NetworkPolicy" || caller === undefined) return undefined;
  const selected = view.podsMatching(
    policy.metadata.namespace,
    recordAt(policy, "spec", "podSelector"),
  );
  const direction = selected.includes(caller) ? "egress" : "ingress";
  const service = one.evidence
    .map(({ id }) => view.byId(id.split("#")[0] ?? ""))
    .find((found) => found?.kind === "Service");
  const [called] =
    service === undefined
      ? []
      : view.podsMatching(service.metadata.namespace, {
          matchLabels: recordAt(service, "spec", "selector"),
        });
  const peer = direction === "ingress" ? caller : called;
  if (peer === undefined || !isolates(policy, direction)) return undefined;
  const labels = ownLabels(peer, view);
  const side = direction === "ingress" ? "from" : "to";
  for (const [rule, value] of listAt(policy, "spec", direction).entries()) {
    for (const [index, part] of listAt(value, side).entries()) {
      const wanted = recordAt(part, "podSelector", "matchLabels");
      const wrong = Object.keys(wanted).filter(
        (key) => wanted[key] !== peer.metadata.labels?.[key],
      );
      const [key = ""] = wrong;
      const actual = peer.metadata.labels?.[key];
      if (wrong.length !== 1 || actual === undefined) continue;
      return setField(
        policy,
        ["spec", direction, rule, side, index, "podSelector", "matchLabels", key],
        `spec.${direction}[${rule}] asks for ${key}=${String(wanted[key])}, and pod ${peer.metadata.name} has ${key}=${actual}`,
        actual,
      );
    }
  }
  const { namespace } = peer.metadata;
  const place =
    namespace === policy.metadata.namespace
      ? {}
      : { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } } };
  const added = { [side]: [{ ...place, podSelector: { matchLabels: labels } }] };
  const rules = listAt(policy, "spec", direction);
  return setField(
    policy,
    ["spec", direction, rules.length],
    `spec.${direction} has no rule for pod ${peer.metadata.name}`,
    added,
  );
}

/** A rule of affinity whose value no object has, with the only one that there is for its key. */
export function nearestValue(
  key: string,
  value: string,
  objects: readonly KubernetesObject[],
): string | undefined {
  const there = new Set(objects.flatMap(({ metadata }) => metadata.labels?.[key] ?? []));
  if (there.size === 0 || there.has(value)) return undefined;
  const near = [...there].filter((one) => one.startsWith(value) || value.startsWith(one));
  return there.size === 1 ? [...there][0] : near.length === 1 ? near[0] : undefined;
}

/** The name of a port of a container, where a Service asks for another. */
export function fixTargetPort({ object, values }: Finding, view: ClusterView): Change | undefined {
  if (values.service_type === "LoadBalancer") return undefined; // it waits for an address
  const [pod] = view.podsMatching(object.metadata.namespace, {
    matchLabels: recordAt(object, "spec", "selector"),
  });
  const declared = listAt(pod, "spec", "containers").flatMap((one) => listAt(one, "ports"));
  for (const [index, port] of listAt(object, "spec", "ports").entries()) {
    const { targetPort } = recordAt(port);
    const isThere = declared.some((one) =>
      [recordAt(one).name, recordAt(one).containerPort].includes(targetPort),
    );
    const [only, ...others] = declared;
    if (targetPort === undefined || isThere || only === undefined || others.length > 0) continue;
    const name = textAt(only, "name");
    return setField(
      object,
      ["spec", "ports", index, "targetPort"],
      `spec.ports[${index}].targetPort is ${String(targetPort)}, and the container declares only ${String(name ?? recordAt(only).containerPort)}`,
      typeof targetPort === "string" && name !== undefined ? name : recordAt(only).containerPort,
    );
  }
  return undefined;
}
