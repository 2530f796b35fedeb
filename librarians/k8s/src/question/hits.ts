import { editDistance } from "@constellation/nlu";
import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, textAt } from "../cluster/fields.js";
import { kindIs } from "../cluster/kind-traits.js";
import type { KindName } from "../cluster/kinds.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { findPodSpec } from "../diagnosis/pod-spec.js";
import { listPrograms } from "./images.js";
import type { Question } from "./question.js";

/** Kinds that people name. Others are found through these. */
export const named: readonly KindName[] = [
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
  "PriorityClass",
  "ResourceQuota",
  "Certificate",
  "MutatingWebhookConfiguration",
  "ValidatingWebhookConfiguration",
  "RoleBinding",
  "ClusterRoleBinding",
  "Role",
  "ClusterRole",
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

/** Objects that fit a name, and how well: 5 exactly, 1 misspelt. */
export interface Hits {
  readonly level: number;
  readonly objects: readonly KubernetesObject[];
}

/** The objects that fit a name best: exactly, by label, by its beginning, by a part, or misspelt. */
export function findHits(
  name: string,
  question: Question,
  mentioned: readonly KindName[],
  view: ClusterView,
): Hits {
  const wanted = name.toLowerCase();
  const kinds = mentioned.length > 0 ? [mentioned, named] : [named];
  const isPlural = question.kinds.some((one) => one.isPlural);
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
      const level = rankMatch(wanted, object);
      if (level > 0) levels.set(level, [...(levels.get(level) ?? []), object]);
    }
    const best = [...levels.keys()].sort((a, b) => b - a)[0];
    // "The web pods" are those of workload web.
    const isPart = group === mentioned && mentioned.includes("Pod") && (best ?? 0) < 5;
    const whole = isPart ? exactly(wanted, workloads, view) : [];
    if (whole.length > 0) return { level: 5, objects: whole };
    // "Does a network policy keep web from api?" names web itself, not a policy with web in its name.
    const isBeside = question.demanded?.toLowerCase() === wanted;
    const exact =
      group === mentioned && !isPlural && !isBeside && (best ?? 0) < 4
        ? exactly(wanted, workloads, view)
        : [];
    if (exact.length > 0) return { level: 5, objects: exact };
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

/** With a passive thing the workload of its name: "the web pods hang since they got their own service account". */
export function withUsers(
  found: readonly KubernetesObject[],
  view: ClusterView,
): readonly KubernetesObject[] {
  const users = found
    .filter(({ kind }) => kindIs(kind, "namedLikeWorkload"))
    .flatMap(({ metadata: { name, namespace } }) =>
      exactly(name.toLowerCase(), workloads, view).filter(
        (one) => one.metadata.namespace === namespace,
      ),
    );
  return users.length === 0 ? found : [...new Set([...users, ...found])];
}

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

function listContainerNames(object: KubernetesObject): readonly string[] {
  const spec = findPodSpec(object);
  return [...listAt(spec, "initContainers"), ...listAt(spec, "containers")].flatMap(
    (one) => textAt(one, "name") ?? [],
  );
}

function rankMatch(wanted: string, object: KubernetesObject): number {
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
  if (wanted.length >= 3 && listPrograms(object).includes(wanted)) return 2;
  if (wanted.includes("-") && listContainerNames(object).includes(wanted)) return 2;
  // "Are the quotes fine?" is about quote-engine.
  if (wanted.length >= 5 && wanted.endsWith("s") && name.startsWith(`${wanted.slice(0, -1)}-`))
    return 2;
  const maxDistance = wanted.length >= 8 ? 2 : wanted.length >= 5 ? 1 : 0;
  return maxDistance > 0 && editDistance(wanted, name, maxDistance) <= maxDistance ? 1 : 0;
}
