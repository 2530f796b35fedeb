import type { ClusterEvent, KubernetesObject } from "../../cluster/cluster-reader.js";
import { listAt, numberAt, recordAt, textAt, timeAt } from "../../cluster/fields.js";
import type { ClusterView } from "../cluster-view.js";
import { type Detector, recentMs } from "../detector.js";
import { eventEvidence, fieldEvidence } from "../evidence.js";
import { type Evidence, finding } from "../finding.js";
import { describeCommand, kubectl, option } from "../kubectl.js";
import type { SignalType } from "../signal-type.js";

/** A controller that may not create its pods. It has no pod to look at: its condition and its events say why. */
export const failedCreate: Detector = (object, view) => {
  const conditions = listAt(object, "status", "conditions");
  const failures = conditions.flatMap((one, index) =>
    textAt(one, "type") === "ReplicaFailure" &&
    textAt(one, "status") !== "False" &&
    /^FailedCreate/.test(textAt(one, "reason") ?? "")
      ? [{ one, index }]
      : [],
  );
  const event =
    failures.length > 0 || isShort(object, view)
      ? current(view.events(object), view.now)
      : undefined;
  if (failures.length === 0 && event === undefined) return [];
  const messages = failures.flatMap(({ one }) => textAt(one, "message") ?? []);
  const message = [
    ...new Set([
      ...messages,
      ...(messages.length === 0 && event !== undefined ? [event.message] : []),
    ]),
  ].join("; ");
  const said = `${message} ${event?.message ?? ""}`;
  const signal = toSignal(said);
  const quotas =
    signal === "QuotaExceeded" || /quota/i.test(said) ? quotaEvidence(object, view, said) : [];
  return [
    finding({
      signal,
      severity: "critical",
      object,
      confidence: 0.93,
      summary: `${object.kind} ${object.metadata.name} cannot create its pods${signal === "QuotaExceeded" ? ": a resource quota is used up" : ""}: ${message}`,
      message,
      evidence: [
        ...failures.map(({ one, index }) =>
          fieldEvidence(
            object,
            `status.conditions[${index}]`,
            `ReplicaFailure, reason ${textAt(one, "reason") ?? ""}: ${textAt(one, "message") ?? ""}`,
            timeAt(one, "lastTransitionTime"),
          ),
        ),
        ...(event === undefined ? [] : [eventEvidence(event)]),
        ...quotas,
      ],
      next: [
        ...(quotas.length > 0
          ? kubectl`describe resourcequota${option("-n", object.metadata.namespace)}`
          : []),
        ...describeCommand(object),
      ],
      values: {
        reason: "FailedCreate",
        ...(event === undefined ? {} : { event_count: event.count }),
      },
      // A Deployment repeats what its ReplicaSet says.
      key: `create|${object.metadata.namespace ?? ""}|${rootName(object, view)}`,
    }),
  ];
};

function rootName(object: KubernetesObject, view: ClusterView): string {
  const owner = view.owner(object);
  return owner === undefined ? object.metadata.name : owner.metadata.name;
}

function toSignal(text: string): SignalType {
  if (/exceeded quota/i.test(text)) return "QuotaExceeded";
  if (
    /failed calling webhook|admission webhook .{0,300} (?:timeout|refused|no endpoints)/i.test(text)
  )
    return "WebhookUnavailable";
  if (/serviceaccount "?[^"]{0,300}"? not found|error looking up service account/i.test(text))
    return "MissingReference";
  return "FailedCreate";
}

/** Only while fewer pods are there than wanted: the failure may be over. */
function isShort(object: KubernetesObject, view: ClusterView): boolean {
  if (object.kind === "Job")
    return (
      (numberAt(object, "status", "active") ?? 0) +
        (numberAt(object, "status", "succeeded") ?? 0) +
        (numberAt(object, "status", "failed") ?? 0) ===
      0
    );
  if (object.kind === "DaemonSet")
    return (
      (numberAt(object, "status", "currentNumberScheduled") ?? 0) <
      (numberAt(object, "status", "desiredNumberScheduled") ?? 0)
    );
  const wanted = numberAt(object, "spec", "replicas") ?? 1;
  if ((numberAt(object, "status", "replicas") ?? 0) < wanted) return true;
  // A status may count pods that are not there any more.
  const pods = view.owned(object).filter(({ kind }) => kind === "Pod");
  return (numberAt(object, "status", "readyReplicas") ?? 0) < wanted && pods.length < wanted;
}

/** The newest failure. Several like it may have been joined into one event. */
function current(events: readonly ClusterEvent[], now: number): ClusterEvent | undefined {
  return events.find(
    ({ reason, lastSeen }) =>
      reason === "FailedCreate" && (lastSeen === undefined || now - lastSeen < 2 * recentMs),
  );
}

/** Used and hard of the quotas that the text names. */
function quotaEvidence(
  object: KubernetesObject,
  view: ClusterView,
  text: string,
): readonly Evidence[] {
  return view
    .list("ResourceQuota")
    .filter(
      (quota) =>
        quota.metadata.namespace === object.metadata.namespace &&
        (!/quota: /.test(text) || text.includes(quota.metadata.name)),
    )
    .map((quota) => {
      const used = recordAt(quota, "status", "used");
      const pairs = Object.entries(recordAt(quota, "status", "hard")).map(
        ([key, hard]) => `${key} ${String(used[key] ?? "?")} of ${String(hard)} used`,
      );
      return fieldEvidence(quota, "status", pairs.join(", "));
    })
    .slice(0, 3);
}
