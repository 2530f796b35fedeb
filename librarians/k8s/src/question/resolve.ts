import type { KubernetesObject } from "../cluster/cluster-reader.js";
import type { KindName } from "../cluster/kinds.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { idOf } from "../diagnosis/object-id.js";
import { distance } from "./distance.js";
import { hostsOf } from "./hosts.js";
import type { Question } from "./question.js";

/** What a question is about. */
export type Target =
  | {
      readonly kind: "objects";
      readonly objects: readonly KubernetesObject[];
      readonly guessed: boolean;
    }
  /** Nothing by name: everything of these kinds, or everything. */
  | { readonly kind: "all"; readonly kinds: readonly KindName[] }
  | {
      readonly kind: "ambiguous";
      readonly name: string;
      readonly candidates: readonly KubernetesObject[];
    }
  | { readonly kind: "unknown"; readonly name: string; readonly near: readonly string[] };

/** Kinds that people name. Others are found through these. */
const named: readonly KindName[] = [
  "Deployment",
  "StatefulSet",
  "DaemonSet",
  "CronJob",
  "Job",
  "Pod",
  "Service",
  "Ingress",
  "HorizontalPodAutoscaler",
  "PodDisruptionBudget",
  "PersistentVolumeClaim",
  "PersistentVolume",
  "Node",
  "NetworkPolicy",
  "ReplicaSet",
  "ReplicationController",
  "ServiceAccount",
  "ConfigMap",
  "StorageClass",
  "ResourceQuota",
  "Certificate",
  "MutatingWebhookConfiguration",
  "ValidatingWebhookConfiguration",
  "RoleBinding",
  "ClusterRoleBinding",
  "Subscription",
  "ClusterServiceVersion",
  "Gateway",
  "HTTPRoute",
  "Issuer",
  "ClusterIssuer",
];

/** Finds what a question names among what was read. */
export function resolveTarget(question: Question, view: ClusterView): Target {
  const mentioned = [...new Set(question.kinds.flatMap(({ kinds }) => kinds))];
  const isPlural = question.kinds.some((one) => one.isPlural);
  if (question.labels.length > 0) {
    const objects = named
      .flatMap((kind) => view.list(kind))
      .filter(({ metadata }) =>
        question.labels.every(([key, value]) => metadata.labels?.[key] === value),
      );
    const [label] = question.labels;
    return objects.length === 0
      ? { kind: "unknown", name: label?.join("=") ?? "", near: [] }
      : { kind: "objects", objects: heads(objects, view), guessed: false };
  }
  const found: KubernetesObject[] = [];
  let guessed = false;
  for (const name of question.names) {
    const hosts = name.includes(".") ? hostsOf(name, view) : [];
    const hits: Hits =
      hosts.length > 0 ? { level: 5, objects: hosts } : hitsOf(name, question, mentioned, view);
    if (hits.objects.length === 0) continue;
    const families = familiesOf(hits.objects, view, mentioned);
    const isNew = !families.some((family) =>
      found.some((one) => one.metadata.name === family[0]?.metadata.name),
    );
    if (families.length > 1 && !isPlural) {
      if (found.length > 0) continue;
      return {
        kind: "ambiguous",
        name,
        candidates: families.flatMap((family) => family.slice(0, 1)),
      };
    }
    if (!isNew || (found.length > 0 && hits.level < 4)) continue;
    // A name that stands beside its kind is meant as it is written.
    if (hits.level < 2 && question.demanded === name) return unknownName(name, view);
    found.push(...families.flat());
    guessed ||= hits.level < 2;
    if (question.demanded === name) break;
  }
  if (found.length > 0) return { kind: "objects", objects: found, guessed };
  const missing =
    question.demanded ??
    question.resource?.name ??
    question.names.find((name) => name === question.subject) ??
    question.names.find(
      (name) =>
        /^[^\d]/.test(name) &&
        /[a-z]/i.test(name) &&
        /[-\d]/.test(name) &&
        question.query.includes(name),
    );
  if (missing !== undefined) return unknownName(missing, view);
  return { kind: "all", kinds: mentioned };
}

function unknownName(name: string, view: ClusterView): Target {
  return { kind: "unknown", name, near: nearOf(name, view) };
}

interface Hits {
  readonly level: number;
  readonly objects: readonly KubernetesObject[];
}

