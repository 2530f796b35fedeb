import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { recordAt, type UnknownRecord } from "../cluster/fields.js";

/** Where an object has the spec of its pods. Undefined for an object that runs no pods. */
export function podSpecPath({ kind }: KubernetesObject): readonly string[] | undefined {
  if (kind === "Pod") return ["spec"];
  if (kind === "CronJob") return ["spec", "jobTemplate", "spec", "template", "spec"];
  return /^(?:Deployment|StatefulSet|DaemonSet|ReplicaSet|ReplicationController|Job)$/.test(kind)
    ? ["spec", "template", "spec"]
    : undefined;
}

/** The pod spec of a pod, or the one in an object's template. */
export function findPodSpec(object: KubernetesObject): UnknownRecord | undefined {
  const path = podSpecPath(object);
  return path === undefined ? undefined : recordAt(object, ...path);
}
