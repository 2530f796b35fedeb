import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, numberAt, textAt, timeAt } from "../cluster/fields.js";
import type { ClusterView } from "./cluster-view.js";
import { findCondition } from "./conditions.js";
import { findControllerReference } from "./owners.js";
import { isReady } from "./ready.js";
import { overSince } from "./recurrence.js";
import { findTopOwner } from "./top-of.js";

/**
 * Why what is found on an object is over, whatever its state or its events say: a pod ended, is gone or is going and
 * others do its work, or a later run of a Job completed. Undefined where that is not shown by what was read.
 */
export function supersededBy(object: KubernetesObject, view: ClusterView): string | undefined {
  if (object.kind === "Job")
    return hasSucceededSince(object, view)
      ? "a later run of its CronJob has completed"
      : describeLongOver(findCondition(object, "Failed", "True")?.at, view);
  if (object.kind !== "Pod") return undefined;
  const owner = view.owner(object);
  if (owner?.kind === "Job")
    return isComplete(owner)
      ? `Job ${owner.metadata.name} has completed since`
      : supersededBy(owner, view);
  if (!isLeaving(object, owner)) return undefined;
  const top = findTopOwner(object, view);
  if (top === object) return undefined;
  if (wasPutOut(object) && isManned(top, view))
    return `as many pods as ${top.kind} ${top.metadata.name} wants have been made since`;
  return isWhole(top, view)
    ? `other pods have replaced it, and all that ${top.kind} ${top.metadata.name} wants are ready`
    : undefined;
}

/** That something failed for good, and long ago: nothing has tried it again since. */
function describeLongOver(at: number | undefined, { now }: ClusterView): string | undefined {
  return overSince(true, at === undefined ? undefined : now - at)?.why;
}

/** True for a pod that ended by no fault of its own program: its node or a scheduler put it out. */
function wasPutOut(pod: KubernetesObject): boolean {
  const reason = textAt(pod, "status", "reason") ?? "";
  return (
    textAt(pod, "status", "phase") === "Failed" &&
    /^(?:Evicted|Preempting|NodeShutdown|Terminated)$/.test(reason)
  );
}

/** True where a workload has as many pods as it wants on nodes: how those are is what counts. */
function isManned(top: KubernetesObject, view: ClusterView): boolean {
  const { wanted = 0 } = readPodCounts(top);
  const live = podsUnder(top, view).filter(
    (pod) => !isLeaving(pod, view.owner(pod)) && textAt(pod, "status", "phase") === "Running",
  );
  return wanted > 0 && live.length >= wanted;
}

/** Pods below a workload, directly or through its ReplicaSets. */
export function podsUnder(
  object: KubernetesObject,
  view: ClusterView,
): readonly KubernetesObject[] {
  return view
    .owned(object)
    .flatMap((child) => (child.kind === "Pod" ? [child] : view.owned(child)))
    .filter(({ kind }) => kind === "Pod");
}

/** True for a pod that has ended, is gone, is being deleted, or is of a revision that wants none any more. */
export function isLeaving(pod: KubernetesObject, owner: KubernetesObject | undefined): boolean {
  return (
    pod.isTrace === true ||
    textAt(pod, "status", "phase") === "Failed" ||
    textAt(pod, "metadata", "deletionTimestamp") !== undefined ||
    (owner?.kind === "ReplicaSet" && numberAt(owner, "spec", "replicas") === 0)
  );
}

/** How many pods a workload wants and has, as it says itself. */
export function readPodCounts(object: KubernetesObject): {
  readonly wanted: number | undefined;
  readonly ready: number;
  readonly unavailable: number;
} {
  const isDaemon = object.kind === "DaemonSet";
  return {
    wanted: isDaemon
      ? numberAt(object, "status", "desiredNumberScheduled")
      : numberAt(object, "spec", "replicas"),
    ready: numberAt(object, "status", isDaemon ? "numberReady" : "readyReplicas") ?? 0,
    unavailable:
      numberAt(object, "status", isDaemon ? "numberUnavailable" : "unavailableReplicas") ?? 0,
  };
}

/** True where a workload says that it has all the pods it wants, and those pods were read and are ready. */
function isWhole(top: KubernetesObject, view: ClusterView): boolean {
  const { wanted = 0, ready, unavailable } = readPodCounts(top);
  const generation = numberAt(top, "metadata", "generation") ?? 0;
  const observed = numberAt(top, "status", "observedGeneration") ?? generation;
  if (wanted === 0 || ready < wanted || unavailable > 0 || observed < generation) return false;
  // Of pods that were not read, the one in question may be one that is wanted.
  const works = podsUnder(top, view).filter(
    (pod) => isReady(pod) && !isLeaving(pod, view.owner(pod)),
  );
  return works.length >= wanted;
}

function isComplete(job: KubernetesObject): boolean {
  return listAt(job, "status", "conditions").some(
    (one) => textAt(one, "type") === "Complete" && textAt(one, "status") === "True",
  );
}

/** True for a run of a CronJob after which another one completed; the CronJob itself need not have been read. */
function hasSucceededSince(object: KubernetesObject, view: ClusterView): boolean {
  const reference = findControllerReference(object);
  const { namespace } = object.metadata;
  const owner = view.owner(object);
  const name = owner?.kind === "CronJob" ? owner.metadata.name : reference?.name;
  if (name === undefined || (owner?.kind ?? reference?.kind) !== "CronJob") return false;
  const began = timeAt(object, "metadata", "creationTimestamp") ?? 0;
  const succeeded = timeAt(owner, "status", "lastSuccessfulTime");
  if (succeeded !== undefined && succeeded > began) return true;
  const isSibling = (other: KubernetesObject) =>
    other.metadata.namespace === namespace &&
    (view.owner(other)?.metadata.name ?? findControllerReference(other)?.name) === name;
  return view
    .list("Job")
    .some(
      (other) =>
        (timeAt(other, "metadata", "creationTimestamp") ?? 0) > began &&
        isComplete(other) &&
        isSibling(other),
    );
}
