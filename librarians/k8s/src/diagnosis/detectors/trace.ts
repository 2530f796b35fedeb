import type { KubernetesObject } from "../../cluster/cluster-reader.js";
import type { Detector } from "../detector.js";
import { eventEvidence } from "../evidence.js";
import { finding } from "../finding.js";
import { kubectl, option } from "../kubectl.js";
import { siblingKey } from "../pod-finding.js";
import type { SignalType } from "../signal-type.js";

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
  [
    /^(?:FailedMount|FailedMapVolume|FailedCreatePodSandBox|NetworkNotReady)/,
    "FailedCreatePodSandBox",
  ],
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

/** What is known of an object that was not read itself: what its events report. */
export const trace: Detector = (object, view) => {
  const reported = view.events(object).flatMap((event) => {
    const index = table.findIndex(([pattern]) => pattern.test(`${event.reason}: ${event.message}`));
    return index < 0 ? [] : [{ event, index }];
  });
  const [deepest] = [...reported].sort((a, b) => a.index - b.index);
  if (deepest === undefined) return [];
  const { event, index } = deepest;
  const others = reported.filter((one) => one.event.reason !== event.reason);
  const signal = table[index]?.[1] ?? "PodNotReady";
  return [
    finding({
      signal,
      severity: "high",
      object,
      confidence: 0.7,
      summary: `${object.kind} ${object.metadata.name}, which is gone or was not recorded, had ${event.reason}: ${event.message}`,
      message: event.message,
      evidence: [event, ...others.slice(0, 2).map((one) => one.event)].map(eventEvidence),
      next: kubectl`get events --field-selector involvedObject.name=${object.metadata.name}${option("-n", object.metadata.namespace)}`,
      values: { reason: event.reason, event_count: event.count, is_recorded: false },
      logs: object.kind === "Pod" ? logsOf(object) : [],
      key: siblingKey(view, object, "trace", signal),
    }),
  ];
};

function logsOf({ metadata: { namespace, name } }: KubernetesObject) {
  return namespace === undefined ? [] : [{ namespace, pod: name, previous: false }];
}

/** True for an object that is known by its events or logs only. */
export function isTrace(object: KubernetesObject): boolean {
  return object.isTrace === true;
}
