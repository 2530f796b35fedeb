import type { KubernetesObject } from "../cluster/cluster-reader.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { idOf } from "../diagnosis/object-id.js";
import { code } from "./markdown.js";
import { stateOf } from "./state-of.js";

/** What was looked at, of objects in which nothing is wrong: a line each, at most eight. */
export function healthyLines(
  objects: readonly KubernetesObject[],
  view: ClusterView,
): readonly string[] {
  return objects.slice(0, 8).map((object) => `${code(idOf(object))}: ${stateOf(object, view)}`);
}
