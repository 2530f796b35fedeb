import { getKind, isKindName, type KindName } from "../cluster/kinds.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { isTrace } from "../diagnosis/detectors/trace.js";

/** `pods and services` */
export function plurals(kinds: readonly KindName[]): string {
  return kinds.map((kind) => getKind(kind).plural).join(" and ");
}

/** `1 pod`, `3 pods`, `2 pods and services`; kinds of an extension by their own name. */
export function countKinds(count: number, kinds: readonly string[]): string {
  const names = kinds.map((kind) => {
    if (!isKindName(kind)) return kind;
    return count === 1 ? kind.toLowerCase() : getKind(kind).plural;
  });
  return `${count} ${names.join(" and ")}`;
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
