import type { ClusterEvent, KubernetesObject } from "../../cluster/cluster-reader.js";
import { numberAt } from "../../cluster/fields.js";
import type { ClusterView } from "../cluster-view.js";
import { findCondition } from "../conditions.js";
import { recentMs } from "../detector.js";
import { signalOfEvent } from "../event-signals.js";
import { eventEvidence } from "../evidence.js";
import type { Draft, Finding } from "../finding.js";
import { siblingKey } from "../pod-finding.js";
import { isReady } from "../ready.js";
import type { SignalType } from "../signal-type.js";

/** What a warning about a thing of this kind means for those who use it. */
const byKind: Readonly<Record<string, SignalType>> = {
  Pod: "PodNotReady",
  Node: "NodePressure",
  Deployment: "RolloutStuck",
  StatefulSet: "RolloutStuck",
  DaemonSet: "ReplicasUnavailable",
  ReplicaSet: "ReplicasUnavailable",
  Job: "JobFailed",
  HorizontalPodAutoscaler: "HPAUnableToScale",
  PodDisruptionBudget: "PDBBlocking",
  PersistentVolumeClaim: "PVCPending",
  PersistentVolume: "PVFailed",
  Service: "ServiceNoEndpoints",
  Endpoints: "ServiceNoEndpoints",
  Ingress: "IngressBackendMissing",
  Gateway: "IngressBackendMissing",
  HTTPRoute: "IngressBackendMissing",
  Namespace: "StuckTerminating",
  ResourceQuota: "QuotaNearlyFull",
};

/** What a thing goes through on its way up, or while it is replaced: over when it works. */
const passing =
  /^(?:Unhealthy|BackOff|Failed|Killing|FailedScheduling|FailedMount|FailedAttachVolume|FailedMapVolume|FailedCreatePodSandBox|NetworkNotReady|FailedCreate|SandboxChanged|NodeNotReady|NodeReady|Rebooted|InvalidDiskCapacity|ProbeWarning|InspectFailed|ErrImageNeverPull|FailedToRetrieveImagePullSecret|FailedGet\w*Metric|FailedComputeMetricsReplicas|FailedGetScale|FailedUpdateScale|ProvisioningFailed|FailedBinding|WaitForFirstConsumer|FailedKillPod|Evicted|Preempt\w*|OOMKilling|FreeDiskSpaceFailed|ImageGCFailed|EvictionThresholdMet|NoPods|CalculateExpectedPodCountFailed|TaintManagerEviction|BackoffLimitExceeded|CgroupV1|DNSConfigForming|CheckLimitsForResolvConf)$/;

/** True for a warning that is more than a step of a thing on its way up, or while it is replaced. */
export function isTelling({ type, reason, message }: ClusterEvent): boolean {
  return type === "Warning" && !passing.test(reason) && !conflict.test(message);
}

/** Two controllers wrote at once, and one tries again. */
const conflict = /the object has been modified/i;

/**
 * A warning about a thing in which no detector sees a failure: whatever its reason, it was reported, and
 * may be what the question is about. What a thing that works now has passed through is left out.
 */
export function reported(object: KubernetesObject, view: ClusterView): readonly Draft[] {
  const warnings = listWarnings(object, view);
  const [event] = warnings;
  if (event === undefined) return [];
  return [
    {
      signal: signalOfEvent(event)?.signal ?? byKind[object.kind] ?? "ApplicationError",
      severity: "low",
      // That it was reported is sure; what it means for the thing is not.
      verified: !works(object, view),
      isFaint: true,
      summary: `${object.kind} ${object.metadata.name} has a warning, ${event.reason}: ${event.message}`,
      message: event.message,
      evidence: warnings.slice(0, 2),
      values: { reason: event.reason, event_count: event.count },
      key: siblingKey(view, object, "reported", event.reason),
    },
  ];
}

/** Warnings about a thing that are more than a step on its way up. */
function listWarnings(object: KubernetesObject, view: ClusterView): readonly ClusterEvent[] {
  // Its own detector weighs each of its warnings against its last start.
  if (object.kind === "CronJob") return [];
  return view
    .events(object)
    .filter(
      (event) =>
        isTelling(event) && (event.lastSeen === undefined || view.now - event.lastSeen < recentMs),
    );
}

/**
 * What was reported about a thing beside the failure that a detector sees in it: it may be why. The first warning of each
 * reason that the finding does not repeat comes after the first piece of its evidence.
 */
export function withWarnings(one: Finding, view: ClusterView): Finding {
  const said = [one.summary, one.message ?? "", ...one.evidence.map(({ text }) => text)].join("\n");
  const reasons = new Set<string>();
  const more = listWarnings(one.object, view).filter(({ reason, message }) => {
    const isNew = !reasons.has(reason) && !said.includes(message) && !said.includes(reason);
    reasons.add(reason);
    return isNew;
  });
  if (more.length === 0 || !one.current) return one;
  const [first, ...rest] = one.evidence;
  const added = more.slice(0, 2).map(eventEvidence);
  return { ...one, evidence: first === undefined ? added : [first, ...added, ...rest] };
}

/** True for what shows in its own state that it does what it is for. */
function works(object: KubernetesObject, view: ClusterView): boolean {
  if (object.kind === "Pod") return isReady(object);
  if (object.kind === "Node") return findCondition(object, "Ready", "True") !== undefined;
  const wanted = numberAt(object, "spec", "replicas");
  const ready = numberAt(object, "status", "readyReplicas");
  if (wanted !== undefined && ready !== undefined) return ready >= wanted;
  const pods = view.owned(object).filter(({ kind }) => kind === "Pod");
  return pods.length > 0 && pods.every(isReady);
}
