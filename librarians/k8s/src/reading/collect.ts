import type {
  ClusterEvent,
  ClusterReader,
  KubernetesObject,
  ReadProblem,
  Usage,
} from "../cluster/cluster-reader.js";
import { recordAt, textAt } from "../cluster/fields.js";
import { getKind, isKindName, type KindName } from "../cluster/kinds.js";
import type { ClusterReading } from "../diagnosis/cluster-view.js";
import { readContainers } from "../diagnosis/container-state.js";
import { idFrom } from "../diagnosis/object-id.js";
import { listClaims, listConfigMaps } from "../diagnosis/pod-references.js";
import { findPodSpec } from "../diagnosis/pod-spec.js";
import { isReady } from "../diagnosis/ready.js";
import { matchesLabels } from "../diagnosis/selector.js";

/** Kinds that a question about one object is read selectively for. */
export const primaryKinds: readonly KindName[] = ["Deployment", "StatefulSet", "DaemonSet", "Pod"];
const owners: readonly string[] = ["ReplicaSet", "Deployment", "StatefulSet", "DaemonSet", "Job"];
const withPods: readonly KindName[] = [...primaryKinds, "ReplicaSet"];
/** Maximum number of pods of one workload, and of pods whose events are read. */
const maxPods = 200;
const maxWithEvents = 4;
/** Maximum number of objects of one kind that are read by name, and of nodes; nodes of unready pods come first. */
const maxNamed = 20;
const maxNodes = 5;

/** What is read for one object, each thing once. */
export interface Collection {
  /** Everything of a kind in the namespace. */
  listAll(kind: KindName): Promise<void>;
  /** The object, its pods with what is between, or what it belongs to. False: not all of it could be read. */
  family(head: KubernetesObject): Promise<boolean>;
  /** What pods and their templates name: configuration, claims with their volumes, accounts, nodes. */
  references(): Promise<void>;
  /** The endpoints of the Services that send to the pods. */
  slices(): Promise<void>;
  /** Events of the object, of what is between, and of the pods: those that are not ready first. */
  events(head: KubernetesObject): Promise<void>;
  /** What the pods use. */
  usage(): Promise<void>;
  reading(namespaces: readonly KubernetesObject[], now: number): ClusterReading;
}

