import { findPods } from "../answer/pods-of.js";
import { shownBy } from "../answer/state-shown.js";
import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, numberAt, recordAt, textAt, timeAt, valueAt } from "../cluster/fields.js";
import { printDuration } from "../diagnosis/age.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { readContainers } from "../diagnosis/container-state.js";
import { findPodSpec } from "../diagnosis/pod-spec.js";
import { parseQuantity } from "../diagnosis/quantity.js";
import { isReady } from "../diagnosis/ready.js";

/** A field by which objects are filtered, sorted, summed and compared. */
export interface Field {
  /** For people: `memory limit`. */
  readonly name: string;
  /** How people write it; plurals are found as well, and of several that fit the longest counts. */
  readonly words: readonly string[];
  /** True for a number of things, of which there can be none. */
  readonly isCounted?: boolean;
  /** What a list says of an object beside the value. */
  describe?(object: KubernetesObject, view: ClusterView): string;
  /** What it means of an object, where it has it. */
  read(object: KubernetesObject, view: ClusterView): FieldValue | undefined;
}

/** A value of a field. */
export interface FieldValue {
  /** What it is compared by. */
  readonly value: number | string;
  readonly text: string;
}

const counted = (value: number | undefined): FieldValue | undefined =>
  value === undefined ? undefined : { value, text: String(value) };

const worded = (value: string | undefined): FieldValue | undefined =>
  value === undefined || value === "" ? undefined : { value, text: value };

/** Quantities added up, written as the only one or as a rounded sum. */
function summed(values: readonly unknown[]): FieldValue | undefined {
  const found = values.filter((value) => value !== undefined);
  const numbers = found.map(parseQuantity).filter((value) => value !== undefined);
  if (numbers.length === 0) return undefined;
  const value = numbers.reduce((sum, one) => sum + one, 0);
  return { value, text: found.length === 1 ? String(found[0]) : printQuantity(value) };
}

/** A quantity with a unit that people read. */
export function printQuantity(value: number): string {
  if (value >= 2 ** 30) return `${Math.round((value / 2 ** 30) * 100) / 100}Gi`;
  if (value >= 2 ** 20) return `${Math.round(value / 2 ** 20)}Mi`;
  return value < 1 ? `${Math.round(value * 1_000)}m` : String(Math.round(value * 100) / 100);
}

/** A resource of all containers of a pod, together. */
const ofContainers =
  (which: "limits" | "requests", resource: string) => (object: KubernetesObject) =>
    summed(
      listAt(findPodSpec(object), "containers").map(
        (one) => recordAt(one, "resources", which)[resource],
      ),
    );

const usage = (resource: "cpu" | "memory") => (object: KubernetesObject, view: ClusterView) => {
  const names = new Set(findPods(object, view).map(({ metadata }) => metadata.name));
  return summed(
    view.usage
      .filter((one) =>
        object.kind === "Node"
          ? one.kind === "Node" && one.name === object.metadata.name
          : one.kind === "Pod" &&
            one.namespace === object.metadata.namespace &&
            names.has(one.name),
      )
      .map((one) => one[resource]),
  );
};

const at =
  (...path: readonly string[]) =>
  (object: KubernetesObject) => {
    const value = valueAt(object, ...path);
    return typeof value === "number"
      ? counted(value)
      : worded(value === undefined ? undefined : String(value));
  };

const inPod = (key: string, usual?: string) => (object: KubernetesObject) => {
  const spec = findPodSpec(object);
  const value = valueAt(spec, key);
  return spec === undefined ? undefined : worded(value === undefined ? usual : String(value));
};

/** What is added to a pod's requests or limits must name its resource; these words name which of them. */
export const usageFields: ReadonlySet<string> = new Set(["CPU usage", "memory usage"]);

/** Pods of a workload or a Service, on a node, or in a namespace. */
function podsBelow(object: KubernetesObject, view: ClusterView): readonly KubernetesObject[] {
  const { name } = object.metadata;
  if (object.kind === "Node")
    return view.list("Pod").filter((pod) => textAt(pod, "spec", "nodeName") === name);
  if (object.kind === "Namespace")
    return view.list("Pod").filter(({ metadata }) => metadata.namespace === name);
  return findPods(object, view);
}

