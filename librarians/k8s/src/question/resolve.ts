import type { KubernetesObject } from "../cluster/cluster-reader.js";
import type { KindName } from "../cluster/kinds.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { ofCustomKind } from "./custom-kinds.js";
import { distance } from "./distance.js";
import { familiesOf, heads } from "./families.js";
import { hostsOf } from "./hosts.js";
import { nearOf } from "./near.js";
import { programsOf } from "./programs.js";
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
  "ScaledObject",
  "Application",
  "HelmRelease",
  "Kustomization",
  "VirtualService",
  "InstallPlan",
  "CatalogSource",
  "CertificateRequest",
  "Order",
  "Challenge",
  "APIService",
  "CustomResource",
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
    if (objects.length > 0)
      return { kind: "objects", objects: heads(objects, view), guessed: false };
    // Beside a name, such a word may be anything.
    if (
      question.demanded === undefined &&
      question.resource === undefined &&
      question.names.length === 0
    )
      return { kind: "unknown", name: label?.join("=") ?? "", near: [] };
  }
  const found: KubernetesObject[] = [];
  let guessed = false;
  for (const name of question.names) {
    const hosts = name.includes(".") ? hostsOf(name, view) : [];
    const hits: Hits =
      hosts.length > 0 ? { level: 5, objects: hosts } : hitsOf(name, question, mentioned, view);
    if (hits.objects.length === 0) continue;
    const families = familiesOf(hits.objects, view, mentioned);
    // A host leads to an Ingress, which may have the name of what is behind it.
    const isNew =
      hosts.length > 0
        ? hosts.some((host) => !found.includes(host))
        : !families.some((family) =>
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
    // A name that is beside its kind is meant as it is written.
    if (hits.level < 2 && question.demanded === name) return unknownName(name, view);
    found.push(...families.flat());
    guessed ||= hits.level < 2;
    // A node may only be the place of what the question is about.
    if (question.demanded === name && families.flat().some(({ kind }) => kind !== "Node")) break;
  }
  if (found.length > 0) return { kind: "objects", objects: found, guessed };
  const custom = ofCustomKind(question, view);
  if (custom.length > 0) return { kind: "objects", objects: custom, guessed: false };
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

/**
 * True when something that a question names was not found, and what was found may only be its place: "the
 * crash loop of tiler on the arm node".
 */
export function isPlaceOnly(target: Target, { names }: Question, view: ClusterView): boolean {
  if (target.kind === "all") return target.kinds.length > 0 && names.length > 0;
  if (target.kind !== "objects" || target.objects.some(({ kind }) => kind !== "Node")) return false;
  const places = view.list("Node").map(({ metadata }) => metadata.name.toLowerCase());
  return names.some((name) => !places.some((place) => place.includes(name.toLowerCase())));
}

function unknownName(name: string, view: ClusterView): Target {
  return {
    kind: "unknown",
    name,
    near: nearOf(
      name,
      named.slice(0, 12).flatMap((kind) => view.list(kind)),
    ),
  };
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
    // "The web pods" are those of workload web.
    const isPart = group === mentioned && mentioned.includes("Pod") && (best ?? 0) < 5;
    const whole = isPart ? exactly(wanted, workloads, view) : [];
    if (whole.length > 0) return { level: 5, objects: whole };
    // A kind in the question is a hint: "the checkout service" may be a deployment.
    if (best !== undefined && (best >= 2 || group === kinds.at(-1)))
      return { level: best, objects: levels.get(best) ?? [] };
  }
  return { level: 0, objects: [] };
}

const workloads: readonly KindName[] = [
  "Deployment",
  "StatefulSet",
  "DaemonSet",
  "CronJob",
  "Job",
  "ReplicationController",
];

/** Objects of these kinds that have exactly this name. */
function exactly(
  wanted: string,
  kinds: readonly KindName[],
  view: ClusterView,
): readonly KubernetesObject[] {
  return kinds
    .flatMap((kind) => view.list(kind))
    .filter(({ metadata }) => metadata.name.toLowerCase() === wanted);
}

function levelOf(wanted: string, object: KubernetesObject): number {
  const { metadata } = object;
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
  if (wanted.length >= 3 && programsOf(object).includes(wanted)) return 2;
  const most = wanted.length >= 8 ? 2 : wanted.length >= 5 ? 1 : 0;
  return most > 0 && distance(wanted, name, most) <= most ? 1 : 0;
}
