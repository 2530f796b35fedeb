import type { KubernetesObject } from "../../cluster/cluster-reader.js";
import { listAt, numberAt, recordAt, textAt, valueAt } from "../../cluster/fields.js";
import type { ClusterView } from "../cluster-view.js";
import { findCondition, listConditions } from "../conditions.js";
import type { Detector } from "../detector.js";
import { fieldEvidence } from "../evidence.js";
import { clause, type Draft, type Shown } from "../finding.js";
import { describeCommand, kubectl, option } from "../kubectl.js";
import { parseQuantity } from "../quantity.js";
import { matchesSelector, printLabels, printSelector } from "../selector.js";

/** A disruption budget that allows no eviction, that shares a pod with another, or that selects none. */
export const disruptionBudget: Detector = (object, view) => {
  const { name, namespace } = object.metadata;
  const selector = recordAt(object, "spec", "selector");
  const printed = printSelector(selector);
  const pods = view.podsMatching(namespace, selector);
  const budget = ["minAvailable", "maxUnavailable"].flatMap((field) => {
    const value = valueAt(object, "spec", field);
    return typeof value === "string" || typeof value === "number" ? [`${field} ${value}`] : [];
  });
  const condition = findCondition(object, "DisruptionAllowed", "False");
  const count = (field: string) => numberAt(object, "status", field);
  const allowed = count("disruptionsAllowed");
  const expected = count("expectedPods");
  const values = {
    disruptions_allowed: allowed,
    current_healthy: count("currentHealthy"),
    desired_healthy: count("desiredHealthy"),
    expected_pods: expected,
  };
  if (condition !== undefined || (allowed === 0 && (expected ?? pods.length) > 0)) {
    const given = [
      allowed === undefined ? "" : `disruptionsAllowed ${allowed}`,
      values.current_healthy === undefined
        ? ""
        : `${values.current_healthy} healthy of ${values.desired_healthy ?? "?"} needed`,
    ].filter((text) => text !== "");
    const states =
      condition === undefined
        ? given
        : [...given, `DisruptionAllowed is False${clause(" (", condition.reason, ")")}`];
    const labels = printLabels(recordAt(selector, "matchLabels"));
    return {
      signal: "PDBBlocking",
      severity: "medium",
      summary: `PodDisruptionBudget ${name} allows no eviction${clause(" (", budget.join(", "), ")")}${clause(": ", states.join(", "))}`,
      evidence: [
        condition,
        [
          "status",
          allowed === undefined
            ? undefined
            : [...given, `expectedPods ${expected ?? "?"}`].join(", "),
        ],
        ["spec", budget.length === 0 ? undefined : `${budget.join(", ")}, selector ${printed}`],
        view.warning(object),
      ],
      next: [
        ...describeCommand(object),
        ...kubectl`get pods${option("-n", namespace)}${option("-l", labels || undefined)}`,
      ],
      values,
    };
  }
  // The API evicts no pod that more than one budget selects, however many may go.
  const [shared] = overlaps(object, pods, view);
  if (shared !== undefined)
    return {
      signal: "PDBBlocking",
      severity: "medium",
      others: [shared.other],
      summary: `PodDisruptionBudget ${name} and ${shared.other.metadata.name} both select pod ${shared.pod.metadata.name}: a pod with more than one disruption budget cannot be evicted, so no node with such a pod can be drained`,
      evidence: [
        ["spec.selector", printed],
        fieldEvidence(shared.other, "spec.selector", printSelector(shared.selector)),
      ],
      values,
      key: [name, shared.other.metadata.name].toSorted().join("|"),
    };
  const arePodsKnown = view.isKnown("Pod", namespace);
  if (Object.keys(selector).length === 0 || pods.length > 0 || (expected ?? 0) > 0) return [];
  return {
    signal: "PDBNoPods",
    severity: "low",
    verified: arePodsKnown,
    isFaint: true,
    summary: `PodDisruptionBudget ${name} protects no pod: its selector ${printed} matches no pods`,
    evidence: [["spec.selector", printed]],
    next: kubectl`get pods --show-labels${option("-n", namespace)}`,
    values,
  };
};

