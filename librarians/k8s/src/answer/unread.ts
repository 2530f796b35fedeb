import { getKind, type KindName } from "../cluster/kinds.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { isTrace } from "../diagnosis/detectors/trace.js";

/** `pods and services` */
export function plurals(kinds: readonly KindName[]): string {
  return kinds.map((kind) => getKind(kind).plural).join(" and ");
}

/** True when no objects of these kinds were read. A kind that the cluster does not have counts as read. */
export function unread(kinds: readonly KindName[], view: ClusterView): boolean {
  return kinds.every((kind) => {
    const problem = view.problems.get(kind);
    return (
      (problem !== undefined ? problem.code !== "notFound" : !view.isRead(kind)) &&
      view.list(kind).every((object) => isTrace(object))
    );
  });
}
