import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { recordAt, type UnknownRecord } from "../cluster/fields.js";

const templated = [
  "Deployment",
  "StatefulSet",
  "DaemonSet",
  "ReplicaSet",
  "ReplicationController",
  "Job",
];

/** The pod spec of a pod, or the one in an object's template. Undefined for an object that runs no pods. */
export function findPodSpec(object: KubernetesObject): UnknownRecord | undefined {
  if (object.kind === "Pod") return recordAt(object, "spec");
  if (object.kind === "CronJob")
    return recordAt(object, "spec", "jobTemplate", "spec", "template", "spec");
  return templated.includes(object.kind) ? recordAt(object, "spec", "template", "spec") : undefined;
}
