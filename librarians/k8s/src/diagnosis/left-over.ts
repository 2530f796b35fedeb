import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { numberAt } from "../cluster/fields.js";
import type { ClusterView } from "./cluster-view.js";
import { topOf } from "./top-of.js";

/**
 * True for a pod that ended, or is gone, and that others have replaced since: the workload it belongs to has all the
 * ready pods that it wants.
 */
export function isLeftOver(pod: KubernetesObject, view: ClusterView): boolean {
  const top = topOf(pod, view);
  if (top === pod) return false;
  const isDaemon = top.kind === "DaemonSet";
  const wanted = isDaemon
    ? numberAt(top, "status", "desiredNumberScheduled")
    : numberAt(top, "spec", "replicas");
  const ready = numberAt(top, "status", isDaemon ? "numberReady" : "readyReplicas");
  const unavailable = numberAt(
    top,
    "status",
    isDaemon ? "numberUnavailable" : "unavailableReplicas",
  );
  return (
    wanted !== undefined &&
    wanted > 0 &&
    ready !== undefined &&
    ready >= wanted &&
    (unavailable ?? 0) === 0
  );
}
