import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { booleanAt, listAt, numberAt, recordAt, textAt, timeAt } from "../cluster/fields.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { type ContainerState, readContainers } from "../diagnosis/container-state.js";
import { withAllSymptoms } from "../diagnosis/diagnose.js";
import type { Finding } from "../diagnosis/finding.js";
import { toObjectId } from "../diagnosis/object-id.js";
import { findPodSpec } from "../diagnosis/pod-spec.js";
import { isReady } from "../diagnosis/ready.js";
import type { State } from "../question/question-words.js";

/** Words for objects in a state. */
export const stateNames: Readonly<Record<State, string>> = {
  running: "running",
  notRunning: "not running",
  ready: "ready",
  notReady: "not ready",
  pending: "pending",
  failed: "failed",
  completed: "completed",
  notCompleted: "not completed",
  oomKilled: "OOMKilled",
  evicted: "evicted",
  terminating: "terminating",
  restarted: "restarted",
  empty: "scaled to zero",
  suspended: "suspended",
  cordoned: "cordoned",
  bound: "bound",
  notBound: "not bound",
  broken: "with something wrong",
  withoutLimits: "without a limit",
  withoutRequests: "without a request",
  withoutProbes: "without a probe",
  atMaximum: "at the maximum",
};

/** Ids of everything that current findings are on. */
export function idsIn(findings: readonly Finding[]): ReadonlySet<string> {
  return new Set(
    findings
      .filter(({ current, verified }) => current && verified)
      .flatMap(withAllSymptoms)
      .flatMap(({ object, others }) => [object, ...others].map(toObjectId)),
  );
}

/**
 * Whether an object is in a state. Undefined where the state says nothing about its kind.
 *
 * @param query - Says which resource, where the state is about limits or requests.
 * @param broken - Ids of what something is wrong with.
 */
export function isInState(
  object: KubernetesObject,
  state: State,
  {
    view,
    query,
    broken,
  }: { readonly view: ClusterView; readonly query: string; readonly broken: ReadonlySet<string> },
): boolean | undefined {
  const phase = textAt(object, "status", "phase");
  const isDone = phase === "Succeeded";
  switch (state) {
    case "running":
    case "notRunning": {
      if (object.kind === "Job") {
        const isActive = (numberAt(object, "status", "active") ?? 0) > 0;
        return state === "running" ? isActive : !isActive;
      }
      if (object.kind !== "Pod")
        return isInState(object, state === "running" ? "ready" : "notReady", {
          view,
          query,
          broken,
        });
      const runs =
        phase === "Running" &&
        readContainers(object).every(({ isInit, isRunning }) => isInit || isRunning);
      return state === "running" ? runs : !runs && !isDone;
    }
    case "ready":
    case "notReady": {
      const ready = readReadiness(object);
      return ready === undefined ? undefined : state === "ready" ? ready : !ready && !isDone;
    }
    case "pending":
      return phase === undefined ? undefined : phase === "Pending";
    case "failed":
      return object.kind === "Job"
        ? hasCondition(object, "Failed")
        : phase === undefined
          ? undefined
          : phase === "Failed";
    case "completed":
    case "notCompleted": {
      const completed = readCompletion(object);
      return completed === undefined ? undefined : (state === "completed") === completed;
    }
    case "oomKilled":
      return object.kind === "Pod" ? readContainers(object).some(isOomKilled) : undefined;
    case "evicted":
      return object.kind === "Pod" ? textAt(object, "status", "reason") === "Evicted" : undefined;
    case "terminating":
      return (
        textAt(object, "metadata", "deletionTimestamp") !== undefined || phase === "Terminating"
      );
    case "restarted":
      return object.kind === "Pod"
        ? readContainers(object).some(({ restarts }) => restarts > 0)
        : undefined;
    case "empty": {
      const wanted = numberAt(object, "spec", "replicas");
      return wanted === undefined ? undefined : wanted === 0;
    }
    case "suspended":
      return (
        booleanAt(object, "spec", "suspend") ??
        booleanAt(object, "spec", "paused") ??
        (/^(?:CronJob|Job|Deployment)$/.test(object.kind) ? false : undefined)
      );
    case "cordoned":
      return object.kind === "Node"
        ? booleanAt(object, "spec", "unschedulable") === true
        : undefined;
    case "bound":
    case "notBound":
      return phase === undefined ? undefined : (phase === "Bound") === (state === "bound");
    case "broken":
      return broken.has(toObjectId(object));
    case "atMaximum": {
      const most = numberAt(object, "spec", "maxReplicas");
      return most === undefined
        ? undefined
        : (numberAt(object, "status", "currentReplicas") ?? 0) >= most;
    }
    case "withoutLimits":
    case "withoutRequests":
      return lacks(object, state === "withoutLimits" ? "limits" : "requests", query);
    case "withoutProbes": {
      const wanted = (["readiness", "liveness", "startup"] as const).filter((one) =>
        query.toLowerCase().includes(one),
      );
      const containers = listAt(findPodSpec(object), "containers");
      const probes = wanted.length === 0 ? (["readiness", "liveness"] as const) : wanted;
      return containers.length === 0
        ? undefined
        : containers.some((one) =>
            probes.some((probe) => Object.keys(recordAt(one, `${probe}Probe`)).length === 0),
          );
    }
  }
}

