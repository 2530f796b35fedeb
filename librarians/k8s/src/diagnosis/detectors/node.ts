import type { KubernetesObject } from "../../cluster/cluster-reader.js";
import { booleanAt, listAt, textAt, timeAt } from "../../cluster/fields.js";
import type { ClusterView } from "../cluster-view.js";
import { conditionEvidence, isBadCondition, listConditions } from "../conditions.js";
import { type Detector, recentMs } from "../detector.js";
import { eventEvidence, fieldEvidence } from "../evidence.js";
import { type Evidence, type Finding, finding } from "../finding.js";
import { describeCommand, kubectl } from "../kubectl.js";
import { silentNode } from "./node-silence.js";

/** Conditions that the kubelet itself reports: their text repeats their name. */
const isOwnCondition = /^(?:Memory|Disk|PID)Pressure$/;
/** How late a node's lease may be, in milliseconds: it is renewed every ten seconds. */
const leaseMs = 120_000;

/** A node that does not report, reports not ready, or runs short. The status counts, not its text. */
export const node: Detector = (object, view) => {
  const conditions = listAt(object, "status", "conditions");
  const taints = listTaints(object);
  const found: Finding[] = [];
  const ready = conditions.findIndex((one) => textAt(one, "type") === "Ready");
  const readyStatus = textAt(conditions[ready], "status");
  const { name } = object.metadata;
  if (ready >= 0 && readyStatus !== "True") {
    const reason = textAt(conditions[ready], "reason") ?? "";
    const message = textAt(conditions[ready], "message") ?? "";
    const since = timeAt(conditions[ready], "lastTransitionTime");
    found.push(
      finding({
        signal: "NodeNotReady",
        severity: "critical",
        object,
        confidence: 0.95,
        summary: `node ${name} is not ready: condition Ready is ${readyStatus ?? "missing"}${reason === "" ? "" : ` (${reason})`}${message === "" ? "" : `: ${message}`}${readyStatus === "Unknown" ? "; the kubelet does not report any more" : ""}`,
        message: message === "" ? undefined : message,
        evidence: [
          fieldEvidence(
            object,
            `status.conditions[${ready}]`,
            `Ready ${readyStatus ?? "missing"}, reason ${reason}: ${message}`,
            since,
          ),
          ...taints,
          ...lease(object, view),
          ...eventsWith(object, view, ["NodeNotReady", "NodeStatusUnknown"]),
        ],
        next: [
          ...describeCommand(object),
          ...kubectl`get pods -A --field-selector spec.nodeName=${name}`,
        ],
        values: {
          node_conditions: conditionValues(conditions),
          unschedulable: booleanAt(object, "spec", "unschedulable") ?? false,
        },
      }),
    );
  }
  // A node's own conditions, and those that others add: `KernelDeadlock`, `ReadonlyFilesystem`.
  const pressed = listConditions(object).filter(
    (one) => one.type !== "Ready" && one.status === "True" && isBadCondition(one),
  );
  if (pressed.length > 0) {
    const [said] = pressed.filter(
      ({ type, message }) => !isOwnCondition.test(type) && message !== "",
    );
    found.push(
      finding({
        signal: "NodePressure",
        severity: "high",
        object,
        confidence: 0.95,
        summary: `node ${name} has ${pressed.map(({ type }) => `${type}=True`).join(", ")}${said === undefined ? "" : ` (${said.message})`}${ready >= 0 && readyStatus === "True" ? "; it is Ready" : ""}`,
        message: pressed[0]?.message,
        evidence: [
          ...pressed.map((one) =>
            conditionEvidence(
              object,
              isOwnCondition.test(one.type) ? { ...one, message: "" } : one,
            ),
          ),
          ...taints,
          ...eventsWith(object, view, [
            "EvictionThresholdMet",
            "SystemOOM",
            "FreeDiskSpaceFailed",
            "ImageGCFailed",
          ]),
        ],
        next: [...describeCommand(object), ...kubectl`top node ${name}`],
        values: { node_conditions: conditionValues(conditions) },
      }),
    );
  }
  const rebooted = view
    .events(object)
    .find(
      ({ reason, lastSeen }) =>
        reason === "Rebooted" && lastSeen !== undefined && view.now - lastSeen < recentMs,
    );
  if (rebooted !== undefined) {
    found.push(
      finding({
        signal: "NodeRestart",
        severity: "high",
        object,
        summary: `node ${name} was restarted: ${rebooted.message}`,
        message: rebooted.message,
        evidence: [
          eventEvidence(rebooted),
          ...eventsWith(object, view, ["NodeNotReady", "Starting"]),
        ],
        next: describeCommand(object),
        values: { node_conditions: conditionValues(conditions) },
      }),
    );
  }
  if (readyStatus === "True") found.push(...silentNode(object, view));
  if (
    found.length === 0 &&
    (booleanAt(object, "spec", "unschedulable") === true || conditions.length === 0)
  ) {
    const isCordoned = conditions.length > 0;
    found.push(
      finding({
        signal: isCordoned ? "NodeCordoned" : "NodeNotReady",
        severity: "low",
        object,
        confidence: 0.5,
        verified: false,
        summary: isCordoned
          ? `node ${name} is cordoned (unschedulable): it takes no new pods${readyStatus === "True" ? "; it is Ready" : ""}`
          : `node ${name} reports no conditions: whether it is ready is unknown`,
        evidence: isCordoned ? taints : [fieldEvidence(object, "status.conditions", "none")],
        next: describeCommand(object),
        values: { unschedulable: isCordoned },
      }),
    );
  }
  return found;
};

function listTaints(object: KubernetesObject): readonly Evidence[] {
  const cordoned =
    booleanAt(object, "spec", "unschedulable") === true
      ? [
          fieldEvidence(
            object,
            "spec.unschedulable",
            "true: the node is cordoned, scheduling disabled",
          ),
        ]
      : [];
  const taints = listAt(object, "spec", "taints").map((taint, index) => {
    const value = textAt(taint, "value");
    const key = textAt(taint, "key") ?? "?";
    return fieldEvidence(
      object,
      `spec.taints[${index}]`,
      `taint ${key}${value === undefined ? "" : `=${value}`}:${textAt(taint, "effect") ?? ""}`,
    );
  });
  return [...cordoned, ...taints];
}

function lease(object: KubernetesObject, view: ClusterView): readonly Evidence[] {
  const found = view.get("Lease", "kube-node-lease", object.metadata.name);
  const renewed = timeAt(found, "spec", "renewTime");
  if (found === undefined || renewed === undefined || view.now - renewed < leaseMs) return [];
  return [
    fieldEvidence(
      found,
      "spec.renewTime",
      `last renewed ${new Date(renewed).toISOString()}`,
      renewed,
    ),
  ];
}

function eventsWith(
  object: KubernetesObject,
  view: ClusterView,
  reasons: readonly string[],
): readonly Evidence[] {
  return view
    .events(object)
    .filter(({ reason }) => reasons.includes(reason))
    .slice(0, 2)
    .map(eventEvidence);
}

/** Conditions as facts: type and status. */
function conditionValues(conditions: readonly unknown[]): readonly string[] {
  return conditions.map((one) => `${textAt(one, "type") ?? "?"}=${textAt(one, "status") ?? "?"}`);
}