/** Pods that another budget selects as well, with that budget. */
function overlaps(object: KubernetesObject, pods: readonly KubernetesObject[], view: ClusterView) {
  return view
    .list("PodDisruptionBudget")
    .filter((other) => other !== object && other.metadata.namespace === object.metadata.namespace)
    .flatMap((other) => {
      const selector = recordAt(other, "spec", "selector");
      const pod = pods.find((one) => matchesSelector(selector, one.metadata.labels ?? {}));
      return pod === undefined ? [] : [{ pod, other, selector }];
    });
}

/** An autoscaler that cannot scale, or may not scale further. Its conditions count, not its old events. */
export const autoscaler: Detector = (object, view) => {
  const kept = keptFromGrowing(object);
  if (kept !== undefined) return kept;
  const broken = unable(object, view);
  // Its own status says more than that its target could not be read.
  return broken?.verified === true ? broken : (maxed(object) ?? broken);
};

/** An autoscaler that measures too much, and that its own behavior keeps from adding replicas. */
function keptFromGrowing(object: KubernetesObject): Draft | undefined {
  if (textAt(object, "spec", "behavior", "scaleUp", "selectPolicy") !== "Disabled")
    return undefined;
  const current = numberAt(object, "status", "currentReplicas") ?? 0;
  const over = listAt(object, "status", "currentMetrics").some((metric) => {
    const name = textAt(metric, "resource", "name");
    const spec = listAt(object, "spec", "metrics").find(
      (one) => textAt(one, "resource", "name") === name,
    );
    const wanted = numberAt(spec, "resource", "target", "averageUtilization");
    const now = numberAt(metric, "resource", "current", "averageUtilization");
    return now !== undefined && wanted !== undefined && now > wanted;
  });
  if (!over || current >= (numberAt(object, "spec", "maxReplicas") ?? current)) return undefined;
  return {
    signal: "HPAUnableToScale",
    severity: "high",
    summary: `HPA ${object.metadata.name} measures more than its target and adds no replicas: its behavior.scaleUp.selectPolicy is Disabled`,
    message: "behavior.scaleUp.selectPolicy is Disabled",
    evidence: [
      ["spec.behavior.scaleUp.selectPolicy", "Disabled"],
      ...readMetrics(object),
      findCondition(object, "ScalingLimited", "True"),
    ],
    values: readValues(object),
  };
}

function unable(object: KubernetesObject, view: ClusterView): Draft | undefined {
  const { name, namespace } = object.metadata;
  const kind = textAt(object, "spec", "scaleTargetRef", "kind") ?? "";
  const target = textAt(object, "spec", "scaleTargetRef", "name") ?? "";
  const presence = target === "" ? "there" : view.presence(kind, namespace, target);
  const isMissing = presence === "missing";
  const condition = findCondition(object, /^(?:AbleToScale|ScalingActive)$/, "False");
  const base = {
    signal: "HPAUnableToScale",
    severity: "high",
    verified: true,
    values: readValues(object),
  } as const;
  const targetShown: Shown = ["spec.scaleTargetRef", `${kind}/${target}`];
  if (condition !== undefined) {
    const { type, reason, message } = condition;
    return {
      ...base,
      summary: `HPA ${name} cannot scale: ${type} is False${clause(" (", reason, ")")}${clause(": ", message)}${isMissing ? `; its target ${kind}/${target} does not exist` : ""}`,
      message,
      evidence: [condition, view.warning(object)],
    };
  }
  if (
    presence !== "there" &&
    /^(Deployment|ReplicaSet|StatefulSet|ReplicationController)$/.test(kind)
  )
    return {
      ...base,
      verified: isMissing,
      summary: `HPA ${name} points at ${kind}/${target}, which ${isMissing ? "does not exist" : `was not found: nothing of kind ${kind} could be read`}`,
      evidence: [targetShown],
    };
  // Utilisation is a share of the requests, so each container must have some.
  const metrics = listAt(object, "spec", "metrics");
  const resources = metrics.flatMap((metric) =>
    textAt(metric, "resource", "target", "type") === "Utilization"
      ? (textAt(metric, "resource", "name") ?? [])
      : [],
  );
  const wanted = metrics.length === 0 ? ["cpu"] : resources;
  const workload = view.get(kind, namespace, target);
  const without = listAt(workload, "spec", "template", "spec", "containers").filter((container) =>
    wanted.some((resource) =>
      ["requests", "limits"].every(
        (part) => recordAt(container, "resources", part)[resource] === undefined,
      ),
    ),
  );
  const isActive = findCondition(object, "ScalingActive", "True") !== undefined;
  if (workload === undefined || without.length === 0 || isActive || maxed(object) !== undefined)
    return undefined;
  const names = without.map((container) => textAt(container, "name") ?? "a container").join(", ");
  const lacks = `${names}: no resources.requests.${wanted.join(", no resources.requests.")}`;
  return {
    ...base,
    severity: "medium",
    summary: `HPA ${name} scales ${kind}/${target} by ${wanted.join(" and ")} utilisation, but ${names} has no resource requests to measure against`,
    evidence: [fieldEvidence(workload, "spec.template.spec.containers", lacks), targetShown],
  };
}

