import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, textAt } from "../cluster/fields.js";
import type { KindName } from "../cluster/kinds.js";
import { findPodSpec } from "../diagnosis/pod-spec.js";
import { listConfigMaps } from "./config-change.js";

/** Names of what pods and templates use, by kind: ConfigMaps, claims, accounts, nodes. */
export function namesIn(
  objects: readonly KubernetesObject[],
): ReadonlyMap<KindName, ReadonlySet<string>> {
  const names = new Map<KindName, Set<string>>();
  const add = (kind: KindName, all: readonly string[]) => {
    const known = names.get(kind) ?? new Set<string>();
    for (const name of all) known.add(name);
    names.set(kind, known);
  };
  for (const kind of ["ConfigMap", "PersistentVolumeClaim", "ServiceAccount", "Node"] as const)
    add(kind, []);
  for (const object of objects) {
    const spec = findPodSpec(object);
    add("ConfigMap", listConfigMaps(object));
    add(
      "PersistentVolumeClaim",
      listAt(spec, "volumes").flatMap(
        (one) => textAt(one, "persistentVolumeClaim", "claimName") ?? [],
      ),
    );
    const account = textAt(spec, "serviceAccountName");
    add("ServiceAccount", account === undefined ? [] : [account]);
    if (object.kind !== "Pod") continue;
    const node = textAt(spec, "nodeName");
    add("Node", node === undefined ? [] : [node]);
  }
  return names;
}
