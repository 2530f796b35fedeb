import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { printMoment } from "../diagnosis/age.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import {
  describeContainer,
  describeTermination,
  readContainers,
} from "../diagnosis/container-state.js";
import { describeState } from "../fields/state-of.js";
import { changesSince } from "./changes.js";
import type { Line } from "./forms.js";

/** What was looked at, of objects in which nothing is wrong: a line each, at most eight. */
export function healthyLines(
  objects: readonly KubernetesObject[],
  view: ClusterView,
): readonly Line[] {
  return objects.slice(0, 8).map((of) => ({ of, text: describeState(of, view) }));
}

/** Restarts of containers that run and are ready again, the latest first: three lines at most. */
export function restartLines(
  scope: readonly KubernetesObject[],
  view: ClusterView,
): readonly Line[] {
  return scope
    .filter(({ kind }) => kind === "Pod")
    .flatMap((pod) =>
      readContainers(pod).flatMap((container) =>
        container.ready === true && container.restarts > 0 && container.last !== undefined
          ? [{ pod, container, last: container.last, at: container.last.finishedAt }]
          : [],
      ),
    )
    .sort((a, b) => (b.at ?? 0) - (a.at ?? 0))
    .slice(0, 3)
    .map(({ pod: of, container, last, at }) => ({
      of,
      text: `history: ${describeContainer(container)} restarted ${container.restarts} times${at === undefined ? "" : `, the last time ${printMoment(at, view.now)} UTC`}, after ${describeTermination(last)}; it is ready now`,
    }));
}

/** How far back a change is named beside what shows no failure, in milliseconds. */
const recentMs = 3_600_000;

/** What was changed or scaled in the last hour, newest first: three lines at most. */
export function recentLines(
  scope: readonly KubernetesObject[],
  view: ClusterView,
): readonly Line[] {
  return changesSince(view.now - recentMs, scope, view)
    .slice(0, 3)
    .map(({ object: of, at, text }) => ({ of, at, text }));
}
