import type {
  ClusterEvent,
  KubernetesObject,
  ReadProblem,
  Usage,
} from "../cluster/cluster-reader.js";
import { recordAt, textAt } from "../cluster/fields.js";
import type { KindName } from "../cluster/kinds.js";
import { idFrom, toObjectId } from "./object-id.js";
import { findControllerReference, ownerByName } from "./owners.js";
import { matchesSelector } from "./selector.js";

/** What was read for one question. */
export interface ClusterReading {
  readonly objects: ReadonlyMap<KindName, readonly KubernetesObject[]>;
  readonly events: readonly ClusterEvent[];
  readonly usage: readonly Usage[];
  /** By kind; `Event` for events. */
  readonly problems: ReadonlyMap<string, ReadProblem>;
  /** Epoch milliseconds that ages are measured against. */
  readonly now: number;
  /** The namespace that was read. Undefined: all of them. */
  readonly namespace?: string | undefined;
  /** Kinds of which only what belongs to one object was read, with the ids of what was asked for and is absent. */
  readonly partly?: ReadonlyMap<KindName, ReadonlySet<string>> | undefined;
  /** Other namespaces that were read because something leads there, with what could not be read of each. */
  readonly elsewhere?: ReadonlyMap<string, ReadonlySet<string>> | undefined;
}

/** What was read, joined by owner, uid and labels. Each index is made once, when it is first needed. */
export interface ClusterView {
  readonly now: number;
  readonly usage: readonly Usage[];
  readonly problems: ReadonlyMap<string, ReadProblem>;
  list(kind: KindName): readonly KubernetesObject[];
  /** True for a kind that was asked for, whatever came of it. */
  isRead(kind: KindName): boolean;
  /** True for a kind of which everything in the cluster was read. */
  isWhole(kind: KindName): boolean;
  get(kind: string, namespace: string | undefined, name: string): KubernetesObject | undefined;
  byId(id: string): KubernetesObject | undefined;
  /** Everything with a name, of any kind and namespace. */
  named(name: string): readonly KubernetesObject[];
  /**
   * What is known of an object that another one names: `missing` when every object of its kind was
   * read and it is not there, `unread` when it may be there all the same.
   */
  presence(
    kind: string,
    namespace: string | undefined,
    name: string,
  ): "there" | "missing" | "unread";
  /** The controller directly above. */
  owner(object: KubernetesObject): KubernetesObject | undefined;
  /** What an object directly controls. */
  owned(object: KubernetesObject): readonly KubernetesObject[];
  /** Pods of a namespace that a selector with `matchLabels` meets. */
  podsMatching(namespace: string | undefined, selector: unknown): readonly KubernetesObject[];
  /** Events about an object, newest first: by uid where both have one, else by kind, namespace and name. */
  events(object: KubernetesObject): readonly ClusterEvent[];
  /** The newest event about an object with one of these reasons. */
  event(object: KubernetesObject, ...reasons: readonly string[]): ClusterEvent | undefined;
  /** The newest warning about an object. */
  warning(object: KubernetesObject): ClusterEvent | undefined;
  /** True where what is not among the objects of a kind does not exist. */
  isKnown(kind: string, namespace: string | undefined): boolean;
  /** The node that a pod is on. */
  nodeOf(pod: KubernetesObject): KubernetesObject | undefined;
  /** Pods that a Service sends to. None for one without a selector. */
  behind(service: KubernetesObject | undefined): readonly KubernetesObject[];
}

