import type { KubernetesObject } from "../cluster/cluster-reader.js";
import type { KindName } from "../cluster/kinds.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { toObjectId } from "../diagnosis/object-id.js";
import { findControllerReference } from "../diagnosis/owners.js";
import { findTopOwner } from "../diagnosis/top-of.js";

/** Objects that are one thing for a person: same name, or held together by their owners. */
export function groupFamilies(
  objects: readonly KubernetesObject[],
  view: ClusterView,
  mentioned: readonly KindName[],
): readonly (readonly KubernetesObject[])[] {
  const families = new Map<string, KubernetesObject[]>();
  for (const object of heads(objects, view)) {
    // Pods of one workload are one thing.
    const key = `${object.metadata.namespace ?? ""}/${createFamilyKey(findTopOwner(object, view))}`;
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

/** Without those whose owner is there too. */
export function heads(
  objects: readonly KubernetesObject[],
  view: ClusterView,
): readonly KubernetesObject[] {
  const ids = new Set(objects.map(toObjectId));
  return objects.filter((object) => {
    for (
      let owner = view.owner(object), depth = 0;
      owner !== undefined && depth < 5;
      owner = view.owner(owner), depth++
    ) {
      if (ids.has(toObjectId(owner))) return false;
    }
    return true;
  });
}

/** The name of what an object belongs to. Where that was not recorded: what its reference or its labels say. */
function createFamilyKey(top: KubernetesObject): string {
  const { name, labels = {} } = top.metadata;
  const reference = findControllerReference(top);
  if (reference !== undefined)
    return reference.kind === "ReplicaSet"
      ? reference.name.split("-").slice(0, -1).join("-")
      : reference.name;
  if (top.kind !== "Pod") return name;
  return labels["app.kubernetes.io/name"] ?? labels.app ?? labels["k8s-app"] ?? name;
}