/** When what the state says happened to an object: epoch milliseconds. Undefined for what goes on. */
export function happenedAt(object: KubernetesObject, state: State): number | undefined {
  const ends = readContainers(object).flatMap(({ terminated, last, runningSince }) => [
    terminated?.finishedAt ?? last?.finishedAt ?? runningSince ?? 0,
  ]);
  switch (state) {
    case "restarted":
    case "oomKilled":
      return ends.length === 0 ? undefined : Math.max(...ends);
    case "failed":
    case "completed":
    case "evicted": {
      const [end] = listAt(object, "status", "conditions").filter((one) =>
        /^(?:Failed|Complete|DisruptionTarget)$/.test(textAt(one, "type") ?? ""),
      );
      return (
        timeAt(object, "status", "completionTime") ??
        timeAt(end, "lastTransitionTime") ??
        (ends.length === 0 ? undefined : Math.max(...ends))
      );
    }
    default:
      return undefined;
  }
}

/** Whether a run or a rollout is complete. Undefined for kinds without either. */
export function readCompletion(object: KubernetesObject): boolean | undefined {
  const number = (key: string) => numberAt(object, "status", key) ?? 0;
  switch (object.kind) {
    case "Job":
      return hasCondition(object, "Complete");
    case "CronJob": {
      const started = timeAt(object, "status", "lastScheduleTime");
      const succeeded = timeAt(object, "status", "lastSuccessfulTime");
      return started === undefined ? undefined : succeeded !== undefined && succeeded >= started;
    }
    case "Deployment":
    case "StatefulSet": {
      if (object.status === undefined) return undefined;
      const wanted = numberAt(object, "spec", "replicas") ?? 1;
      // Where the status does not count them, all are of the newest template.
      const updated = numberAt(object, "status", "updatedReplicas") ?? number("readyReplicas");
      return (
        updated >= wanted &&
        number("readyReplicas") >= wanted &&
        (numberAt(object, "status", "replicas") ?? updated) <= updated
      );
    }
    case "DaemonSet": {
      const wanted = numberAt(object, "status", "desiredNumberScheduled");
      return wanted === undefined
        ? undefined
        : (numberAt(object, "status", "updatedNumberScheduled") ?? number("numberReady")) >=
            wanted && number("numberReady") >= wanted;
    }
    case "Pod": {
      const phase = textAt(object, "status", "phase");
      return phase === undefined ? undefined : phase === "Succeeded";
    }
    default:
      return undefined;
  }
}

/** True for a container whose run, or the one before, was ended for its memory. */
export function isOomKilled({ terminated, last }: ContainerState): boolean {
  return [terminated, last].some((end) => end?.reason === "OOMKilled");
}

/** True when a container of it has no limit or request of a resource. */
function lacks(
  object: KubernetesObject,
  which: "limits" | "requests",
  query: string,
): boolean | undefined {
  const containers = listAt(findPodSpec(object), "containers");
  if (containers.length === 0) return undefined;
  const asked = (["memory", "cpu"] as const).filter((one) => query.toLowerCase().includes(one));
  const resources = asked.length === 0 ? (["memory", "cpu"] as const) : asked;
  return containers.some((one) =>
    resources.some((resource) => recordAt(one, "resources", which)[resource] === undefined),
  );
}

function readReadiness(object: KubernetesObject): boolean | undefined {
  switch (object.kind) {
    case "Pod":
      return isReady(object);
    case "Deployment":
    case "StatefulSet":
    case "ReplicaSet":
      if (object.status === undefined) return undefined;
      return (
        (numberAt(object, "status", "readyReplicas") ?? 0) >=
        (numberAt(object, "spec", "replicas") ?? 1)
      );
    case "DaemonSet":
      return (
        (numberAt(object, "status", "numberReady") ?? 0) >=
        (numberAt(object, "status", "desiredNumberScheduled") ?? 0)
      );
    default:
      return listAt(object, "status", "conditions").some((one) => textAt(one, "type") === "Ready")
        ? hasCondition(object, "Ready")
        : undefined;
  }
}

function hasCondition(object: KubernetesObject, type: string): boolean {
  return listAt(object, "status", "conditions").some(
    (one) => textAt(one, "type") === type && textAt(one, "status") === "True",
  );
}