/** The objects that fit a name best: exactly, by label, by its beginning, by a part, or misspelt. */
function hitsOf(
  name: string,
  question: Question,
  mentioned: readonly KindName[],
  view: ClusterView,
): Hits {
  const wanted = name.toLowerCase();
  const kinds = mentioned.length > 0 ? [mentioned, named] : [named];
  for (const group of kinds) {
    const objects = group
      .flatMap((kind) => view.list(kind))
      .filter(
        ({ metadata }) =>
          question.resource?.namespace === undefined ||
          metadata.namespace === question.resource.namespace,
      );
    const levels = new Map<number, KubernetesObject[]>();
    for (const object of objects) {
      const level = levelOf(wanted, object);
      if (level > 0) levels.set(level, [...(levels.get(level) ?? []), object]);
    }
    const best = [...levels.keys()].sort((a, b) => b - a)[0];
    // A kind in the question is a hint: "the checkout service" may be a deployment.
    if (best !== undefined && (best >= 2 || group === kinds.at(-1)))
      return { level: best, objects: levels.get(best) ?? [] };
  }
  return { level: 0, objects: [] };
}

function levelOf(wanted: string, { metadata }: KubernetesObject): number {
  const name = metadata.name.toLowerCase();
  if (name === wanted) return 5;
  if (wanted.length < 2) return 0;
  const labels = metadata.labels ?? {};
  if (
    [
      labels.app,
      labels["app.kubernetes.io/name"],
      labels["k8s-app"],
      labels["app.kubernetes.io/instance"],
    ].some((value) => typeof value === "string" && value.toLowerCase() === wanted)
  )
    return 4;
  if (name.startsWith(`${wanted}-`) || name.startsWith(`${wanted}.`)) return 3;
  if (`-${name}-`.includes(`-${wanted}-`) || (wanted.length >= 4 && name.startsWith(wanted)))
    return 2;
  const most = wanted.length >= 8 ? 2 : wanted.length >= 5 ? 1 : 0;
  return most > 0 && distance(wanted, name, most) <= most ? 1 : 0;
}

/** Objects that are one thing for a person: same name, or held together by their owners. */
function familiesOf(
  objects: readonly KubernetesObject[],
  view: ClusterView,
  mentioned: readonly KindName[],
): readonly (readonly KubernetesObject[])[] {
  const families = new Map<string, KubernetesObject[]>();
  for (const object of heads(objects, view)) {
    // Pods of one workload are one thing.
    const name = topOf(object, view).metadata.name;
    const key = `${object.metadata.namespace ?? ""}/${name}`;
    families.set(key, [...(families.get(key) ?? []), object]);
  }
  // A Service "api-svc" beside a Deployment "api" is the same thing when the name fits both by label.
  const all = [...families.values()];
  const workloads = all.filter((family) =>
    family.some(({ kind }) =>
      /^(Deployment|StatefulSet|DaemonSet|CronJob|Job|Pod|ReplicaSet)$/.test(kind),
    ),
  );
  if (mentioned.length === 0 && workloads.length === 1 && all.length > 1) {
    const namespace = workloads[0]?.[0]?.metadata.namespace;
    return all.some(
      (family) =>
        family[0]?.metadata.namespace !== namespace && family[0]?.metadata.namespace !== undefined,
    )
      ? all
      : [all.flat()];
  }
  return all;
}

/** What an object belongs to, all the way up. */
function topOf(object: KubernetesObject, view: ClusterView): KubernetesObject {
  let top = object;
  for (let depth = 0; depth < 5; depth++) {
    const owner = view.owner(top);
    if (owner === undefined) return top;
    top = owner;
  }
  return top;
}

/** Without those whose owner is there too. */
function heads(
  objects: readonly KubernetesObject[],
  view: ClusterView,
): readonly KubernetesObject[] {
  const ids = new Set(objects.map(idOf));
  return objects.filter((object) => {
    for (
      let owner = view.owner(object), depth = 0;
      owner !== undefined && depth < 5;
      owner = view.owner(owner), depth++
    ) {
      if (ids.has(idOf(owner))) return false;
    }
    return true;
  });
}

function nearOf(name: string, view: ClusterView): readonly string[] {
  const wanted = name.toLowerCase();
  const all = named.slice(0, 12).flatMap((kind) => view.list(kind));
  const scored = all.flatMap((object) => {
    const other = object.metadata.name.toLowerCase();
    const away = distance(wanted, other, 3);
    const part = wanted.split("-").some((piece) => piece.length > 3 && other.includes(piece));
    return away <= 3 ? [{ object, away }] : part ? [{ object, away: 4 }] : [];
  });
  return scored
    .sort((a, b) => a.away - b.away)
    .slice(0, 5)
    .map(({ object }) => idOf(object));
}
