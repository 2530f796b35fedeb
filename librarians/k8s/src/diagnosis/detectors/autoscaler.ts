import type { KubernetesObject } from "../../cluster/cluster-reader.js";
import { listAt, numberAt, recordAt, textAt, timeAt } from "../../cluster/fields.js";
import type { ClusterView } from "../cluster-view.js";
import type { Detector } from "../detector.js";
import { eventEvidence, fieldEvidence } from "../evidence.js";
import { type Finding, finding } from "../finding.js";
import { describeCommand } from "../kubectl.js";
import { defined } from "../pod-finding.js";

/** An autoscaler that cannot scale, or may not scale further. Its conditions count, not its old events. */
export const autoscaler: Detector = (object, view) => {
  const broken = unable(object, view);
  // Its own status says more than that its target could not be read.
  const found = broken?.verified === true ? broken : (maxed(object) ?? broken);
  return found === undefined ? [] : [found];
};

function unable(object: KubernetesObject, view: ClusterView): Finding | undefined {
  const { name, namespace } = object.metadata;
  const kind = textAt(object, "spec", "scaleTargetRef", "kind") ?? "";
  const target = textAt(object, "spec", "scaleTargetRef", "name") ?? "";
  const presence = target === "" ? "there" : view.presence(kind, namespace, target);
  const conditions = listAt(object, "status", "conditions");
  const index = conditions.findIndex(
    (one) =>
      ["AbleToScale", "ScalingActive"].includes(textAt(one, "type") ?? "") &&
      textAt(one, "status") === "False",
  );
  const base = {
    signal: "HPAUnableToScale",
    severity: "high",
    object,
    next: describeCommand(object),
    values: readValues(object),
  } as const;
  if (index >= 0) {
    const type = textAt(conditions[index], "type") ?? "";
    const reason = textAt(conditions[index], "reason") ?? "";
    const message = textAt(conditions[index], "message") ?? "";
    const event = view.events(object).find((one) => one.type === "Warning");
    return finding({
      ...base,
      confidence: 0.92,
      summary: `HPA ${name} cannot scale: ${type} is False${reason === "" ? "" : ` (${reason})`}${message === "" ? "" : `: ${message}`}${presence === "missing" ? `; its target ${kind}/${target} does not exist` : ""}`,
      message: message === "" ? undefined : message,
      evidence: [
        fieldEvidence(
          object,
          `status.conditions[${index}]`,
          `${type} False, reason ${reason}: ${message}`,
          timeAt(conditions[index], "lastTransitionTime"),
        ),
        ...(event === undefined ? [] : [eventEvidence(event)]),
      ],
    });
  }
  if (
    presence !== "there" &&
    /^(Deployment|ReplicaSet|StatefulSet|ReplicationController)$/.test(kind)
  ) {
    return finding({
      ...base,
      confidence: presence === "missing" ? 0.9 : 0.6,
      verified: presence === "missing",
      summary:
        presence === "missing"
          ? `HPA ${name} points at ${kind}/${target}, which does not exist`
          : `HPA ${name} points at ${kind}/${target}, which was not found: nothing of kind ${kind} could be read`,
      evidence: [fieldEvidence(object, "spec.scaleTargetRef", `${kind}/${target}`)],
    });
  }
  // Utilisation is a share of the requests, so each container must have some.
  const metrics = listAt(object, "spec", "metrics");
  const resources = metrics.flatMap((metric) =>
    textAt(metric, "resource", "target", "type") === "Utilization"
      ? (textAt(metric, "resource", "name") ?? [])
      : [],
  );
  const workload = view.get(kind, namespace, target);
  if (workload === undefined) return undefined;
  const wanted = metrics.length === 0 ? ["cpu"] : resources;
  const without = listAt(workload, "spec", "template", "spec", "containers").filter((container) =>
    wanted.some(
      (resource) =>
        recordAt(container, "resources", "requests")[resource] === undefined &&
        recordAt(container, "resources", "limits")[resource] === undefined,
    ),
  );
  const active = conditions.some(
    (one) => textAt(one, "type") === "ScalingActive" && textAt(one, "status") === "True",
  );
  if (without.length === 0 || wanted.length === 0 || active || maxed(object) !== undefined)
    return undefined;
  const names = without.map((container) => textAt(container, "name") ?? "a container").join(", ");
  return finding({
    ...base,
    severity: "medium",
    confidence: 0.8,
    summary: `HPA ${name} scales ${kind}/${target} by ${wanted.join(" and ")} utilisation, but ${names} has no resource requests to measure against`,
    evidence: [
      fieldEvidence(
        workload,
        "spec.template.spec.containers",
        `${names}: no resources.requests.${wanted.join(", no resources.requests.")}`,
      ),
      fieldEvidence(object, "spec.scaleTargetRef", `${kind}/${target}`),
    ],
  });
}

function maxed(object: KubernetesObject): Finding | undefined {
  const conditions = listAt(object, "status", "conditions");
  const index = conditions.findIndex(
    (one) =>
      textAt(one, "type") === "ScalingLimited" &&
      textAt(one, "status") === "True" &&
      textAt(one, "reason") === "TooManyReplicas",
  );
  const maxReplicas = numberAt(object, "spec", "maxReplicas");
  if (index < 0 || maxReplicas === undefined) return undefined;
  const message = textAt(conditions[index], "message") ?? "";
  const current = numberAt(object, "status", "currentReplicas");
  return finding({
    signal: "HPAMaxedOut",
    severity: "medium",
    object,
    confidence: 0.92,
    summary: `HPA ${object.metadata.name} is at its maximum of ${maxReplicas} replicas (maxReplicas) and wants more: ScalingLimited is True (TooManyReplicas)`,
    message,
    evidence: [
      fieldEvidence(
        object,
        `status.conditions[${index}]`,
        `ScalingLimited True, reason TooManyReplicas: ${message}`,
        timeAt(conditions[index], "lastTransitionTime"),
      ),
      fieldEvidence(object, "status", `${current ?? "?"} replicas now, maxReplicas ${maxReplicas}`),
      ...readMetrics(object),
    ],
    next: describeCommand(object),
    values: readValues(object),
  });
}

function readMetrics(object: KubernetesObject) {
  return listAt(object, "status", "currentMetrics").flatMap((metric, index) => {
    const name = textAt(metric, "resource", "name");
    const now = numberAt(metric, "resource", "current", "averageUtilization");
    const spec = listAt(object, "spec", "metrics").find(
      (one) => textAt(one, "resource", "name") === name,
    );
    const wanted = numberAt(spec, "resource", "target", "averageUtilization");
    return name === undefined || now === undefined
      ? []
      : [
          fieldEvidence(
            object,
            `status.currentMetrics[${index}]`,
            `${name} utilisation ${now} %${wanted === undefined ? "" : `, target ${wanted} %`}`,
          ),
        ];
  });
}

function readValues(object: KubernetesObject) {
  return defined({
    scale_target: [
      textAt(object, "spec", "scaleTargetRef", "kind"),
      textAt(object, "spec", "scaleTargetRef", "name"),
    ].join("/"),
    min_replicas: numberAt(object, "spec", "minReplicas"),
    max_replicas: numberAt(object, "spec", "maxReplicas"),
    current_replicas: numberAt(object, "status", "currentReplicas"),
    desired_replicas: numberAt(object, "status", "desiredReplicas"),
  });
}
