import type { KubernetesObject } from "../../cluster/cluster-reader.js";
import { booleanAt, listAt, textAt, timeAt } from "../../cluster/fields.js";
import type { ClusterView } from "../cluster-view.js";
import { conditionEvidence, findCondition, isBadCondition, listConditions } from "../conditions.js";
import { type Detector, recentMs, type Sightings } from "../detector.js";
import { type Evidence, fieldEvidence } from "../evidence.js";
import { clause, type Draft, type Shown } from "../finding.js";
import { describeCommand, kubectl } from "../kubectl.js";

/** Conditions that the kubelet itself reports: their text repeats their name. */
const isOwnCondition = /^(?:Memory|Disk|PID)Pressure$/;
/** How late a node's lease may be before it is shown, in milliseconds: it is renewed every ten seconds. */
const shownLeaseMs = 120_000;

/** A node that does not report, reports not ready, or runs short. The status counts, not its text. */
export const node: Detector = (object, view) => {
  const { name } = object.metadata;
  const conditions = listConditions(object);
  const ready = findCondition(object, "Ready");
  const isReady = ready?.status === "True";
  const isCordoned = booleanAt(object, "spec", "unschedulable") === true;
  const taints = listTaints(object);
  const node_conditions = conditions.map(({ type, status }) => `${type || "?"}=${status || "?"}`);
  const eventsWith = (...reasons: readonly string[]) =>
    view
      .events(object)
      .filter(({ reason }) => reasons.includes(reason))
      .slice(0, 2);
  const found: Draft[] = [];
  if (ready !== undefined && !isReady) {
    const { status, reason, message } = ready;
    found.push({
      signal: "NodeNotReady",
      severity: "critical",
      summary: `node ${name} is not ready: condition Ready is ${status || "missing"}${clause(" (", reason, ")")}${clause(": ", message)}${status === "Unknown" ? "; the kubelet does not report any more" : ""}`,
      message,
      evidence: [
        ready,
        ...taints,
        findLease(object, view, shownLeaseMs)?.evidence,
        ...eventsWith("NodeNotReady", "NodeStatusUnknown"),
      ],
      next: [
        ...describeCommand(object),
        ...kubectl`get pods -A --field-selector spec.nodeName=${name}`,
      ],
      values: { node_conditions, unschedulable: isCordoned },
    });
  }
  // A node's own conditions, and those that others add: `KernelDeadlock`, `ReadonlyFilesystem`.
  const pressed = conditions.filter(
    (one) => one.type !== "Ready" && one.status === "True" && isBadCondition(one),
  );
  if (pressed.length > 0) {
    const said = pressed.find(({ type, message }) => !isOwnCondition.test(type) && message !== "");
    found.push({
      signal: "NodePressure",
      severity: "high",
      summary: `node ${name} has ${pressed.map(({ type }) => `${type}=True`).join(", ")}${clause(" (", said?.message, ")")}${isReady ? "; it is Ready" : ""}`,
      message: pressed[0]?.message,
      evidence: [
        ...pressed.map((one) =>
          conditionEvidence(object, isOwnCondition.test(one.type) ? { ...one, message: "" } : one),
        ),
        ...taints,
        ...eventsWith("EvictionThresholdMet", "SystemOOM", "FreeDiskSpaceFailed", "ImageGCFailed"),
      ],
      next: [...describeCommand(object), ...kubectl`top node ${name}`],
      values: { node_conditions },
    });
  }
  const rebooted = view.event(object, "Rebooted");
  if (rebooted?.lastSeen !== undefined && view.now - rebooted.lastSeen < recentMs)
    found.push({
      signal: "NodeRestart",
      severity: "high",
      summary: `node ${name} was restarted: ${rebooted.message}`,
      message: rebooted.message,
      evidence: [rebooted, ...eventsWith("NodeNotReady", "Starting")],
      values: { node_conditions },
    });
  if (isReady) found.push(...[silentNode(object, view) ?? []].flat());
  if (found.length > 0) return found;
  if (conditions.length === 0)
    return {
      signal: "NodeNotReady",
      severity: "low",
      verified: false,
      isFaint: true,
      summary: `node ${name} reports no conditions: whether it is ready is unknown`,
      evidence: [["status.conditions", "none"]],
      values: { unschedulable: false },
    };
  if (!isCordoned) return [];
  return {
    signal: "NodeCordoned",
    severity: "low",
    verified: false,
    isFaint: true,
    summary: `node ${name} is cordoned (unschedulable): it takes no new pods${isReady ? "; it is Ready" : ""}`,
    evidence: taints,
    values: { unschedulable: true },
  };
};

