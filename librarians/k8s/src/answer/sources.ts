import type { Source } from "@constellation/core";
import type { KubernetesObject } from "../cluster/cluster-reader.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { withAllSymptoms } from "../diagnosis/diagnose.js";
import type { Finding } from "../diagnosis/finding.js";
import { toObjectId } from "../diagnosis/object-id.js";

/** Maximum number of sources of an answer. */
const maxSources = 60;

/** Objects and evidence that an answer rests on, in the order of its findings, each once. */
export function toSources(
  findings: readonly Finding[],
  targets: readonly KubernetesObject[],
  view: ClusterView,
): readonly Source[] {
  const found = new Map<string, string>();
  const add = (name: string, type: string) => {
    if (!found.has(name) && found.size < maxSources) found.set(name, type);
  };
  for (const one of findings) {
    add(toObjectId(one.object), "object");
    for (const { id, kind } of one.evidence.slice(0, 7)) add(id, kind);
  }
  for (const target of targets) add(toObjectId(target), "object");
  for (const { object, others } of findings.flatMap(withAllSymptoms)) {
    for (const each of [object, ...others.slice(0, 10)]) {
      add(toObjectId(each), "object");
      const owner = view.owner(each);
      if (owner === undefined) continue;
      add(toObjectId(owner), "object");
      const top = view.owner(owner);
      if (top !== undefined) add(toObjectId(top), "object");
    }
  }
  return [...found].map(([name, type]) => ({ name, type }));
}
