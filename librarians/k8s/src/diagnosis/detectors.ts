import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { isKindName, type KindName } from "../cluster/kinds.js";
import type { Detector } from "./detector.js";
import { application } from "./detectors/application.js";
import { autoscaler } from "./detectors/autoscaler.js";
import { certificate } from "./detectors/certificate.js";
import { containers } from "./detectors/container.js";
import { cronJob } from "./detectors/cron-job.js";
import { customConditions } from "./detectors/custom-conditions.js";
import { destinationRule } from "./detectors/destination-rule.js";
import { disruptionBudget } from "./detectors/disruption-budget.js";
import { evicted } from "./detectors/evicted.js";
import { failedCreate } from "./detectors/failed-create.js";
import { flapping } from "./detectors/flapping.js";
import { ingress } from "./detectors/ingress.js";
import { job } from "./detectors/job.js";
import { leftRunning } from "./detectors/left-running.js";
import { loadBalancer } from "./detectors/load-balancer.js";
import { localTraffic } from "./detectors/local-traffic.js";
import { meshPolicy } from "./detectors/mesh-policy.js";
import { networkPolicy } from "./detectors/network-policy.js";
import { node } from "./detectors/node.js";
import { podRun } from "./detectors/pod-run.js";
import { policyPorts } from "./detectors/policy-ports.js";
import { quota } from "./detectors/quota.js";
import { readiness } from "./detectors/readiness.js";
import { references } from "./detectors/references.js";
import { route } from "./detectors/route.js";
import { sandbox } from "./detectors/sandbox.js";
import { scheduling } from "./detectors/scheduling.js";
import { service } from "./detectors/service.js";
import { signingRequest } from "./detectors/signing-request.js";
import { terminating } from "./detectors/terminating.js";
import { isTrace, trace } from "./detectors/trace.js";
import { unobserved } from "./detectors/unobserved.js";
import { virtualService } from "./detectors/virtual-service.js";
import { volume } from "./detectors/volume.js";
import { volumeAttachment } from "./detectors/volume-attachment.js";
import { volumeClaim } from "./detectors/volume-claim.js";
import { webhook } from "./detectors/webhook.js";
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
  PersistentVolume: [[volume]],
  VolumeAttachment: [[volumeAttachment]],
  // Its own end says what a namespace waits for.
  Namespace: [],
  Service: [[service, localTraffic], [loadBalancer], [customConditions]],
  DestinationRule: [[destinationRule]],
  VirtualService: [[virtualService]],
  AuthorizationPolicy: [[meshPolicy]],
  Application: [[application]],
  Ingress: [[ingress], [references]],
  NetworkPolicy: [[networkPolicy, policyPorts]],
  MutatingWebhookConfiguration: [[webhook]],
  ValidatingWebhookConfiguration: [[webhook]],
  ServiceAccount: [[references]],
  RoleBinding: [[references]],
  ClusterRoleBinding: [[references]],
  Certificate: [[certificate, unobserved]],
  ResourceQuota: [[quota]],
};

/** A kind that no detector knows more of is judged by its own conditions and phase. */
const anyKind: readonly (readonly Detector[])[] = [
  [customConditions, signingRequest, route, unobserved],
  [references],
];
const traces: readonly (readonly Detector[])[] = [[trace]];

/** The groups of detectors for an object. One that was not read itself has its events only. */
export function detectorsFor(object: KubernetesObject): readonly (readonly Detector[])[] {
  if (isTrace(object)) return traces;
  const known = isKindName(object.kind) ? detectors[object.kind] : undefined;
  return [...(known ?? anyKind), [terminating]];
}
