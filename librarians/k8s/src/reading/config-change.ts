import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, textAt, timeAt } from "../cluster/fields.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { fieldEvidence } from "../diagnosis/evidence.js";
import type { Finding } from "../diagnosis/finding.js";
import { findPodSpec } from "../diagnosis/pod-spec.js";
import { quote } from "../diagnosis/quote.js";

/** Failures that another configuration may bring. */
const ofConfig: ReadonlySet<string> = new Set([
  "CrashLoopBackOff",
  "InitContainerFailed",
  "PodFailed",
  "ReadinessProbeFailed",
  "ApplicationError",
]);
/** How long before the first sign of a failure an edit may lie that is taken for what brought it, in milliseconds. */
const beforeMs = 3_600_000;
/** How far the times of two machines may differ, in milliseconds. */
const skewMs = 120_000;

/** Adds which of the ConfigMaps that a failing pod uses was edited shortly before it began to fail. */
export function withConfigChange(one: Finding, view: ClusterView): Finding {
  if (!one.current || !ofConfig.has(one.signal) || one.object.kind !== "Pod") return one;
  const first = firstSign(one.object, view);
  if (first === undefined) return one;
  const edits = listConfigMaps(one.object)
    .flatMap((name) => {
      const map = view.get("ConfigMap", one.object.metadata.namespace, name);
      const at = timeAt(map, "metadata", "lastEdit", "at");
      return map === undefined || at === undefined ? [] : [{ map, at }];
    })
    .filter(({ at }) => at > first - beforeMs && at < first + skewMs)
    .sort((a, b) => b.at - a.at);
  const [edit] = edits;
  if (edit === undefined) return one;
  const by = textAt(edit.map, "metadata", "lastEdit", "by") ?? "";
  const text = `ConfigMap ${edit.map.metadata.name}, which it uses, was edited at ${new Date(edit.at).toISOString().slice(11, 16)} UTC${by === "" ? "" : ` by ${quote(by, 60)}`}, shortly before`;
  return {
    ...one,
    summary: `${one.summary}; ${text}`,
    evidence: [...one.evidence, fieldEvidence(edit.map, "metadata.managedFields", text, edit.at)],
  };
}

/** When a pod began to fail, as its condition and the first warning say. */
function firstSign(pod: KubernetesObject, view: ClusterView): number | undefined {
  const ready = listAt(pod, "status", "conditions").find((one) => textAt(one, "type") === "Ready");
  const since =
    textAt(ready, "status") === "True" ? undefined : timeAt(ready, "lastTransitionTime");
  const warned = view
    .events(pod)
    .flatMap(({ type, firstSeen }) => (type === "Warning" ? (firstSeen ?? []) : []));
  const times = [...warned, ...(since === undefined ? [] : [since])];
  return times.length === 0 ? undefined : Math.min(...times);
}

/** Names of the ConfigMaps that a pod mounts, or takes variables from. */
export function listConfigMaps(object: KubernetesObject): readonly string[] {
  const spec = findPodSpec(object);
  const containers = [...listAt(spec, "initContainers"), ...listAt(spec, "containers")];
  return [
    ...new Set([
      ...listAt(spec, "volumes").flatMap((one) => [
        ...(textAt(one, "configMap", "name") === undefined
          ? []
          : [textAt(one, "configMap", "name") ?? ""]),
        ...listAt(one, "projected", "sources").flatMap(
          (source) => textAt(source, "configMap", "name") ?? [],
        ),
      ]),
      ...containers.flatMap((one) => [
        ...listAt(one, "envFrom").flatMap((from) => textAt(from, "configMapRef", "name") ?? []),
        ...listAt(one, "env").flatMap(
          (from) => textAt(from, "valueFrom", "configMapKeyRef", "name") ?? [],
        ),
      ]),
    ]),
  ];
}
