import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { printMoment } from "../diagnosis/age.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import {
  describeContainer,
  describeTermination,
  readContainers,
} from "../diagnosis/container-state.js";
import { toObjectId } from "../diagnosis/object-id.js";
import { changesSince } from "./changes.js";
import { code, escaped } from "./markdown.js";
import { describeState } from "./state-of.js";

/** What was looked at, of objects in which nothing is wrong: a line each, at most eight. */
export function healthyLines(
  objects: readonly KubernetesObject[],
  view: ClusterView,
): readonly string[] {
  return objects
    .slice(0, 8)
    .map((object) => `${code(toObjectId(object))}: ${describeState(object, view)}`);
}

/** Restarts of containers that run and are ready again, the latest first: three lines at most. */
export function restartLines(
  scope: readonly KubernetesObject[],
  view: ClusterView,
): readonly string[] {
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
    .map(
      ({ pod, container, last, at }) =>
        `${code(toObjectId(pod))}: history: ${describeContainer(container)} restarted ${container.restarts} times${at === undefined ? "" : `, the last time ${printMoment(at, view.now)} UTC`}, after ${escaped(describeTermination(last))}; it is ready now`,
    );
}

/** How far back a change is named beside what shows no failure, in milliseconds. */
const recentMs = 3_600_000;

/** What was changed or scaled in the last hour, newest first: three lines at most. */
export function recentLines(
  scope: readonly KubernetesObject[],
  view: ClusterView,
): readonly string[] {
  return changesSince(view.now - recentMs, scope, view)
    .slice(0, 3)
    .map(({ at, text }) => `${printMoment(at, view.now)} UTC: ${text}`);
}