/** What a node has for pods, beside all that it has. */
function ofNode(resource: string): Field["read"] {
  return (object) => {
    const found = summed([valueAt(object, "status", "allocatable", resource)]);
    const all = valueAt(object, "status", "capacity", resource);
    return found === undefined || all === undefined
      ? found
      : { ...found, text: `${found.text} of ${String(all)}` };
  };
}

/** The fields that questions compare, by the words of people; any other is found by its own name in the objects. */
export const fields: readonly Field[] = [
  {
    name: "restarts",
    words: ["restart", "restarted", "restarting", "restart count"],
    read: (object, view) => {
      const containers = findPods(object, view).flatMap(readContainers);
      return containers.length === 0
        ? undefined
        : counted(containers.reduce((sum, { restarts }) => sum + restarts, 0));
    },
    describe: (object, view) => shownBy(object, "restarted", view),
  },
  {
    name: "memory limit",
    words: ["memory limit", "mem limit", "ram limit", "limit of memory", "allowed memory"],
    read: ofContainers("limits", "memory"),
  },
  {
    name: "memory request",
    words: [
      "memory request",
      "mem request",
      "ram request",
      "requested memory",
      "memory requested",
      "requests of memory",
    ],
    read: ofContainers("requests", "memory"),
  },
  { name: "CPU limit", words: ["cpu limit", "limit of cpu"], read: ofContainers("limits", "cpu") },
  {
    name: "CPU request",
    words: ["cpu request", "requested cpu", "cpu requested", "requests of cpu"],
    read: ofContainers("requests", "cpu"),
  },
  {
    name: "memory usage",
    words: ["memory", "memory usage", "memory use", "ram", "ram usage"],
    read: usage("memory"),
  },
  { name: "CPU usage", words: ["cpu", "cpu usage", "cpu use", "cpu load"], read: usage("cpu") },
  {
    name: "replicas",
    words: ["replica", "wanted replica", "desired replica", "copy", "copies", "instance"],
    read: (object) =>
      counted(
        numberAt(object, "spec", "replicas") ??
          numberAt(object, "status", "desiredNumberScheduled") ??
          numberAt(object, "status", "currentReplicas"),
      ),
  },
  {
    name: "minReplicas",
    words: ["min", "minimum", "min replica", "minimum of replica", "lower bound"],
    read: (object) =>
      numberAt(object, "spec", "maxReplicas") === undefined
        ? undefined
        : counted(numberAt(object, "spec", "minReplicas") ?? 1),
  },
  {
    name: "maxReplicas",
    words: ["max", "maximum", "max replica", "maximum of replica", "upper bound"],
    read: (object) => counted(numberAt(object, "spec", "maxReplicas")),
  },
  {
    name: "ready replicas",
    words: ["ready replica", "replicas ready", "available replica"],
    read: (object) =>
      counted(
        numberAt(object, "status", "readyReplicas") ??
          numberAt(object, "status", "numberReady") ??
          (numberAt(object, "spec", "replicas") === undefined ? undefined : 0),
      ),
  },
  {
    name: "ready endpoints",
    words: ["endpoint", "ready endpoint", "ready pod", "backend"],
    isCounted: true,
    read: (object, view) =>
      object.kind === "Service"
        ? counted(findPods(object, view).filter(isReady).length)
        : undefined,
  },
  {
    name: "pods",
    words: ["pod"],
    isCounted: true,
    read: (object, view) =>
      object.kind === "Pod" ? undefined : counted(podsBelow(object, view).length),
  },
  {
    name: "containers",
    words: ["container"],
    read: (object) => {
      const { length } = listAt(findPodSpec(object), "containers");
      return length === 0 ? undefined : counted(length);
    },
  },
  {
    name: "init containers",
    words: ["init container"],
    read: (object) =>
      worded(
        listAt(findPodSpec(object), "initContainers")
          .map((one) => textAt(one, "name") ?? "?")
          .join(", "),
      ),
  },
  {
    name: "size",
    words: ["size", "capacity", "storage size", "disk size", "space", "storage"],
    read: (object) =>
      summed([
        valueAt(object, "status", "capacity", "storage") ??
          valueAt(object, "spec", "capacity", "storage") ??
          valueAt(object, "spec", "resources", "requests", "storage"),
      ]),
  },
  {
    name: "allocatable memory",
    words: ["allocatable memory", "memory capacity", "node memory"],
    read: ofNode("memory"),
  },
  {
    name: "allocatable CPU",
    words: ["allocatable cpu", "cpu capacity", "cores", "cpus"],
    read: ofNode("cpu"),
  },
  {
    name: "age",
    words: ["age", "old", "young", "older", "newer", "younger", "recent"],
    read: (object, view) => {
      const created = timeAt(object, "metadata", "creationTimestamp");
      return created === undefined
        ? undefined
        : { value: view.now - created, text: printDuration(view.now - created) };
    },
  },
  {
    name: "kubelet version",
    words: ["kubelet", "kubelet version", "kubernetes version", "k8s version", "node version"],
    read: at("status", "nodeInfo", "kubeletVersion"),
  },
  {
    name: "kernel version",
    words: ["kernel", "kernel version"],
    read: at("status", "nodeInfo", "kernelVersion"),
  },
  {
    name: "container runtime",
    words: ["container runtime", "runtime", "containerd version"],
    read: at("status", "nodeInfo", "containerRuntimeVersion"),
  },
  {
    name: "operating system",
    words: ["os", "os image", "operating system"],
    read: at("status", "nodeInfo", "osImage"),
  },
  {
    name: "architecture",
    words: ["architecture", "arch", "cpu architecture"],
    read: at("status", "nodeInfo", "architecture"),
  },
  {
    name: "image",
    words: ["image", "image tag", "version", "image version", "release"],
    read: (object) =>
      worded(
        listAt(findPodSpec(object), "containers")
          .flatMap((one) => textAt(one, "image") ?? [])
          .join(", "),
      ),
  },
  { name: "node", words: ["node", "machine", "host machine"], read: inPod("nodeName") },
  {
    name: "service account",
    words: ["service account"],
    read: inPod("serviceAccountName", "default"),
  },
  {
    name: "priority class",
    words: ["priority class", "priority"],
    read: inPod("priorityClassName", "none"),
  },
  { name: "restart policy", words: ["restart policy"], read: inPod("restartPolicy", "Always") },
  { name: "storage class", words: ["storage class"], read: at("spec", "storageClassName") },
  {
    name: "service type",
    words: ["service type"],
    read: (object) =>
      object.kind === "Service" ? worded(textAt(object, "spec", "type") ?? "ClusterIP") : undefined,
  },
  {
    name: "update strategy",
    words: ["strategy", "update strategy"],
    read: (object) =>
      worded(
        textAt(object, "spec", "strategy", "type") ??
          textAt(object, "spec", "updateStrategy", "type"),
      ),
  },
  { name: "namespace", words: ["namespace"], read: ({ metadata }) => worded(metadata.namespace) },
];

