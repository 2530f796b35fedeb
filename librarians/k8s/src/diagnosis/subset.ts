import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { recordAt } from "../cluster/fields.js";
import type { ClusterView } from "./cluster-view.js";
import { toObjectId } from "./object-id.js";
import { type Labels, matchesLabels, printLabels } from "./selector.js";

/** A subset of a Service's pods, as a rule of a mesh defines it. */
export interface Subset {
  readonly labels: Labels;
  /** `app=web,version=v2` */
  readonly printed: string;
  /** Ids of the workloads whose pods belong to it. */
  readonly workloads: readonly string[];
}

/** A subset to which no pod belongs. Undefined where one does. The pods of the namespace were read. */
export function emptySubset(
  subset: unknown,
  service: KubernetesObject,
  view: ClusterView,
): Subset | undefined {
  const { namespace } = service.metadata;
  const labels = { ...recordAt(service, "spec", "selector"), ...recordAt(subset, "labels") };
  if (view.podsMatching(namespace, { matchLabels: labels }).length > 0) return undefined;
  const workloads = (["Deployment", "StatefulSet", "DaemonSet"] as const)
    .flatMap((kind) => view.list(kind))
    .filter(
      (one) =>
        one.metadata.namespace === namespace &&
        matchesLabels(labels, recordAt(one, "spec", "template", "metadata", "labels")),
    )
    .map(toObjectId);
  return { labels, printed: printLabels(labels), workloads };
}
