import { kindOf } from "../cluster/kinds.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { isTrace } from "../diagnosis/detectors/trace.js";
import type { Investigation } from "../investigate.js";

/** Kinds whose health is in their status. */
const withStatus: ReadonlySet<string> = new Set([
  "Pod",
  "Deployment",
  "ReplicaSet",
  "StatefulSet",
  "DaemonSet",
  "Job",
  "Node",
  "PersistentVolumeClaim",
  "PersistentVolume",
  "HorizontalPodAutoscaler",
  "Certificate",
]);

/**
 * Why "nothing is wrong" cannot be said although nothing was found: what would show it was not read.
 * Undefined when it can be said.
 */
export function unsureOf({ target, objects, view, kindsAsked }: Investigation): string | undefined {
  if (target.kind === "objects") {
    if (objects.every(isTrace)) return "only its events or logs were read, not the object itself";
    const judged = objects.filter(({ kind }) => withStatus.has(kind));
    if (judged.length > 0 && judged.every(({ status }) => status === undefined)) {
      return "its status was not read";
    }
    const isService = objects.every(({ kind }) => kind === "Service");
    return isService && unread(["Endpoints", "EndpointSlice", "Pod"], view)
      ? "its endpoints and pods were not read"
      : undefined;
  }
  const isNone = kindsAsked.length > 0 && kindsAsked.every((kind) => view.list(kind).length === 0);
  if (isNone && !unread(kindsAsked, view)) {
    return `there are no ${kindsAsked.map((kind) => kindOf(kind).plural).join(", ")} in what was read`;
  }
  const needed = kindsAsked.length > 0 ? kindsAsked : (["Pod"] as const);
  return unread(needed, view)
    ? `${needed.map((kind) => kindOf(kind).plural).join(" and ")} were not read`
    : undefined;
}

/** True when of none of these kinds anything was read. A kind that the cluster has not got counts as read. */
function unread(kinds: readonly Parameters<ClusterView["list"]>[0][], view: ClusterView): boolean {
  return kinds.every((kind) => {
    const problem = view.problems.get(kind);
    return (
      problem !== undefined &&
      problem.code !== "notFound" &&
      view.list(kind).every((object) => isTrace(object))
    );
  });
}
