import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { numberAt, textAt } from "../cluster/fields.js";
import type { ClusterView } from "./cluster-view.js";
import { type Evidence, fieldEvidence } from "./evidence.js";
import { isReady } from "./ready.js";

/** Maximum number of pods of one StatefulSet that are looked for. */
const maxOrdinals = 100;

/** Names of the pods that a StatefulSet wants, by their numbers: at most 100. */
export function listPodNames(set: KubernetesObject): readonly string[] {
  const wanted = Math.min(numberAt(set, "spec", "replicas") ?? 1, maxOrdinals);
  const start = numberAt(set, "spec", "ordinals", "start") ?? 0;
  return Array.from({ length: wanted }, (_, index) => `${set.metadata.name}-${start + index}`);
}

/** The StatefulSets that want a pod of this name. */
export function setsOfPod(name: string, view: ClusterView): readonly KubernetesObject[] {
  const stem = /^(.{1,250})-\d{1,6}$/.exec(name)?.[1];
  return stem === undefined
    ? []
    : view
        .list("StatefulSet")
        .filter((set) => set.metadata.name === stem && listPodNames(set).includes(name));
}

/** Pods that a StatefulSet wants and that are not there, and why the first of them is not made. */
export function missingPods(
  set: KubernetesObject,
  view: ClusterView,
): {
  readonly names: readonly string[];
  readonly why: string;
  readonly evidence: readonly Evidence[];
} {
  const { namespace } = set.metadata;
  const all = set.kind === "StatefulSet" ? listPodNames(set) : [];
  const names = all.filter((name) => view.presence("Pod", namespace, name) === "missing");
  const [first] = names;
  if (first === undefined) return { names, why: "", evidence: [] };
  const isInOrder =
    (textAt(set, "spec", "podManagementPolicy") ?? "OrderedReady") === "OrderedReady";
  const waits = all
    .slice(0, all.indexOf(first))
    .flatMap((name) => view.get("Pod", namespace, name) ?? [])
    .find((pod) => !isReady(pod));
  const said = names.slice(0, 3).join(", ");
  const why = `pod${names.length > 1 ? "s" : ""} ${said}${names.length > 3 ? ` and ${names.length - 3} more` : ""} ${names.length > 1 ? "are" : "is"} not created${
    isInOrder && waits !== undefined
      ? `, because pods are made in order (podManagementPolicy OrderedReady) and ${waits.metadata.name} before ${names.length > 1 ? "them" : "it"} is not ready`
      : ""
  }`;
  return {
    names,
    why,
    evidence: [
      fieldEvidence(
        set,
        "spec.replicas",
        `${all.length} wanted, ${names.length} of them not created`,
      ),
      ...(isInOrder && waits !== undefined
        ? [fieldEvidence(waits, "status.conditions", `pod ${waits.metadata.name} is not ready`)]
        : []),
    ],
  };
}
