import type { KubernetesObject } from "../cluster/cluster-reader.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import type { Interest } from "../diagnosis/detector.js";
import { diagnose } from "../diagnosis/diagnose.js";
import type { Finding } from "../diagnosis/finding.js";
import { depthOf } from "../diagnosis/signal-type.js";

/** What is wrong with the pods that were called, the deepest first. */
export function brokenBehind(
  pods: readonly KubernetesObject[],
  caller: KubernetesObject,
  view: ClusterView,
  interest: Interest,
): readonly Finding[] {
  const others = pods.filter((pod) => pod !== caller).slice(0, 20);
  return diagnose(others, view, interest)
    .filter(({ current, verified }) => current && verified)
    .sort((a, b) => depthOf(a.signal) - depthOf(b.signal));
}
