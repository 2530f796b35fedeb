import type { KubernetesObject } from "../cluster/cluster-reader.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import type { Interest } from "../diagnosis/detector.js";
import { diagnose } from "../diagnosis/diagnose.js";
import { findFamily } from "../diagnosis/family.js";
import type { Finding } from "../diagnosis/finding.js";
import { toObjectId } from "../diagnosis/object-id.js";
import { concernsAny } from "../diagnosis/rank.js";
import { getCausalDepth } from "../diagnosis/signal-type.js";

/** Where a call goes: the pods behind it, or the Service, where that has none. */
export interface Called {
  readonly pods: readonly KubernetesObject[];
  readonly service: KubernetesObject | undefined;
}

/** What is wrong with what was called: its pods, its workload, what they wait for. The deepest first. */
export function findBrokenBackend(
  { pods, service }: Called,
  caller: KubernetesObject,
  view: ClusterView,
  interest: Interest,
): readonly Finding[] {
  const called = pods.length > 0 ? pods.slice(0, 20) : service === undefined ? [] : [service];
  // What asks for itself does not wait for those beside it.
  if (called.some((one) => toObjectId(one) === toObjectId(caller))) return [];
  const others = called;
  const { all, own } = findFamily(others, view);
  return (
    diagnose(all, view, interest)
      .filter((one) => one.current && one.verified && concernsAny(one, own))
      // That a Service has no endpoints is what the call shows already.
      .filter(
        ({ object }) => object.kind !== "Service" && toObjectId(object) !== toObjectId(caller),
      )
      .sort((a, b) => getCausalDepth(a.signal) - getCausalDepth(b.signal))
  );
}
