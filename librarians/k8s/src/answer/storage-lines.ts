import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, textAt, valueAt } from "../cluster/fields.js";

/** How big a claim or a volume is, of which class, and who may mount it. */
export function printStorage(object: KubernetesObject): readonly string[] {
  const requested = valueAt(object, "spec", "resources", "requests", "storage");
  const capacity =
    valueAt(object, "status", "capacity", "storage") ??
    valueAt(object, "spec", "capacity", "storage");
  const storageClass = textAt(object, "spec", "storageClassName");
  const modes = listAt(object, "spec", "accessModes").map(String);
  const parts = [
    ...(requested === undefined ? [] : [`requests ${String(requested)}`]),
    ...(capacity === undefined ? [] : [`has ${String(capacity)}`]),
    ...(storageClass === undefined ? [] : [`storage class ${storageClass}`]),
    ...(modes.length === 0 ? [] : [modes.join(", ")]),
  ];
  return parts.length === 0 ? [] : [parts.join(", ")];
}
