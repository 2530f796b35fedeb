import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { booleanAt, listAt, recordAt, textAt, valueAt } from "../cluster/fields.js";
import type { ClusterView } from "./cluster-view.js";
import { isUnready } from "./conditions.js";
import { type Evidence, fieldEvidence } from "./evidence.js";
import { listUnmetRequirements, pinnedNodes } from "./node-requirements.js";
import { listClaims } from "./pod-references.js";
import { parseQuantity } from "./quantity.js";
import { matchesSelector, printSelector } from "./selector.js";

/** One clause of the scheduler's message, compared with what pod, nodes and volumes say. */
export interface SchedulingCause {
  readonly text: string;
  readonly evidence: readonly Evidence[];
}

/** Says which label, taint, zone, port or resource the scheduler's message is about, as far as it was read. */
export function schedulingCauses(
  pod: KubernetesObject,
  message: string,
  view: ClusterView,
): readonly SchedulingCause[] {
  // What preemption would bring adds no cause.
  const [text = ""] = message.split(/\bpreemption:/i);
  const pinned = pinnedNodes(pod.spec);
  const nodes = view
    .list("Node")
    .filter(({ metadata }) => pinned === undefined || pinned.includes(metadata.name));
  const all = [
    pinned === undefined ? undefined : onlyNodes(pod, pinned, nodes, view),
    /node affinity\/selector|node selector|NodeAffinity/i.test(text)
      ? selector(pod, nodes)
      : undefined,
    /untolerated taint|had taint/i.test(text) ? taints(pod, nodes) : undefined,
    /volume node affinity|persistentvolume's node affinity|volume zone/i.test(text)
      ? zones(pod, view)
      : undefined,
    /pod affinity/i.test(text) ? companions(pod, view) : undefined,
    /free ports/i.test(text) ? ports(pod) : undefined,
    ...[...text.matchAll(/insufficient ([\w./-]{1,100})/gi)].map(([, resource = ""]) =>
      resources(pod, resource.replace(/[.,]$/, ""), nodes, view),
    ),
  ];
  return all.filter((one) => one !== undefined);
}

/** The nodes that a pod is tied to by name: what the message says of the others has no bearing on it. */
function onlyNodes(
  pod: KubernetesObject,
  names: readonly string[],
  nodes: readonly KubernetesObject[],
  view: ClusterView,
): SchedulingCause {
  const missing = names.filter((name) => view.presence("Node", undefined, name) === "missing");
  const closed = nodes.flatMap((node) => {
    const { name } = node.metadata;
    if (isUnready(node)) return [`${name} is not ready`];
    return booleanAt(node, "spec", "unschedulable") === true ? [`${name} is cordoned`] : [];
  });
  const text = [
    `it may run only on node ${names.slice(0, 5).join(", ")}`,
    ...missing.slice(0, 3).map((name) => `node ${name} does not exist`),
    ...closed.slice(0, 3).map((one) => `node ${one}`),
  ].join("; ");
  return { text, evidence: [fieldEvidence(pod, "spec.affinity", text)] };
}

function selector(
  pod: KubernetesObject,
  nodes: readonly KubernetesObject[],
): SchedulingCause | undefined {
  const left = nodes.map((node) => ({ node, lacks: listUnmetRequirements(pod.spec, node) }));
  if (left.length === 0 || left.some(({ lacks }) => lacks.length === 0)) return undefined;
  const wanted = Object.entries(recordAt(pod, "spec", "nodeSelector"));
  const lacking = wanted.filter(
    ([key, value]) => !nodes.some(({ metadata }) => metadata.labels?.[key] === value),
  );
  const text =
    lacking.length > 0
      ? lacking
          .map(([key, value]) => {
            const there = [
              ...new Set(nodes.flatMap(({ metadata }) => metadata.labels?.[key] ?? [])),
            ];
            return `no node has the label ${key}=${String(value)}${there.length === 0 ? "" : ` (nodes have ${there.slice(0, 5).join(", ")})`}`;
          })
          .join(", ")
      : left
          .slice(0, 3)
          .map(({ node, lacks }) => `node ${node.metadata.name} lacks ${lacks.join(", ")}`)
          .join("; ");
  return { text, evidence: [fieldEvidence(pod, "spec.nodeSelector", text)] };
}

