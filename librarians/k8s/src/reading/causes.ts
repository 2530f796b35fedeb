import type { KubernetesObject } from "../cluster/cluster-reader.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import type { Interest } from "../diagnosis/detector.js";
import { diagnose } from "../diagnosis/diagnose.js";
import type { Evidence } from "../diagnosis/evidence.js";
import { findFamily } from "../diagnosis/family.js";
import type { Finding } from "../diagnosis/finding.js";
import { toObjectId } from "../diagnosis/object-id.js";
import { concernsAny } from "../diagnosis/rank.js";
import { getCausalDepth } from "../diagnosis/signal-type.js";

/**
 * What is wrong with objects, with their workloads and with what they wait for: what is there now and sure, the deepest
 * first. That a Service has no endpoints is what a call to it shows already.
 */
export function findCauses(
  objects: readonly KubernetesObject[],
  view: ClusterView,
  interest: Interest,
): readonly Finding[] {
  const { all, own } = findFamily(objects, view);
  return diagnose(all, view, interest)
    .filter((one) => one.current && one.verified && concernsAny(one, own))
    .filter(({ object, values }) => object.kind !== "Service" || values.is_disagreement === true)
    .sort((a, b) => getCausalDepth(a.signal) - getCausalDepth(b.signal));
}

/** What is wrong with objects themselves: what is there now and sure. */
export function findCausesOn(
  objects: readonly KubernetesObject[],
  view: ClusterView,
  interest: Interest,
): readonly Finding[] {
  const ids = new Set(objects.map(toObjectId));
  return diagnose(objects, view, interest).filter(
    (one) => one.current && one.verified && concernsAny(one, ids),
  );
}

/** Where a call goes: the pods behind it, or the Service, where that has none. */
export interface Called {
  readonly pods: readonly KubernetesObject[];
  readonly service: KubernetesObject | undefined;
}

/** As {@link findCauses}, of what was called. */
export function findBrokenBackend(
  { pods, service }: Called,
  caller: KubernetesObject,
  view: ClusterView,
  interest: Interest,
): readonly Finding[] {
  const called = pods.length > 0 ? pods.slice(0, 20) : service === undefined ? [] : [service];
  const own = toObjectId(caller);
  // What asks for itself does not wait for those beside it.
  if (called.some((one) => toObjectId(one) === own)) return [];
  return findCauses(called, view, interest).filter(({ object }) => toObjectId(object) !== own);
}

/** A finding as what follows from its cause. @param how - What links the two, for the summary of the cause. */
export function underCause(one: Finding, cause: Finding, how = ""): Finding {
  return {
    ...cause,
    summary: `${cause.summary}${how}`,
    symptoms: [...cause.symptoms, one],
    affects: [
      ...(cause.affects ?? []),
      ...[one.object, ...one.others].map(toObjectId),
      ...(one.affects ?? []),
    ],
  };
}

/** A finding with what else was found out about it. */
export function withText(one: Finding, text: string, evidence: readonly Evidence[] = []): Finding {
  return { ...one, summary: `${one.summary}; ${text}`, evidence: [...one.evidence, ...evidence] };
}
