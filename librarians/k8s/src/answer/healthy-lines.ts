import type { KubernetesObject } from "../cluster/cluster-reader.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { idOf } from "../diagnosis/object-id.js";
import { momentOf } from "./age.js";
import { changesSince } from "./changes.js";
import { code } from "./markdown.js";
import { stateOf } from "./state-of.js";

/** What was looked at, of objects in which nothing is wrong: a line each, at most eight. */
export function healthyLines(
  objects: readonly KubernetesObject[],
  view: ClusterView,
): readonly string[] {
  return objects.slice(0, 8).map((object) => `${code(idOf(object))}: ${stateOf(object, view)}`);
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
    .map(({ at, text }) => `${momentOf(at, view.now)} UTC: ${text}`);
}
