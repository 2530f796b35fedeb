import type { KubernetesObject } from "../../cluster/cluster-reader.js";
import { numberAt, recordAt } from "../../cluster/fields.js";
import type { ClusterView } from "../cluster-view.js";
import { listConditions } from "../conditions.js";
import { type Detector, recentMs } from "../detector.js";
import { type Evidence, fieldEvidence } from "../evidence.js";
import { describeCommand, kubectl, option } from "../kubectl.js";
import type { SignalType } from "../signal-type.js";

/** A controller that may not create its pods. It has no pod to look at: its condition and its events say why. */
export const failedCreate: Detector = (object, view) => {
  const failures = listConditions(object).filter(
    ({ type, status, reason }) =>
      type === "ReplicaFailure" && status !== "False" && reason.startsWith("FailedCreate"),
  );
  // The newest failure. Several like it may have been joined into one event.
  const event = view
    .events(object)
    .find(
      ({ reason, lastSeen = view.now }) =>
        reason === "FailedCreate" &&
        view.now - lastSeen < 2 * recentMs &&
        (failures.length > 0 || isShort(object, view)),
    );
  if (failures.length === 0 && event === undefined) return [];
  const messages = failures.map(({ message }) => message).filter((text) => text !== "");
  const whole = messages.length > 0 ? [...new Set(messages)].join("; ") : (event?.message ?? "");
  const message = withoutRepeats(whole);
  const said = `${message} ${event?.message ?? ""}`;
  const signal = toSignal(said);
  const quotas =
    signal === "QuotaExceeded" || /quota/i.test(said) ? quotaEvidence(object, view, said) : [];
  const { namespace, name } = object.metadata;
  return {
    signal,
    severity: "critical",
    summary: `${object.kind} ${name} cannot create its pods${signal === "QuotaExceeded" ? ": a resource quota is used up" : ""}: ${message}`,
    message,
    evidence: [...failures, event, ...quotas],
    next: [
      ...(quotas.length > 0 ? kubectl`describe resourcequota${option("-n", namespace)}` : []),
      ...describeCommand(object),
    ],
    values: { reason: "FailedCreate", event_count: event?.count },
    // A Deployment repeats what its ReplicaSet says.
    key: `create|${namespace ?? ""}|${(view.owner(object) ?? object).metadata.name}`,
  };
};

/** A message without parts that repeat another one of it but for what is in quotes: one for each policy that was tried. */
function withoutRepeats(text: string): string {
  const forms = new Set<string>();
  const parts = text.split(", ").filter((part) => {
    // A list begins and ends in brackets.
    const form = part
      .slice(part.lastIndexOf("[") + 1)
      .replace(/\]$/, "")
      .replace(/"[^"]{0,300}"/g, "");
    const isNew = !forms.has(form);
    forms.add(form);
    return isNew;
  });
  return parts.join(", ");
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
  const count = (field: string) => numberAt(object, "status", field) ?? 0;
  if (object.kind === "Job") return count("active") + count("succeeded") + count("failed") === 0;
  if (object.kind === "DaemonSet")
    return count("currentNumberScheduled") < count("desiredNumberScheduled");
  const wanted = numberAt(object, "spec", "replicas") ?? 1;
  if (count("replicas") < wanted) return true;
  // A status may count pods that are not there any more.
  const pods = view.owned(object).filter(({ kind }) => kind === "Pod");
  return count("readyReplicas") < wanted && pods.length < wanted;
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
      ({ metadata }) =>
        metadata.namespace === object.metadata.namespace &&
        (!/quota: /.test(text) || text.includes(metadata.name)),
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
