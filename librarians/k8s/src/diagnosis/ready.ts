import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { booleanAt, listAt, textAt } from "../cluster/fields.js";

/** True for a pod whose Ready condition holds, or, without one, whose containers are all ready. */
export function isReady(pod: KubernetesObject): boolean {
  const ready = listAt(pod, "status", "conditions").find((one) => textAt(one, "type") === "Ready");
  if (ready !== undefined) return textAt(ready, "status") === "True";
  const containers = listAt(pod, "status", "containerStatuses");
  return containers.length > 0 && containers.every((one) => booleanAt(one, "ready") === true);
}
