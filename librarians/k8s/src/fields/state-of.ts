import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { booleanAt, listAt, numberAt, recordAt, textAt, timeAt } from "../cluster/fields.js";
import { printDuration, printMoment } from "../diagnosis/age.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { readContainers } from "../diagnosis/container-state.js";
import { isLeaderLock } from "../diagnosis/detectors/service.js";
import { findPods } from "./pods-of.js";
import { fieldData } from "./table.js";
import { fillTemplate } from "./template.js";

/** What is said of an object whose status shows nothing. */
export const noFailure = "shows no failure";

/** What the status of an object shows, in one line; that it is being deleted, where it is. */
export function describeState(object: KubernetesObject, view: ClusterView): string {
  const deleted = timeAt(object, "metadata", "deletionTimestamp");
  const state = describeStatus(object, view);
  if (deleted === undefined) return state;
  const grace = numberAt(object, "metadata", "deletionGracePeriodSeconds");
  return deleted > view.now
    ? `${state}; it is being deleted, and its grace period${grace === undefined ? "" : ` (${grace} s)`} ends at ${printMoment(deleted, view.now)} UTC`
    : `${state}; its deletion was asked for, ${printMoment(deleted, view.now)} UTC`;
}

function describeStatus(object: KubernetesObject, view: ClusterView): string {
  return (
    computed[object.kind]?.(object, view) ??
    fillTemplate(fieldData.status[object.kind] ?? [], { value: object }, view.now) ??
    fillTemplate(["phase {status.phase}"], { value: object }, view.now) ??
    noFailure
  );
}

/** The status of a kind that is more than some of its fields. */
const computed: Readonly<
  Record<string, (object: KubernetesObject, view: ClusterView) => string | undefined>
> = {
  Deployment: describeWorkload,
  StatefulSet: describeWorkload,
  ReplicaSet: describeWorkload,
  Job: describeJob,
  Pod: (object) => {
    const containers = readContainers(object).filter(({ isInit }) => !isInit);
    const ready = containers.filter((one) => one.ready === true).length;
    return `phase ${textAt(object, "status", "phase") ?? "not given"}${containers.length === 0 ? "" : `, ${ready} of ${containers.length} containers ready, ${containers.reduce((sum, { restarts }) => sum + restarts, 0)} restarts`}`;
  },
  HorizontalPodAutoscaler: (object) => {
    const minReplicas = numberAt(object, "spec", "minReplicas") ?? 1;
    const current = numberAt(object, "status", "currentReplicas");
    return `${current ?? "?"} replicas, of ${minReplicas} (minReplicas) to ${numberAt(object, "spec", "maxReplicas") ?? "?"} (maxReplicas)${current === minReplicas ? "; it is at its minimum, as configured" : ""}${stabilized(object)}`;
  },
  Service: (object, view) =>
    isLeaderLock(object, view)
      ? "its endpoints object is a lock for leader election, which no client connects to"
      : "its endpoints show no failure",
  Node: (object) =>
    listAt(object, "status", "conditions")
      .map((one) => `${textAt(one, "type") ?? "?"}=${textAt(one, "status") ?? "?"}`)
      .join(", ") || "no conditions",
  ResourceQuota: (object) => {
    const used = recordAt(object, "status", "used");
    return Object.entries(recordAt(object, "status", "hard"))
      .map(([key, hard]) => `${key} ${String(used[key] ?? "?")} of ${String(hard)} used`)
      .join(", ");
  },
  PersistentVolumeClaim: (object, view) => {
    const name = textAt(object, "spec", "storageClassName");
    const found = name === undefined ? undefined : view.get("StorageClass", undefined, name);
    const waits =
      textAt(found, "volumeBindingMode") === "WaitForFirstConsumer" ||
      view.events(object).some(({ reason }) => reason === "WaitForFirstConsumer");
    return waits && textAt(object, "status", "phase") === "Pending"
      ? "phase Pending, as its class is WaitForFirstConsumer: it is bound when its first consumer, a pod that uses it, is scheduled; none does"
      : undefined;
  },
};

function describeWorkload(object: KubernetesObject, view: ClusterView): string {
  const wanted = numberAt(object, "spec", "replicas") ?? 1;
  // The API leaves out a number that is 0.
  const isRead = numberAt(object, "status", "replicas") !== undefined;
  const ready = numberAt(object, "status", "readyReplicas") ?? (isRead ? 0 : undefined);
  const restarts = findPods(object, view)
    .flatMap(readContainers)
    .reduce((sum, one) => sum + one.restarts, 0);
  return ready === undefined
    ? `${wanted} replicas wanted; the status shows no failure`
    : `${ready}/${wanted} ready${restarts === 0 ? "" : `, ${restarts} restarts of its pods`}${booleanAt(object, "spec", "paused") === true ? "; its rollouts are paused (spec.paused)" : ""}${describeRollout(object, wanted)}`;
}

/** That a workload replaces its pods now. */
function describeRollout(object: KubernetesObject, wanted: number): string {
  const updated = numberAt(object, "status", "updatedReplicas");
  const all = numberAt(object, "status", "replicas") ?? updated ?? 0;
  return updated !== undefined &&
    object.kind !== "ReplicaSet" &&
    (updated < wanted || all > updated)
    ? `; a rollout is under way: ${updated} of ${wanted} replicas updated`
    : "";
}

/** That an autoscaler waits for its stabilization window before it scales, in its own words. */
function stabilized(object: KubernetesObject): string {
  const found = listAt(object, "status", "conditions").find(
    (one) =>
      textAt(one, "type") === "AbleToScale" &&
      /Stabilized$/.test(textAt(one, "reason") ?? "") &&
      textAt(one, "status") === "True",
  );
  return found === undefined
    ? ""
    : `; it waits for its stabilization window (${textAt(found, "reason") ?? ""})`;
}

/** `completed 00:06 UTC, after 6 min; 1 succeeded, 0 failed` */
function describeJob(object: KubernetesObject, view: ClusterView): string {
  const number = (key: string) => numberAt(object, "status", key) ?? 0;
  const started = timeAt(object, "status", "startTime");
  const ends = listAt(object, "status", "conditions").filter(
    (one) => textAt(one, "status") === "True",
  );
  const complete = ends.find((one) => textAt(one, "type") === "Complete");
  const failed = ends.find((one) => textAt(one, "type") === "Failed");
  const at =
    timeAt(object, "status", "completionTime") ?? timeAt(complete ?? failed, "lastTransitionTime");
  const took =
    at === undefined || started === undefined ? "" : `, after ${printDuration(at - started)}`;
  const moment = at === undefined ? "" : ` ${printMoment(at, view.now)} UTC`;
  const counts = `${number("succeeded")} succeeded, ${number("failed")} failed`;
  if (complete !== undefined) return `completed${moment}${took}; ${counts}`;
  if (failed !== undefined)
    return `failed${moment} (${textAt(failed, "reason") ?? "no reason"})${took}; ${counts}`;
  return `${started === undefined ? "not started" : `started ${printMoment(started, view.now)} UTC, ${printDuration(view.now - started)} ago`}, ${number("active")} active; ${counts}`;
}
