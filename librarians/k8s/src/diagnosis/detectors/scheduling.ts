import { listAt, numberAt, recordAt, textAt } from "../../cluster/fields.js";
import type { Detector } from "../detector.js";
import { eventEvidence, fieldEvidence } from "../evidence.js";
import { finding } from "../finding.js";
import { describeCommand } from "../kubectl.js";
import { defined, siblingKey } from "../pod-finding.js";
import { schedulingCauses } from "../scheduling-causes.js";

/** A pod that no node was chosen for. An event alone does not say so: the pod may have a node since. */
export const scheduling: Detector = (pod, view) => {
  const phase = textAt(pod, "status", "phase");
  if (phase !== undefined && phase !== "Pending") return [];
  if (textAt(pod, "spec", "nodeName") !== undefined) return [];
  const conditions = listAt(pod, "status", "conditions");
  const hasPlace = conditions.some(
    (one) => textAt(one, "type") === "PodScheduled" && textAt(one, "status") === "True",
  );
  if (hasPlace || textAt(pod, "status", "hostIP") !== undefined) return [];
  const index = conditions.findIndex(
    (one) => textAt(one, "type") === "PodScheduled" && textAt(one, "status") !== "True",
  );
  const condition = conditions[index];
  const event = view.events(pod).find(({ reason }) => reason === "FailedScheduling");
  const reason = textAt(condition, "reason") ?? "";
  const gates = listAt(pod, "spec", "schedulingGates").flatMap(
    (gate) => textAt(gate, "name") ?? [],
  );
  const message = textAt(condition, "message") ?? event?.message ?? "";
  const isGated = reason === "SchedulingGated" || gates.length > 0;
  if (
    !isGated &&
    reason !== "Unschedulable" &&
    event === undefined &&
    !(reason !== "" && index >= 0)
  )
    return [];
  const reasons = isGated ? [] : schedulingCauses(pod, message, view);
  const scaler = view
    .events(pod)
    .find((one) => /^(?:NotTriggerScaleUp|FailedScaleUp|ScaleUpFailed)$/.test(one.reason));
  const nominated = textAt(pod, "status", "nominatedNodeName");
  const waits =
    nominated === undefined
      ? ""
      : `; it is nominated for node ${nominated}, and waits for pods of lower priority to end there`;
  const wants = describeConstraints(pod);
  const name = pod.metadata.name;
  const claims = listAt(pod, "spec", "volumes").flatMap(
    (volume) => textAt(volume, "persistentVolumeClaim", "claimName") ?? [],
  );
  return [
    finding({
      signal: isGated ? "SchedulingGated" : "FailedScheduling",
      severity: isGated ? "medium" : "high",
      object: pod,
      confidence: 0.92,
      summary: isGated
        ? `pod ${name} is held back by a scheduling gate (SchedulingGated)${gates.length === 0 ? "" : `: ${gates.join(", ")}`}`
        : `pod ${name} is Pending: no node was found for it${message === "" ? "" : `: ${message}`}${reasons.map(({ text }) => `; ${text}`).join("")}${waits}${scaler === undefined ? "" : `; ${scaler.message}`}`,
      message: message === "" ? undefined : message,
      evidence: [
        ...(index < 0
          ? []
          : [
              fieldEvidence(
                pod,
                `status.conditions[${index}]`,
                `PodScheduled ${textAt(condition, "status") ?? "False"}, reason ${reason}${textAt(condition, "message") === undefined ? "" : `: ${textAt(condition, "message")}`}`,
              ),
            ]),
        ...(event === undefined || isGated ? [] : [eventEvidence(event)]),
        ...reasons.flatMap(({ evidence }) => evidence),
        ...(scaler === undefined ? [] : [eventEvidence(scaler)]),
        ...(wants === "" || isGated ? [] : [fieldEvidence(pod, "spec", wants)]),
      ],
      next: [...describeCommand(pod), ...(isGated ? [] : ["kubectl get nodes --show-labels"])],
      values: defined({
        phase: "Pending",
        reason,
        scheduling_gates: gates.length === 0 ? undefined : gates,
        claims: claims.length === 0 ? undefined : claims,
      }),
      key: siblingKey(view, pod, "scheduling", message.slice(0, 80)),
    }),
  ];
};

/** What the pod asks of a node, as its spec says. */
function describeConstraints(pod: unknown): string {
  const selector = Object.entries(recordAt(pod, "spec", "nodeSelector")).map(
    ([key, value]) => `${key}=${String(value)}`,
  );
  const terms = listAt(
    pod,
    "spec",
    "affinity",
    "nodeAffinity",
    "requiredDuringSchedulingIgnoredDuringExecution",
    "nodeSelectorTerms",
  )
    .flatMap((term) => listAt(term, "matchExpressions"))
    .map((one) =>
      `${textAt(one, "key") ?? "?"} ${textAt(one, "operator") ?? ""} ${listAt(one, "values").join(", ")}`.trim(),
    );
  const spread = listAt(pod, "spec", "topologySpreadConstraints").map(
    (one) =>
      `topology spread over ${textAt(one, "topologyKey") ?? "?"}, maxSkew ${String(numberAt(one, "maxSkew") ?? 1)}, ${textAt(one, "whenUnsatisfiable") ?? ""}`,
  );
  const apart = listAt(
    pod,
    "spec",
    "affinity",
    "podAntiAffinity",
    "requiredDuringSchedulingIgnoredDuringExecution",
  ).map((one) => `required pod anti-affinity over ${textAt(one, "topologyKey") ?? "?"}`);
  const tolerations = listAt(pod, "spec", "tolerations").flatMap((one) => {
    const key = textAt(one, "key");
    return key === undefined || key.startsWith("node.kubernetes.io/") ? [] : [key];
  });
  const requests = listAt(pod, "spec", "containers").flatMap((container) => {
    const wanted = Object.entries(recordAt(container, "resources", "requests"));
    return wanted.map(
      ([key, value]) =>
        `${textAt(container, "name") ?? "container"} requests ${key} ${String(value)}`,
    );
  });
  return [
    selector.length === 0 ? "" : `nodeSelector ${selector.join(", ")}`,
    terms.length === 0 ? "" : `required node affinity ${terms.join("; ")}`,
    ...spread,
    ...apart,
    tolerations.length === 0 ? "" : `tolerates ${tolerations.join(", ")}`,
    requests.join(", "),
  ]
    .filter((part) => part !== "")
    .join("; ");
}