/** Joins what was read. Costs nothing until it is asked something. */
export function createView(reading: ClusterReading): ClusterView {
  const { objects, problems, now, usage } = reading;
  const list = (kind: string): readonly KubernetesObject[] => objects.get(kind as KindName) ?? [];
  const ids = once(() => {
    const map = new Map<string, KubernetesObject>();
    for (const all of objects.values())
      for (const object of all) map.set(toObjectId(object), object);
    return map;
  });
  const names = once(() => {
    const map = new Map<string, KubernetesObject[]>();
    for (const all of objects.values())
      for (const object of all) push(map, object.metadata.name, object);
    return map;
  });
  /** Kinds of extensions of which there are any: what else of them is named does not exist. */
  const customKinds = once(
    () => new Set((objects.get("CustomResource") ?? []).map(({ kind }) => kind)),
  );
  const children = once(() => {
    const map = new Map<string, KubernetesObject[]>();
    for (const all of objects.values()) {
      for (const object of all) {
        const owner = findOwner(object);
        const reference = findControllerReference(object);
        if (owner !== undefined) push(map, toObjectId(owner), object);
        else if (reference !== undefined) push(map, ownerKey(reference, object), object);
      }
    }
    return map;
  });
  const find = (kind: string, namespace: string | undefined, name: string) =>
    ids().get(idFrom(kind, namespace, name)) ?? ids().get(idFrom(kind, undefined, name));
  const findOwner = (object: KubernetesObject): KubernetesObject | undefined => {
    const { namespace } = object.metadata;
    const reference = findControllerReference(object);
    const found = reference && find(reference.kind, namespace, reference.name);
    const isAnother =
      reference?.uid !== undefined &&
      found?.metadata.uid !== undefined &&
      found.metadata.uid !== reference.uid;
    if (isAnother) return undefined;
    return found ?? ownerByName(object, (kind, name) => ids().get(idFrom(kind, namespace, name)));
  };
  const labelled = once(() => {
    const map = new Map<string, KubernetesObject[]>();
    for (const pod of list("Pod")) {
      const { namespace = "", labels = {} } = pod.metadata;
      push(map, namespace, pod);
      for (const [key, value] of Object.entries(labels))
        push(map, `${namespace}\0${key}\0${value}`, pod);
    }
    return map;
  });
  const eventsOf = once(() => {
    const map = new Map<string, ClusterEvent[]>();
    for (const event of reading.events) {
      const { kind, namespace = event.namespace, name } = event.involved;
      if (name !== "" && name !== undefined)
        push(map, idFrom(kind, clusterScoped.has(kind) ? undefined : namespace, name), event);
    }
    return map;
  });

  const view: ClusterView = {
    now,
    usage,
    problems,
    list,
    isRead: (kind) => objects.has(kind),
    isWhole: (kind) =>
      objects.has(kind) &&
      !problems.has(kind) &&
      reading.partly?.has(kind) !== true &&
      (reading.namespace === undefined || clusterScoped.has(kind)),
    get: (kind, namespace, name) => ids().get(idFrom(kind, namespace, name)),
    byId: (id) => ids().get(id),
    named: (name) => names().get(name) ?? [],
    presence(kind, namespace, name) {
      if (ids().has(idFrom(kind, namespace, name))) return "there";
      const absent = reading.partly?.get(kind as KindName);
      if (absent !== undefined)
        return absent.has(idFrom(kind, namespace, name)) ? "missing" : "unread";
      const isRead =
        (objects.has(kind as KindName) && !problems.has(kind)) ||
        (customKinds().has(kind) && !problems.has("CustomResource"));
      // Of another namespace than the one that was read, nothing is known.
      const isElsewhere =
        reading.namespace !== undefined &&
        namespace !== undefined &&
        namespace !== reading.namespace;
      if (isElsewhere) {
        const unread = reading.elsewhere?.get(namespace);
        return unread === undefined || unread.has(kind) || !objects.has(kind as KindName)
          ? "unread"
          : "missing";
      }
      return isRead ? "missing" : "unread";
    },
    owner: findOwner,
    owned(object) {
      const { uid, namespace, name } = object.metadata;
      const byName = children().get(idFrom(object.kind, namespace, name)) ?? [];
      return uid === undefined
        ? byName
        : byName.filter((child) => {
            const owner = findControllerReference(child);
            return owner?.uid === undefined || owner.kind !== object.kind || owner.uid === uid;
          });
    },
    podsMatching(namespace = "", selector) {
      const pairs = Object.entries(recordAt(selector, "matchLabels"));
      const candidates = [
        namespace,
        ...pairs.map(([key, value]) => `${namespace}\0${key}\0${value}`),
      ]
        .map((key) => labelled().get(key) ?? [])
        .reduce((least, some) => (some.length < least.length ? some : least));
      return candidates.filter((pod) => matchesSelector(selector, pod.metadata.labels ?? {}));
    },
    events(object) {
      const { uid } = object.metadata;
      const found =
        eventsOf().get(toObjectId(object)) ??
        (object.metadata.namespace === undefined
          ? []
          : (eventsOf().get(idFrom(object.kind, undefined, object.metadata.name)) ?? []));
      // A node's events carry its name as uid.
      if (uid === undefined || object.kind === "Node") return found;
      return found.filter(({ involved }) => involved.uid === undefined || involved.uid === uid);
    },
    event: (object, ...reasons) =>
      view.events(object).find(({ reason }) => reasons.includes(reason)),
    warning: (object) => view.events(object).find(({ type }) => type === "Warning"),
    isKnown: (kind, namespace) => view.presence(kind, namespace, "\0") === "missing",
    nodeOf: (pod) => view.get("Node", undefined, textAt(pod, "spec", "nodeName") ?? "\0"),
    behind(service) {
      const selector = recordAt(service, "spec", "selector");
      return Object.keys(selector).length === 0
        ? []
        : view.podsMatching(service?.metadata.namespace, { matchLabels: selector });
    },
  };
  return view;
}

const clusterScoped = new Set(["Node", "PersistentVolume", "StorageClass", "Namespace"]);

function ownerKey(
  reference: { readonly kind: string; readonly name: string },
  child: KubernetesObject,
): string {
  const namespace = clusterScoped.has(reference.kind) ? undefined : child.metadata.namespace;
  return idFrom(reference.kind, namespace, reference.name);
}

function push<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

/** A value that is made when it is first needed. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** The slices with the endpoints of a Service. */
export function slicesOf(
  { metadata: { namespace, name } }: KubernetesObject,
  view: ClusterView,
): readonly KubernetesObject[] {
  return view
    .list("EndpointSlice")
    .filter(
      ({ metadata }) =>
        metadata.namespace === namespace &&
        metadata.labels?.["kubernetes.io/service-name"] === name,
    );
}

/** Remembers what is made of a view, as long as there is the view. */
export function oncePerView<Made extends object>(
  make: (view: ClusterView) => Made,
): (view: ClusterView) => Made {
  const made = new WeakMap<ClusterView, Made>();
  return (view) => {
    const known = made.get(view) ?? make(view);
    made.set(view, known);
    return known;
  };
}
