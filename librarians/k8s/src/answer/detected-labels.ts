import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { booleanAt, listAt, recordAt, textAt } from "../cluster/fields.js";
import type { KindName } from "../cluster/kinds.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { matchesSelector } from "../diagnosis/selector.js";

/** What an object is like, by ADR-041's `detected_labels`. A key that is absent is not known. */
export type DetectedLabels = Readonly<Record<string, boolean | string>>;

/** Marks that a tool leaves on what it manages: keys of labels and annotations. */
const toolMarks = {
  argocd: ["argocd.argoproj.io/instance", "argocd.argoproj.io/tracking-id"],
  flux: ["kustomize.toolkit.fluxcd.io/name", "helm.toolkit.fluxcd.io/name"],
} as const;
const helmMarks = ["meta.helm.sh/release-name", "helm.sh/chart", "helm.toolkit.fluxcd.io/name"];
/** Containers and marks of service meshes. */
const meshes = {
  istio: ["istio-proxy", "sidecar.istio.io/status", "sidecar.istio.io/inject", "istio-injection"],
  linkerd: ["linkerd-proxy", "linkerd.io/inject"],
} as const;
/** Kinds that have the labels below: workloads, their pods, and storage. */
const workloads = new Set(["Pod", "ReplicaSet", "Deployment", "StatefulSet", "DaemonSet", "Job"]);
const maxOwners = 5;

/**
 * What is seen of an object, of what it belongs to and of what bears on it: who manages it, what protects, scales and
 * isolates it, its priority, and whether its storage can grow. Undefined where nothing is known.
 */
export function detectLabels(
  object: KubernetesObject,
  view: ClusterView,
): DetectedLabels | undefined {
  const chain = withOwners(object, view);
  const marks = readMarks(chain);
  const tool = Object.entries(toolMarks).find(([, keys]) => keys.some((key) => marks.has(key)));
  const labels = {
    helmManaged:
      helmMarks.some((key) => marks.has(key)) ||
      /^helm$/i.test(marks.get("app.kubernetes.io/managed-by") ?? ""),
    gitOpsManaged: tool !== undefined,
    gitOpsTool: tool?.[0],
    helmRelease: firstMark(marks, helmMarks.slice(0, 1)),
    gitOpsApplication: firstMark(marks, tool?.[1] ?? [])?.split(":", 1)[0],
    storageExpandable: findExpandable(chain, view),
    ...(workloads.has(object.kind) && workloadLabels(chain, view)),
  };
  const known = Object.entries(labels).filter((one): one is [string, boolean | string] => {
    const [, value] = one;
    return value !== undefined && value !== "";
  });
  return workloads.has(object.kind) || known.some(([, value]) => value !== false)
    ? Object.fromEntries(known)
    : undefined;
}

/** The value of the first of these keys that is there. */
function firstMark(marks: ReadonlyMap<string, string>, keys: readonly string[]) {
  return keys.map((key) => marks.get(key)).find((value) => value !== undefined);
}

function workloadLabels(chain: readonly KubernetesObject[], view: ClusterView) {
  const { namespace } = chain[0]?.metadata ?? {};
  const template = chain.map(readTemplate).find((one) => one !== undefined);
  const podLabels = recordAt(template, "metadata", "labels");
  const selects = (selector: unknown) => matchesSelector(selector, podLabels);
  return {
    stateful: chain.some(({ kind }) => kind === "StatefulSet"),
    priorityClass: textAt(template, "spec", "priorityClassName"),
    serviceMesh: findMesh(chain, template, view),
    pdbProtected: known("PodDisruptionBudget", (one) => selects(recordAt(one, "spec", "selector"))),
    networkIsolated: known("NetworkPolicy", (one) => selects(recordAt(one, "spec", "podSelector"))),
    hpaEnabled: known("HorizontalPodAutoscaler", (one) =>
      chain.some(
        ({ kind, metadata: { name } }) =>
          kind === textAt(one, "spec", "scaleTargetRef", "kind") &&
          name === textAt(one, "spec", "scaleTargetRef", "name"),
      ),
    ),
  };

  /** False only where everything of the kind was read. */
  function known(kind: KindName, bears: (one: KubernetesObject) => boolean): boolean | undefined {
    const own = view.list(kind).filter((one) => one.metadata.namespace === namespace);
    if (template !== undefined && own.some(bears)) return true;
    return template !== undefined && view.isRead(kind) && !view.problems.has(kind)
      ? false
      : undefined;
  }
}

/** The object and what it belongs to, nearest first. */
function withOwners(object: KubernetesObject, view: ClusterView): readonly KubernetesObject[] {
  const chain = [object];
  for (let owner = view.owner(object); owner !== undefined && chain.length <= maxOwners; ) {
    chain.push(owner);
    owner = view.owner(owner);
  }
  return chain;
}

/** Labels and annotations of all of them; the nearest wins. */
function readMarks(chain: readonly KubernetesObject[]): ReadonlyMap<string, string> {
  return new Map(
    chain
      .toReversed()
      .flatMap(({ metadata: { labels = {}, annotations = {} } }) => [
        ...Object.entries(labels),
        ...Object.entries(annotations),
      ]),
  );
}

/** A pod, or what a workload makes its pods from. */
function readTemplate(object: KubernetesObject): unknown {
  if (object.kind === "Pod") return object;
  const template = recordAt(object, "spec", "template");
  return Object.keys(template).length === 0 ? undefined : template;
}

function findMesh(
  chain: readonly KubernetesObject[],
  template: unknown,
  view: ClusterView,
): string | undefined {
  const { namespace = "" } = chain[0]?.metadata ?? {};
  const place = view.get("Namespace", undefined, namespace);
  const seen = new Set([
    ...listAt(template, "spec", "containers").map((one) => textAt(one, "name") ?? ""),
    ...[recordAt(template, "metadata"), place?.metadata ?? {}].flatMap((one) =>
      [recordAt(one, "labels"), recordAt(one, "annotations")].flatMap((each) =>
        Object.entries(each)
          .filter(([, value]) => value !== "disabled" && value !== "false")
          .map(([key]) => key),
      ),
    ),
  ]);
  return Object.entries(meshes).find(([, marks]) => marks.some((mark) => seen.has(mark)))?.[0];
}

/** Whether the storage classes of its claims let them grow; undefined without a claim, or where a class was not read. */
function findExpandable(
  chain: readonly KubernetesObject[],
  view: ClusterView,
): boolean | undefined {
  const [object] = chain;
  const namespace = object?.metadata.namespace;
  const names = chain
    .flatMap((one) => listAt(readTemplate(one), "spec", "volumes"))
    .flatMap((one) => textAt(one, "persistentVolumeClaim", "claimName") ?? []);
  const claims = names.flatMap((name) => view.get("PersistentVolumeClaim", namespace, name) ?? []);
  const all = object?.kind === "PersistentVolumeClaim" ? [object] : claims;
  const classes = [...new Set(all.map((one) => textAt(one, "spec", "storageClassName") ?? ""))];
  const read = classes.map((name) => view.get("StorageClass", undefined, name));
  if (read.length === 0 || read.includes(undefined)) return undefined;
  return read.every((one) => booleanAt(one, "allowVolumeExpansion") === true);
}
