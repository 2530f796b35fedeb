import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { timeAt } from "../cluster/fields.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { containersOf, endOf, nameOf } from "../diagnosis/container-state.js";
import { momentOf, spanOf } from "./age.js";
import { podsOf } from "./pods-of.js";
import { stateOf } from "./state-of.js";

/** When something ran, and how it ended: of a workload its pods, of a CronJob its runs too. */
export function runLines(object: KubernetesObject, view: ClusterView): readonly string[] {
  switch (object.kind) {
    case "Job":
      return [stateOf(object, view)];
    case "CronJob":
      return [
        stateOf(object, view),
        ...view
          .owned(object)
          .filter(({ kind }) => kind === "Job")
          .sort((a, b) => startOf(b) - startOf(a))
          .map((job) => `job ${job.metadata.name}: ${stateOf(job, view)}`),
      ];
    case "Deployment":
    case "StatefulSet":
    case "DaemonSet":
    case "ReplicaSet":
    case "Pod":
      return podsOf(object, view).flatMap((pod) => podLines(pod, view));
    default:
      return [];
  }
}

function startOf(object: KubernetesObject): number {
  return timeAt(object, "status", "startTime") ?? 0;
}

/** A line for the pod, and one for each container with a run that ended. */
function podLines(pod: KubernetesObject, view: ClusterView): readonly string[] {
  const started = timeAt(pod, "status", "startTime");
  const { name } = pod.metadata;
  return [
    started === undefined
      ? `pod ${name} has not started`
      : `pod ${name} started ${momentOf(started, view.now)} UTC, ${spanOf(view.now - started)} ago`,
    ...containersOf(pod).flatMap((container) => {
      const end = container.terminated ?? container.last;
      if (end === undefined) return [];
      const { startedAt, finishedAt } = end;
      const took =
        startedAt === undefined || finishedAt === undefined
          ? ""
          : ` after ${spanOf(finishedAt - startedAt)}`;
      const at = finishedAt === undefined ? "" : ` ${momentOf(finishedAt, view.now)} UTC`;
      const now =
        container.runningSince === undefined || end === container.terminated
          ? ""
          : `, running since ${momentOf(container.runningSince, view.now)} UTC`;
      return [
        `${nameOf(container)} of pod ${name}: its last run ended${at}${took} with ${endOf(end)}, ${container.restarts} restarts${now}`,
      ];
    }),
  ];
}
