import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { isKindName, type KindName } from "../cluster/kinds.js";
import type { Detector } from "./detector.js";
import { disagreement, settings } from "./detectors/agreement.js";
import { containers } from "./detectors/containers.js";
import { customConditions, unobserved, untouched } from "./detectors/extension.js";
import { failedCreate } from "./detectors/failed-create.js";
import { cronJob, job } from "./detectors/job.js";
import { autoscaler, disruptionBudget, quota } from "./detectors/limits.js";
import { destinationRule, meshPolicy, virtualService } from "./detectors/mesh.js";
import { networkPolicy, policyPorts } from "./detectors/network-policy.js";
import { node } from "./detectors/node.js";
import { evicted, scheduling } from "./detectors/pod-placement.js";
import { leftRunning, podRun, sandbox } from "./detectors/pod-start.js";
import { flapping, readiness } from "./detectors/readiness.js";
import { references } from "./detectors/references.js";
import { ingress } from "./detectors/route.js";
import { loadBalancer, localTraffic, service } from "./detectors/service.js";
import { volumeClaim } from "./detectors/storage.js";
import { terminating } from "./detectors/terminating.js";
import { isTrace, trace } from "./detectors/trace.js";
import { workload } from "./detectors/workload.js";

/**
 * Every condition that is looked for, by kind. Of one group the first that finds something decides, so
 * that a symptom is not reported beside its cause on the same object; groups are independent.
 */
const detectors: Partial<Record<KindName, readonly (readonly Detector[])[]>> = {
  Pod: [
    [evicted, scheduling, containers, sandbox, podRun, leftRunning, readiness, flapping],
    [references],
  ],
  Node: [[node, flapping]],
  Deployment: [[failedCreate], [workload, unobserved], [references]],
  ReplicaSet: [[failedCreate], [workload]],
  ReplicationController: [[failedCreate], [workload]],
  StatefulSet: [[failedCreate], [workload, unobserved], [references]],
  DaemonSet: [[failedCreate], [workload, unobserved], [references]],
  Job: [[failedCreate], [job], [references]],
  CronJob: [[cronJob], [references]],
  HorizontalPodAutoscaler: [[autoscaler, unobserved]],
  PodDisruptionBudget: [[disruptionBudget, unobserved]],
  PersistentVolumeClaim: [[volumeClaim]],
  // Its own end says what a namespace waits for.
  Namespace: [],
  Service: [[service, localTraffic], [loadBalancer], [customConditions]],
  DestinationRule: [[destinationRule]],
  VirtualService: [[virtualService]],
  AuthorizationPolicy: [[meshPolicy]],
  Ingress: [[ingress], [references]],
  NetworkPolicy: [[networkPolicy, policyPorts]],
  ServiceAccount: [[references]],
  RoleBinding: [[references]],
  ClusterRoleBinding: [[references]],
  ResourceQuota: [[quota]],
};

/** A kind that no detector knows more of is judged by its own conditions and phase. */
const anyKind: readonly (readonly Detector[])[] = [
  [customConditions, untouched, unobserved],
  [references],
];
/** What any object is checked for, whatever its kind. */
const before: readonly (readonly Detector[])[] = [[disagreement]];
const after: readonly (readonly Detector[])[] = [[settings], [terminating]];
const traces: readonly (readonly Detector[])[] = [[trace]];

/** Every group, by kind and for any kind. */
export const detectorTable: readonly (readonly (readonly Detector[])[])[] = [
  ...Object.values(detectors),
  anyKind,
  traces,
  before,
  after,
];

/** The groups of detectors for an object. One that was not read itself has its events only. */
export function detectorsFor(object: KubernetesObject): readonly (readonly Detector[])[] {
  if (isTrace(object)) return traces;
  const known = isKindName(object.kind) ? detectors[object.kind] : undefined;
  return [...before, ...(known ?? anyKind), ...after];
}
