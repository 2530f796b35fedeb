import type { KubernetesObject } from "../cluster/cluster-reader.js";
import type { ClusterView } from "./cluster-view.js";

/** What an object belongs to, all the way up. */
export function findTopOwner(object: KubernetesObject, view: ClusterView): KubernetesObject {
  let top = object;
  for (let depth = 0; depth < 5; depth++) {
    const owner = view.owner(top);
    if (owner === undefined) return top;
    top = owner;
  }
  return top;
}
