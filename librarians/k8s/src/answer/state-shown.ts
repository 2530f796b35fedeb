import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { booleanAt, listAt, numberAt, textAt, timeAt } from "../cluster/fields.js";
import { printMoment } from "../diagnosis/age.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import {
  describeContainer,
  describeTermination,
  readContainers,
} from "../diagnosis/container-state.js";
import type { State } from "../question/question-words.js";
import { isOomKilled } from "./in-state.js";
import { describeState } from "./state-of.js";

/** The field of an object that shows whether it is in a state, with its value. */
export function shownBy(object: KubernetesObject, state: State, view: ClusterView): string {
  const number = (key: string) => numberAt(object, "status", key);
  switch (state) {
    case "suspended": {
      const key = object.kind === "Deployment" ? "paused" : "suspend";
      return `spec.${key} is ${booleanAt(object, "spec", key) === true ? "true" : "not true"}`;
    }
    case "cordoned":
      return `spec.unschedulable is ${booleanAt(object, "spec", "unschedulable") === true ? "true" : "not true"}`;
    case "empty":
      return `spec.replicas is ${numberAt(object, "spec", "replicas") ?? 1}`;
    case "terminating": {
      const deleted = timeAt(object, "metadata", "deletionTimestamp");
      return deleted === undefined
        ? "it has no deletionTimestamp"
        : `deletionTimestamp ${printMoment(deleted, view.now)} UTC`;
    }
    case "evicted": {
      const reason = textAt(object, "status", "reason");
      return reason === undefined
        ? `phase ${textAt(object, "status", "phase") ?? "not given"}, without a reason in its status`
        : `status.reason ${reason}`;
    }
    case "restarted": {
      const containers = readContainers(object);
      const [latest] = containers
        .flatMap(({ last }) => (last === undefined ? [] : [last]))
        .sort((a, b) => (b.finishedAt ?? 0) - (a.finishedAt ?? 0));
      const count = containers.reduce((sum, { restarts }) => sum + restarts, 0);
      const when =
        latest?.finishedAt === undefined ? "" : ` ${printMoment(latest.finishedAt, view.now)} UTC`;
      return `restartCount ${count}${latest === undefined ? "" : `, the last time${when}, after ${describeTermination(latest)}`}`;
    }
    case "oomKilled": {
      const containers = readContainers(object);
      const killed = containers.find(isOomKilled);
      const ended = killed ?? containers.find(({ terminated, last }) => terminated ?? last);
      const end = ended?.last ?? ended?.terminated;
      return ended === undefined || end === undefined
        ? "no run of its containers has ended, by their status"
        : `the last run of ${describeContainer(ended)} ended with ${describeTermination(end)}`;
    }
    case "completed":
    case "notCompleted":
    case "failed":
      if (object.kind === "Deployment" || object.kind === "StatefulSet")
        return `${number("updatedReplicas") ?? number("readyReplicas") ?? 0} of ${numberAt(object, "spec", "replicas") ?? 1} replicas updated, ${number("readyReplicas") ?? 0} ready`;
      return describeState(object, view);
    case "running":
    case "notRunning":
    case "ready":
    case "notReady":
      if (object.kind === "Pod")
        return `condition Ready=${getConditionStatus(object, "Ready") ?? "not given"}, ${describeState(object, view)}`;
      if (object.kind === "Node")
        return `condition Ready=${getConditionStatus(object, "Ready") ?? "not given"}`;
      return describeState(object, view);
    default:
      return describeState(object, view);
  }
}

function getConditionStatus(object: KubernetesObject, type: string): string | undefined {
  return textAt(
    listAt(object, "status", "conditions").find((one) => textAt(one, "type") === type),
    "status",
  );
}