/** Pods that a pod has to run beside: none where it looks, and where there are some. */
function companions(pod: KubernetesObject, view: ClusterView): SchedulingCause | undefined {
  const terms = listAt(
    pod,
    "spec",
    "affinity",
    "podAffinity",
    "requiredDuringSchedulingIgnoredDuringExecution",
  );
  const texts = terms.flatMap((term) => {
    const wanted = recordAt(term, "labelSelector");
    const named = listAt(term, "namespaces").map(String);
    const places = named.length > 0 ? named : [pod.metadata.namespace ?? ""];
    const isAnywhere = valueAt(term, "namespaceSelector") !== undefined;
    const fitting = view
      .list("Pod")
      .filter((one) => matchesSelector(wanted, one.metadata.labels ?? {}));
    const isMet = fitting.some(
      (one) => isAnywhere || places.includes(one.metadata.namespace ?? ""),
    );
    if (isMet) return [];
    const elsewhere = [...new Set(fitting.map((one) => one.metadata.namespace ?? ""))];
    const where =
      elsewhere.length === 0
        ? ""
        : `; there are some in ${elsewhere.slice(0, 3).join(", ")}, which its affinity does not name in namespaces`;
    return [
      `its pod affinity asks for a pod with ${printSelector(wanted)} in namespace ${places.join(", ")}, and there is none${where}`,
    ];
  });
  const text = texts.join("; ");
  return text === ""
    ? undefined
    : { text, evidence: [fieldEvidence(pod, "spec.affinity.podAffinity", text)] };
}

function taints(
  pod: KubernetesObject,
  nodes: readonly KubernetesObject[],
): SchedulingCause | undefined {
  const found = nodes.flatMap((node) =>
    untolerated(pod.spec, node).map((text) => ({ node, text })),
  );
  if (found.length === 0) return undefined;
  return {
    text: `it does not tolerate ${found
      .slice(0, 4)
      .map(({ node, text }) => `${text} of node ${node.metadata.name}`)
      .join(", ")}`,
    evidence: found
      .slice(0, 3)
      .map(({ node, text }) => fieldEvidence(node, "spec.taints", `taint ${text}`)),
  };
}

/** Taints of a node that a pod of this spec does not tolerate: `key=value:effect`. */
export function untolerated(spec: unknown, node: KubernetesObject): readonly string[] {
  const tolerations = listAt(spec, "tolerations");
  return listAt(node, "spec", "taints")
    .filter((taint) => textAt(taint, "effect") !== "PreferNoSchedule")
    .filter((taint) => !tolerations.some((one) => tolerates(one, taint)))
    .map((taint) => {
      const value = textAt(taint, "value");
      return `${textAt(taint, "key") ?? "?"}${value === undefined ? "" : `=${value}`}:${textAt(taint, "effect") ?? ""}`;
    });
}

function tolerates(toleration: unknown, taint: unknown): boolean {
  const key = textAt(toleration, "key");
  const effect = textAt(toleration, "effect");
  if (effect !== undefined && effect !== textAt(taint, "effect")) return false;
  if (key === undefined) return textAt(toleration, "operator") === "Exists";
  if (key !== textAt(taint, "key")) return false;
  return (
    textAt(toleration, "operator") === "Exists" ||
    (textAt(toleration, "value") ?? "") === (textAt(taint, "value") ?? "")
  );
}