function listTaints(object: KubernetesObject): readonly Shown[] {
  const isCordoned = booleanAt(object, "spec", "unschedulable") === true;
  return [
    isCordoned
      ? ["spec.unschedulable", "true: the node is cordoned, scheduling disabled"]
      : undefined,
    ...listAt(object, "spec", "taints").map((taint, index): Shown => {
      const key = textAt(taint, "key") ?? "?";
      const text = `taint ${key}${clause("=", textAt(taint, "value"))}:${textAt(taint, "effect") ?? ""}`;
      return [`spec.taints[${index}]`, text];
    }),
  ];
}

/** How late a lease may be, in milliseconds: a kubelet renews it every ten seconds. */
const leaseMs = 300_000;
/** How late a heartbeat may be, in milliseconds: a kubelet writes one every five minutes at least. */
const heartbeatMs = 900_000;

/** When a kubelet last reported, and whether that is too long ago. */
interface Report {
  readonly at: number;
  readonly isLate: boolean;
  readonly evidence: Evidence;
}

/**
 * A node that is Ready by its status, and whose kubelet did not report for long before the time of the reading:
 * then the status is what it was. Sure only where another node reports in time, as clocks may differ.
 */
function silentNode(object: KubernetesObject, view: ClusterView): Sightings {
  const report = findLastReport(object, view);
  if (report?.isLate !== true) return [];
  const { name } = object.metadata;
  const others = view.list("Node").filter((one) => one !== object);
  const isAlone = others.some((one) => findLastReport(one, view)?.isLate === false);
  const minutes = Math.round((view.now - report.at) / 60_000);
  return {
    signal: "NodeNotReady",
    severity: "high",
    verified: isAlone,
    isFaint: true,
    summary: `the status of node ${name} says Ready, but its kubelet last reported at ${new Date(report.at).toISOString()}, ${minutes} min before this was read: whether it is ready now is not known${isAlone ? "; other nodes report in time" : ""}`,
    message: `kubelet last reported ${minutes} min ago`,
    evidence: [report.evidence],
    next: [...describeCommand(object), ...kubectl`get lease -n kube-node-lease ${name} -o yaml`],
  };
}

/** The lease tells first; the heartbeat in the status where no lease was read. */
function findLastReport(object: KubernetesObject, view: ClusterView): Report | undefined {
  const lease = findLease(object, view, 0);
  if (lease !== undefined) return lease;
  const conditions = listAt(object, "status", "conditions");
  const index = conditions.findIndex((one) => textAt(one, "type") === "Ready");
  const at = timeAt(conditions[index], "lastHeartbeatTime");
  if (at === undefined) return undefined;
  const path = `status.conditions[${index}].lastHeartbeatTime`;
  const text = `last heartbeat ${new Date(at).toISOString()}`;
  const evidence = fieldEvidence(object, path, text, at);
  return { at, isLate: view.now - at > heartbeatMs, evidence };
}

/** The lease of a node, where it was renewed so many milliseconds ago or longer. */
function findLease(
  object: KubernetesObject,
  view: ClusterView,
  minAgeMs: number,
): Report | undefined {
  const lease = view.get("Lease", "kube-node-lease", object.metadata.name);
  const at = timeAt(lease, "spec", "renewTime");
  if (lease === undefined || at === undefined) return undefined;
  if (minAgeMs > 0 && view.now - at < minAgeMs) return undefined;
  const text = `last renewed ${new Date(at).toISOString()}`;
  const evidence = fieldEvidence(lease, "spec.renewTime", text, at);
  return { at, isLate: view.now - at > leaseMs, evidence };
}
