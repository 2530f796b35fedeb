import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { textAt } from "../cluster/fields.js";
import type { ClusterView } from "./cluster-view.js";
import { findControllerReference } from "./owners.js";

/**
 * What belongs to the same workload by name, where the workload itself was not recorded: its other
 * ReplicaSets with their pods, and what scales it.
 */
export function findSameStem(
  targets: readonly KubernetesObject[],
  view: ClusterView,
): readonly KubernetesObject[] {
  return targets.flatMap((target) => {
    const { namespace } = target.metadata;
    const stem = findUnrecordedOwner(target, view);
    if (stem === undefined) return [];
    const isOurs = (one: KubernetesObject) =>
      one.metadata.namespace === namespace && findUnrecordedOwner(one, view) === stem;
    return [
      ...view.list("ReplicaSet").filter(isOurs),
      ...view
        .list("HorizontalPodAutoscaler")
        .filter(
          (one) =>
            one.metadata.namespace === namespace &&
            textAt(one, "spec", "scaleTargetRef", "name") === stem,
        ),
    ];
  });
}

/** The name of the Deployment that a pod or a ReplicaSet belongs to, where that was not recorded. */
function findUnrecordedOwner(object: KubernetesObject, view: ClusterView): string | undefined {
  const set = object.kind === "Pod" ? (view.owner(object) ?? object) : object;
  const name =
    set.kind === "ReplicaSet"
      ? set.metadata.name
      : findControllerReference(set)?.kind === "ReplicaSet"
        ? findControllerReference(set)?.name
        : undefined;
  const isSet = set.kind === "ReplicaSet" || set.kind === "Pod";
  if (!isSet || name === undefined || view.owner(set) !== undefined) return undefined;
  const stem = name.split("-").slice(0, -1).join("-");
  return stem === "" ? undefined : stem;
}