/** Where the volumes of a pod's claims may be used, and where nodes are. */
function zones(pod: KubernetesObject, view: ClusterView): SchedulingCause | undefined {
  const { namespace } = pod.metadata;
  const found = listClaims(pod).flatMap((claimName) => {
    const claim = view.get("PersistentVolumeClaim", namespace, claimName);
    const bound =
      textAt(claim, "spec", "volumeName") ??
      view
        .list("PersistentVolume")
        .find(
          (each) =>
            textAt(each, "spec", "claimRef", "name") === claimName &&
            textAt(each, "spec", "claimRef", "namespace") === namespace,
        )?.metadata.name;
    const volume = bound === undefined ? undefined : view.get("PersistentVolume", undefined, bound);
    const terms = listAt(volume, "spec", "nodeAffinity", "required", "nodeSelectorTerms").flatMap(
      (term) => listAt(term, "matchExpressions"),
    );
    return volume === undefined ? [] : terms.map((term) => ({ claimName, volume, term }));
  });
  const [first] = found;
  if (first === undefined) return undefined;
  const texts = found.slice(0, 3).map(({ claimName, volume, term }) => {
    const key = textAt(term, "key") ?? "?";
    const nodes = [
      ...new Set(view.list("Node").flatMap(({ metadata }) => metadata.labels?.[key] ?? [])),
    ];
    return `volume ${volume.metadata.name} of claim ${claimName} can only be used where ${key} is ${listAt(term, "values").map(String).join(", ")}${nodes.length === 0 ? "" : ` (nodes have ${nodes.slice(0, 6).join(", ")})`}`;
  });
  return {
    text: texts.join(", "),
    evidence: [fieldEvidence(first.volume, "spec.nodeAffinity", texts[0] ?? "")],
  };
}

function ports(pod: KubernetesObject): SchedulingCause | undefined {
  const wanted = listAt(pod, "spec", "containers").flatMap((container) =>
    listAt(container, "ports").flatMap((port) => {
      const hostPort = valueAt(port, "hostPort");
      return hostPort === undefined ? [] : [String(hostPort)];
    }),
  );
  if (wanted.length === 0) return undefined;
  const text = `it asks for hostPort ${wanted.join(", ")}, which is taken on each node`;
  return {
    text,
    evidence: [fieldEvidence(pod, "spec.containers.ports", `hostPort ${wanted.join(", ")}`)],
  };
}

/** What the pod requests of a resource, and what the node with most of it has left. */
function resources(
  pod: KubernetesObject,
  resource: string,
  nodes: readonly KubernetesObject[],
  view: ClusterView,
): SchedulingCause | undefined {
  const wanted = sumRequests(pod, resource);
  if (wanted === 0) return undefined;
  // What nodes have left can be said only where the pods of every namespace were read.
  if (!view.isWhole("Pod") || !view.isWhole("Node"))
    return {
      text: `it requests ${resource} ${listRequests(pod, resource).join(" + ")}`,
      evidence: [],
    };
  const free = nodes
    .flatMap((node) => {
      const given = recordAt(node, "status", "allocatable")[resource];
      const all = parseQuantity(given);
      if (all === undefined) return [];
      const used = view
        .list("Pod")
        .filter(
          (one) =>
            textAt(one, "spec", "nodeName") === node.metadata.name &&
            !/^(?:Succeeded|Failed)$/.test(textAt(one, "status", "phase") ?? ""),
        )
        .reduce((sum, one) => sum + sumRequests(one, resource), 0);
      return [{ node, given: String(given), left: all - used }];
    })
    .sort((a, b) => b.left - a.left);
  const [best] = free;
  const asked = listRequests(pod, resource).join(" + ");
  if (best === undefined) return { text: `it requests ${resource} ${asked}`, evidence: [] };
  const share = Math.max(0, Math.round((best.left / wanted) * 100));
  const text = `it requests ${resource} ${asked}; node ${best.node.metadata.name}, which has most of it left, has ${best.given} in all and room for ${share} % of that request`;
  return share >= 100
    ? { text: `it requests ${resource} ${asked}`, evidence: [] }
    : {
        text,
        evidence: [fieldEvidence(best.node, "status.allocatable", `${resource} ${best.given}`)],
      };
}

function sumRequests(pod: KubernetesObject, resource: string): number {
  return listRequests(pod, resource).reduce<number>(
    (sum, value) => sum + (parseQuantity(value) ?? 0),
    0,
  );
}

/** What each container asks of a resource, by its request or else its limit. */
function listRequests(pod: KubernetesObject, resource: string): readonly unknown[] {
  return listAt(pod, "spec", "containers").flatMap(
    (container) =>
      recordAt(container, "resources", "requests")[resource] ??
      recordAt(container, "resources", "limits")[resource] ??
      [],
  );
}