/** A field that a text names, and where. Of several the longest, then the first. */
export function findField(text: string, among: readonly Field[] = fields): Field | undefined {
  return findFieldAt(text, among)?.field;
}

/** Every field that a text names, in its order; words that belong to a longer name count for that one only. */
export function findFields(text: string): readonly Field[] {
  const hits: { readonly field: Field; readonly at: number }[] = [];
  let rest = text;
  for (let hit = findFieldAt(rest); hit !== undefined; hit = findFieldAt(rest)) {
    hits.push(hit);
    const before = rest;
    rest = spaced(rest).replace(` ${hit.words}`, (said) => "-".repeat(said.length));
    if (rest === before) break;
  }
  return [...new Set(hits.sort((a, b) => a.at - b.at).map(({ field }) => field))];
}

function spaced(text: string): string {
  return ` ${text.toLowerCase().replace(/[^a-z0-9-]+/g, " ")} `;
}

/** As {@link findField}, with the place of its words. */
export function findFieldAt(
  text: string,
  among: readonly Field[] = fields,
): { readonly field: Field; readonly at: number; readonly words: string } | undefined {
  const padded = ` ${text.toLowerCase().replace(/[^a-z0-9]+/g, " ")} `;
  const hits = among.flatMap((field) =>
    field.words.flatMap((words) => {
      const place = [` ${words} `, ` ${words}s `]
        .map((form) => padded.indexOf(form))
        .find((index) => index >= 0);
      return place === undefined ? [] : [{ field, at: place, words }];
    }),
  );
  return hits.sort((a, b) => b.words.length - a.words.length || a.at - b.at)[0];
}