/** Reads one namespace object by object. */
export function collect(reader: ClusterReader, namespace: string, signal: AbortSignal): Collection {
  const objects = new Map<KindName, Map<string, KubernetesObject>>();
  const absent = new Map<KindName, Set<string>>();
  const problems = new Map<string, ReadProblem>();
  const whole = new Set<KindName>();
  let events: readonly ClusterEvent[] = [];
  let usage: readonly Usage[] = [];
  let labels: Readonly<Record<string, string>> = {};

  function ofKind(kind: KindName): Map<string, KubernetesObject> {
    const known = objects.get(kind) ?? new Map<string, KubernetesObject>();
    objects.set(kind, known);
    return known;
  }
  const all = (...kinds: readonly KindName[]) =>
    kinds.flatMap((kind) => [...ofKind(kind).values()]);
  function add(object: KubernetesObject): void {
    if (isKindName(object.kind)) ofKind(object.kind).set(object.metadata.name, object);
  }

  async function one(kind: KindName, name: string): Promise<KubernetesObject | undefined> {
    const known = ofKind(kind).get(name);
    if (known !== undefined) return known;
    const { object, problem } = await reader.get(kind, namespace, name, { signal });
    if (object !== undefined) add(object);
    else if (problem !== undefined) problems.set(kind, problem);
    else {
      const where = getKind(kind).namespaced ? namespace : undefined;
      const gone = absent.get(kind) ?? new Set<string>();
      absent.set(kind, gone.add(idFrom(kind, where, name)));
    }
    return object;
  }

  async function listAll(kind: KindName): Promise<void> {
    const { items, problem } = await reader.list(kind, { namespace, signal });
    whole.add(kind);
    ofKind(kind);
    for (const item of items) add(item);
    if (problem !== undefined) problems.set(kind, problem);
  }

  async function above(object: KubernetesObject, depth = 0): Promise<void> {
    const owner = object.metadata.ownerReferences?.find(({ kind }) => owners.includes(kind));
    if (owner === undefined || !isKindName(owner.kind) || depth > 3) return;
    const found = await one(owner.kind, owner.name);
    if (found !== undefined) await above(found, depth + 1);
  }

  return {
    listAll,
    async family(head) {
      for (const kind of withPods) ofKind(kind);
      add(head);
      if (head.kind === "Pod") {
        labels = head.metadata.labels ?? {};
        await above(head);
        return true;
      }
      labels = pickTexts(recordAt(head, "spec", "selector", "matchLabels"));
      // Without labels, what belongs to it cannot be selected.
      if (Object.keys(labels).length === 0) return false;
      const kinds =
        head.kind === "Deployment" ? (["ReplicaSet", "Pod"] as const) : (["Pod"] as const);
      const lists = await Promise.all(
        kinds.map((kind) => reader.list(kind, { namespace, labels, signal })),
      );
      for (const item of lists.flatMap(({ items }) => items)) add(item);
      return lists.every(({ problem }) => problem === undefined) && all("Pod").length <= maxPods;
    },
    async references() {
      const names = namesIn(all(...withPods).toSorted(unreadyFirst));
      for (const kind of names.keys()) ofKind(kind);
      await Promise.all(
        [...names].flatMap(([kind, some]) =>
          [...some].slice(0, kind === "Node" ? maxNodes : maxNamed).map((name) => one(kind, name)),
        ),
      );
      const claims = all("PersistentVolumeClaim");
      const volumes = claims.flatMap((claim) => textAt(claim, "spec", "volumeName") ?? []);
      const classes = claims
        .filter((claim) => textAt(claim, "status", "phase") !== "Bound")
        .flatMap((claim) => textAt(claim, "spec", "storageClassName") ?? []);
      for (const kind of ["PersistentVolume", "StorageClass"] as const) ofKind(kind);
      await Promise.all([
        ...[...new Set(volumes)].map((name) => one("PersistentVolume", name)),
        ...[...new Set(classes)].map((name) => one("StorageClass", name)),
      ]);
      // The scheduler's reason refers to all nodes, so all of them are read.
      const isUnplaced = all("Pod").some(
        (pod) =>
          textAt(pod, "spec", "nodeName") === undefined &&
          textAt(pod, "status", "phase") === "Pending",
      );
      if (isUnplaced) await listAll("Node");
    },
    async slices() {
      const templates = all(...withPods).map((object) =>
        object.kind === "Pod"
          ? (object.metadata.labels ?? {})
          : recordAt(object, "spec", "template", "metadata", "labels"),
      );
      const services = all("Service").filter((service) =>
        templates.some((some) => matchesLabels(recordAt(service, "spec", "selector"), some)),
      );
      ofKind("EndpointSlice");
      await Promise.all(
        services.slice(0, 5).map(async ({ metadata: { name } }) => {
          const wanted = { "kubernetes.io/service-name": name };
          const { items, problem } = await reader.list("EndpointSlice", {
            namespace,
            labels: wanted,
            signal,
          });
          for (const item of items) add(item);
          if (problem !== undefined) problems.set("EndpointSlice", problem);
        }),
      );
    },
    async events(head) {
      const pods = all("Pod").toSorted(unreadyFirst);
      const sets = all("ReplicaSet").toSorted((a, b) =>
        getCreationTime(b).localeCompare(getCreationTime(a)),
      );
      const subjects = new Set([head, ...sets.slice(0, 2), ...pods.slice(0, maxWithEvents)]);
      const lists = await Promise.all(
        [...subjects].map(({ kind, metadata: { name } }) =>
          reader.events({ namespace, about: { kind, name }, signal }),
        ),
      );
      // The node's events report the pods that were lost with it. Events of what has no namespace are in this one.
      const restarted = all("Pod").filter((pod) => !isReady(pod) || countRestarts(pod) > 0);
      const nodes = new Set(restarted.flatMap((pod) => textAt(pod, "spec", "nodeName") ?? []));
      const ofNodes = await Promise.all(
        [...nodes]
          .slice(0, 3)
          .map((name) =>
            reader.events({ namespace: "default", about: { kind: "Node", name }, signal }),
          ),
      );
      events = [...lists, ...ofNodes].flatMap(({ items }) => items);
      const problem = lists.find((list) => list.problem !== undefined)?.problem;
      if (problem !== undefined) problems.set("Event", problem);
    },
    async usage() {
      const { items } = await reader.usage({ namespace, labels, signal });
      usage = items.filter(({ name }) => ofKind("Pod").has(name));
    },
    reading(namespaces, now) {
      const partly = [...objects.keys()].filter((kind) => !whole.has(kind));
      const read = [...objects].map(([kind, some]) => [kind, [...some.values()]] as const);
      return {
        objects: new Map<KindName, readonly KubernetesObject[]>([
          ["Namespace", namespaces],
          ...read,
        ]),
        events,
        usage,
        problems,
        now,
        namespace,
        partly: new Map(partly.map((kind) => [kind, absent.get(kind) ?? new Set<string>()])),
      };
    },
  };
}

function unreadyFirst(a: KubernetesObject, b: KubernetesObject): number {
  return Number(isReady(a)) - Number(isReady(b));
}

function countRestarts(pod: KubernetesObject): number {
  return readContainers(pod).reduce((sum, { restarts }) => sum + restarts, 0);
}

function getCreationTime(object: KubernetesObject): string {
  return textAt(object, "metadata", "creationTimestamp") ?? "";
}

function pickTexts(record: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(record).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    ),
  );
}

/** Names of what pods and templates use, by kind: ConfigMaps, claims, accounts, nodes. */
function namesIn(objects: readonly KubernetesObject[]): ReadonlyMap<KindName, ReadonlySet<string>> {
  const names = new Map<KindName, Set<string>>();
  const add = (kind: KindName, all: readonly string[]) => {
    const known = names.get(kind) ?? new Set<string>();
    for (const name of all) known.add(name);
    names.set(kind, known);
  };
  for (const kind of ["ConfigMap", "PersistentVolumeClaim", "ServiceAccount", "Node"] as const)
    add(kind, []);
  for (const object of objects) {
    const spec = findPodSpec(object);
    add("ConfigMap", listConfigMaps(spec));
    add("PersistentVolumeClaim", listClaims({ spec }));
    const account = textAt(spec, "serviceAccountName");
    add("ServiceAccount", account === undefined ? [] : [account]);
    if (object.kind !== "Pod") continue;
    const node = textAt(spec, "nodeName");
    add("Node", node === undefined ? [] : [node]);
  }
  return names;
}
