import type { ClusterEvent } from "../cluster/cluster-reader.js";
import type { SignalType } from "./signal-type.js";

/** What an event reports, by its reason and its message: the first that fits, causes before symptoms. */
const table: readonly (readonly [RegExp, SignalType])[] = [
  [/^OOMKilling|^SystemOOM|OOMKilled/, "OOMKilled"],
  [/^Preempt/, "Preempted"],
  [/^(?:Evicted|TaintManagerEviction|EvictionThresholdMet)/, "Evicted"],
  [/^(?:NodeNotReady|NodeStatusUnknown)/, "NodeNotReady"],
  [/^Rebooted/, "NodeRestart"],
  [/^FailedScheduling/, "FailedScheduling"],
  [
    /^(?:Failed|FailedMount|FailedCreate): .{0,300}(?:configmap|secret|serviceaccount)s? .{0,300}(?:not found|non-existent)|couldn't find key/i,
    "MissingReference",
  ],
  [
    /^(?:Failed|BackOff|InspectFailed|ErrImageNeverPull): .{0,100}(?:pull|image)/i,
    "ImagePullBackOff",
  ],
  [/^(?:FailedMount|FailedMapVolume)/, "FailedMount"],
  [/^(?:FailedCreatePodSandBox|NetworkNotReady)/, "FailedCreatePodSandBox"],
  [/^FailedAttachVolume/, "FailedAttachVolume"],
  [/exceeded quota/, "QuotaExceeded"],
  [/failed calling webhook/, "WebhookUnavailable"],
  [/^FailedCreate/, "FailedCreate"],
  [/^(?:ProvisioningFailed|FailedBinding)/, "PVCPending"],
  [/^(?:BackoffLimitExceeded|DeadlineExceeded|PodFailurePolicy)/, "JobFailed"],
  [
    /^(?:FailedGet\w*Metric|FailedComputeMetricsReplicas|FailedGetScale|FailedUpdateScale)/,
    "HPAUnableToScale",
  ],
  [
    /^(?:BackOff|Failed|FailedPostStartHook): .{0,100}(?:restarting|container|start|hook)/i,
    "CrashLoopBackOff",
  ],
  [/^Unhealthy/, "ReadinessProbeFailed"],
];

/** What an event reports, and its place in the order of causes: a smaller one is deeper. */
export function signalOfEvent({
  reason,
  message,
}: Pick<ClusterEvent, "reason" | "message">):
  | { readonly signal: SignalType; readonly place: number }
  | undefined {
  const place = table.findIndex(([pattern]) => pattern.test(`${reason}: ${message}`));
  const signal = table[place]?.[1];
  return signal === undefined ? undefined : { signal, place };
}
