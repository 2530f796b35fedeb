import type { Source } from "@constellation/core";
import type { KubernetesObject } from "../cluster/cluster-reader.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { withAllSymptoms } from "../diagnosis/diagnose.js";
import type { Finding } from "../diagnosis/finding.js";
import { idOf } from "../diagnosis/object-id.js";

/** Most sources of an answer. */
const mostSources = 60;

/** Objects and evidence that an answer rests on, in the order of its findings, each once. */
export function sourcesOf(
  findings: readonly Finding[],
  targets: readonly KubernetesObject[],
  view: ClusterView,
): readonly Source[] {
  const found = new Map<string, string>();
  const add = (name: string, type: string) => {
    if (!found.has(name) && found.size < mostSources) found.set(name, type);
  };
  for (const one of findings) {
    add(idOf(one.object), "object");
    for (const { id, kind } of one.evidence.slice(0, 7)) add(id, kind);
  }
  for (const target of targets) add(idOf(target), "object");
  for (const { object, others } of findings.flatMap(withAllSymptoms)) {
    for (const each of [object, ...others.slice(0, 10)]) {
      add(idOf(each), "object");
      const owner = view.owner(each);
      if (owner === undefined) continue;
      add(idOf(owner), "object");
      const top = view.owner(owner);
      if (top !== undefined) add(idOf(top), "object");
    }
  }
  return [...found].map(([name, type]) => ({ name, type }));
}
