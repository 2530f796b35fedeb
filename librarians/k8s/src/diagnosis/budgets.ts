import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { textAt } from "../cluster/fields.js";
import type { ClusterView } from "./cluster-view.js";
import { findDependents } from "./dependents.js";
import type { Family } from "./family.js";
import { toObjectId } from "./object-id.js";

/** A family of nodes with the disruption budgets of the pods that run there: they decide over a drain. */
export function withBudgets(family: Family, view: ClusterView): Family {
  const nodes = new Set(
    family.all.flatMap(({ kind, metadata }) => (kind === "Node" ? [metadata.name] : [])),
  );
  const pods = view.list("Pod").filter((pod) => nodes.has(textAt(pod, "spec", "nodeName") ?? ""));
  // Where pods were not read, any budget may be of one that runs there.
  if (view.list("Pod").length === 0) return withAll(family, view.list("PodDisruptionBudget"));
  const reached = new Set(pods.flatMap((pod) => [...findDependents(pod, view)]));
  return withAll(
    family,
    view.list("PodDisruptionBudget").filter((one) => reached.has(toObjectId(one))),
  );
}

function withAll(family: Family, budgets: readonly KubernetesObject[]): Family {
  return {
    own: new Set([...family.own, ...budgets.map(toObjectId)]),
    all: [...new Set([...family.all, ...budgets])],
  };
}
