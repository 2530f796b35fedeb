import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { timeAt } from "../cluster/fields.js";
import { printDuration, printMoment } from "../diagnosis/age.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import {
  describeContainer,
  describeTermination,
  readContainers,
} from "../diagnosis/container-state.js";
import { findPods } from "./pods-of.js";
import { describeState } from "./state-of.js";

/** When something ran, and how it ended: of a workload its pods, of a CronJob its runs too. */
export function runLines(object: KubernetesObject, view: ClusterView): readonly string[] {
  switch (object.kind) {
    case "Job":
      return [describeState(object, view)];
    case "CronJob":
      return [
        describeState(object, view),
        ...view
          .owned(object)
          .filter(({ kind }) => kind === "Job")
          .sort((a, b) => getStartTime(b) - getStartTime(a))
          .map((job) => `job ${job.metadata.name}: ${describeState(job, view)}`),
      ];
    case "Deployment":
    case "StatefulSet":
    case "DaemonSet":
    case "ReplicaSet":
    case "Pod":
      return findPods(object, view).flatMap((pod) => podLines(pod, view));
    default:
      return [];
  }
}

function getStartTime(object: KubernetesObject): number {
  return timeAt(object, "status", "startTime") ?? 0;
}

/** A line for the pod, and one for each container with a run that ended. */
function podLines(pod: KubernetesObject, view: ClusterView): readonly string[] {
  const started = timeAt(pod, "status", "startTime");
  const { name } = pod.metadata;
  return [
    started === undefined
      ? `pod ${name} has not started`
      : `pod ${name} started ${printMoment(started, view.now)} UTC, ${printDuration(view.now - started)} ago`,
    ...readContainers(pod).flatMap((container) => {
      const end = container.terminated ?? container.last;
      if (end === undefined) return [];
      const { startedAt, finishedAt } = end;
      const took =
        startedAt === undefined || finishedAt === undefined
          ? ""
          : ` after ${printDuration(finishedAt - startedAt)}`;
      const at = finishedAt === undefined ? "" : ` ${printMoment(finishedAt, view.now)} UTC`;
      const now =
        container.runningSince === undefined || end === container.terminated
          ? ""
          : `, running since ${printMoment(container.runningSince, view.now)} UTC`;
      return [
        `${describeContainer(container)} of pod ${name}: its last run ended${at}${took} with ${describeTermination(end)}, ${container.restarts} restarts${now}`,
      ];
    }),
  ];
}
