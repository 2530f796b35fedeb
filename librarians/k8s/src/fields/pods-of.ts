import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { recordAt, textAt } from "../cluster/fields.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";

/** The pods of an object, or the object where it is one. */
export function findPods(object: KubernetesObject, view: ClusterView): readonly KubernetesObject[] {
  if (object.kind === "Pod") return [object];
  if (object.kind === "Service") {
    const selector = recordAt(object, "spec", "selector");
    return Object.keys(selector).length === 0
      ? []
      : view.podsMatching(object.metadata.namespace, { matchLabels: selector });
  }
  return view
    .owned(object)
    .flatMap((child) => (child.kind === "Pod" ? [child] : view.owned(child)))
    .filter(({ kind }) => kind === "Pod");
}

/** Pods of a workload or a Service, on a node, or in a namespace. */
export function podsBelow(
  object: KubernetesObject,
  view: ClusterView,
): readonly KubernetesObject[] {
  const { name } = object.metadata;
  if (object.kind === "Node")
    return view.list("Pod").filter((pod) => textAt(pod, "spec", "nodeName") === name);
  return object.kind === "Namespace"
    ? view.list("Pod").filter(({ metadata }) => metadata.namespace === name)
    : findPods(object, view);
}