function maxed(object: KubernetesObject): Draft | undefined {
  const condition = listConditions(object).find(
    ({ type, status, reason }) =>
      type === "ScalingLimited" && status === "True" && reason === "TooManyReplicas",
  );
  const most = numberAt(object, "spec", "maxReplicas");
  if (condition === undefined || most === undefined) return undefined;
  const current = numberAt(object, "status", "currentReplicas");
  return {
    signal: "HPAMaxedOut",
    severity: "medium",
    summary: `HPA ${object.metadata.name} is at its maximum of ${most} replicas (maxReplicas) and wants more: ScalingLimited is True (TooManyReplicas)`,
    message: condition.message,
    evidence: [
      condition,
      ["status", `${current ?? "?"} replicas now, maxReplicas ${most}`],
      ...readMetrics(object),
    ],
    values: readValues(object),
  };
}

function readMetrics(object: KubernetesObject): readonly Shown[] {
  return listAt(object, "status", "currentMetrics").map((metric, index) => {
    const name = textAt(metric, "resource", "name");
    const now = numberAt(metric, "resource", "current", "averageUtilization");
    const spec = listAt(object, "spec", "metrics").find(
      (one) => textAt(one, "resource", "name") === name,
    );
    const wanted = numberAt(spec, "resource", "target", "averageUtilization");
    return name === undefined || now === undefined
      ? undefined
      : [
          `status.currentMetrics[${index}]`,
          `${name} utilisation ${now} %${clause(", target ", wanted?.toString(), " %")}`,
        ];
  });
}

function readValues(object: KubernetesObject) {
  return {
    scale_target: ["kind", "name"]
      .map((field) => textAt(object, "spec", "scaleTargetRef", field))
      .join("/"),
    min_replicas: numberAt(object, "spec", "minReplicas"),
    max_replicas: numberAt(object, "spec", "maxReplicas"),
    current_replicas: numberAt(object, "status", "currentReplicas"),
    desired_replicas: numberAt(object, "status", "desiredReplicas"),
  };
}

/** Share from which a quota is nearly full. */
const nearlyFull = 0.9;

/** A quota with little or nothing left. What it refuses is reported where it was refused. */
export const quota: Detector = (object, _view, { signals }) => {
  const used = recordAt(object, "status", "used");
  const rows = Object.entries(recordAt(object, "status", "hard")).flatMap(([key, hard]) => {
    const most = parseQuantity(hard);
    const now = parseQuantity(used[key]);
    if (most === undefined || now === undefined || most <= 0) return [];
    return [{ text: `${key} ${String(used[key])} of ${String(hard)} used`, share: now / most }];
  });
  const tight = rows.filter(({ share }) => share >= nearlyFull).sort((a, b) => b.share - a.share);
  if (tight.length === 0 || !(signals.has("QuotaExceeded") || signals.has("FailedCreate")))
    return [];
  const isFull = tight.some(({ share }) => share >= 1);
  return {
    signal: isFull ? "QuotaExceeded" : "QuotaNearlyFull",
    severity: isFull ? "medium" : "low",
    summary: `ResourceQuota ${object.metadata.name} is ${isFull ? "used up" : "nearly full"}: ${tight.map(({ text, share }) => `${text} (${Math.floor(share * 100)} %)`).join(", ")}`,
    evidence: [["status", rows.map(({ text }) => text).join(", ")]],
    values: { quota: rows.map(({ text }) => text) },
  };
};
