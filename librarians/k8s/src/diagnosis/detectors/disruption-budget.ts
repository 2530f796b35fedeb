import type { KubernetesObject } from "../../cluster/cluster-reader.js";
import { listAt, numberAt, recordAt, textAt, timeAt, valueAt } from "../../cluster/fields.js";
import type { ClusterView } from "../cluster-view.js";
import type { Detector } from "../detector.js";
import { eventEvidence, fieldEvidence } from "../evidence.js";
import { finding } from "../finding.js";
import { describeCommand, kubectl, option } from "../kubectl.js";
import { defined } from "../pod-finding.js";
import { matchesSelector, printSelector } from "../selector.js";

/** A disruption budget that allows no eviction, or that selects no pod. */
export const disruptionBudget: Detector = (object, view) => {
  const { name, namespace } = object.metadata;
  const selector = recordAt(object, "spec", "selector");
  const pods = view.podsMatching(namespace, selector);
  const arePodsKnown = view.presence("Pod", namespace, "\0") === "missing";
  const budget = ["minAvailable", "maxUnavailable"].flatMap((field) => {
    const value = valueAt(object, "spec", field);
    return typeof value === "string" || typeof value === "number" ? [`${field} ${value}`] : [];
  });
  const conditions = listAt(object, "status", "conditions");
  const index = conditions.findIndex(
    (one) => textAt(one, "type") === "DisruptionAllowed" && textAt(one, "status") === "False",
  );
  const allowed = numberAt(object, "status", "disruptionsAllowed");
  const expected = numberAt(object, "status", "expectedPods");
  const isBlocking = index >= 0 || (allowed === 0 && (expected ?? pods.length) > 0);
  const values = defined({
    disruptions_allowed: allowed,
    current_healthy: numberAt(object, "status", "currentHealthy"),
    desired_healthy: numberAt(object, "status", "desiredHealthy"),
    expected_pods: expected,
  });
  if (isBlocking) {
    const reason = textAt(conditions[index], "reason") ?? "";
    const events = view
      .events(object)
      .filter(({ type }) => type === "Warning")
      .slice(0, 1);
    return [
      finding({
        signal: "PDBBlocking",
        severity: "medium",
        object,
        confidence: 0.85,
        summary:
          `PodDisruptionBudget ${name} allows no eviction${budget.length === 0 ? "" : ` (${budget.join(", ")})`}: ${allowed === undefined ? "" : `disruptionsAllowed ${allowed}, `}${healthy(values)}${index < 0 ? "" : `DisruptionAllowed is False${reason === "" ? "" : ` (${reason})`}`}`.replace(
            /[,:] ?$/,
            "",
          ),
        evidence: [
          ...(index < 0
            ? []
            : [
                fieldEvidence(
                  object,
                  `status.conditions[${index}]`,
                  `DisruptionAllowed False, reason ${reason}`,
                  timeAt(conditions[index], "lastTransitionTime"),
                ),
              ]),
          ...(allowed === undefined
            ? []
            : [
                fieldEvidence(
                  object,
                  "status",
                  `disruptionsAllowed ${allowed}, ${healthy(values)}expectedPods ${expected ?? "?"}`,
                ),
              ]),
          ...(budget.length === 0
            ? []
            : [
                fieldEvidence(
                  object,
                  "spec",
                  `${budget.join(", ")}, selector ${printSelector(selector)}`,
                ),
              ]),
          ...events.map(eventEvidence),
        ],
        next: [
          ...describeCommand(object),
          ...kubectl`get pods${option("-n", namespace)}${option("-l", selectorText(selector))}`,
        ],
        values,
      }),
    ];
  }
  // The API evicts no pod that more than one budget selects, however many may go.
  const [shared, other] = overlap(object, pods, view);
  if (shared !== undefined && other !== undefined)
    return [
      finding({
        signal: "PDBBlocking",
        severity: "medium",
        object,
        others: [other],
        confidence: 0.85,
        summary: `PodDisruptionBudget ${name} and ${other.metadata.name} both select pod ${shared.metadata.name}: a pod with more than one disruption budget cannot be evicted, so no node with such a pod can be drained`,
        evidence: [
          fieldEvidence(object, "spec.selector", printSelector(selector)),
          fieldEvidence(other, "spec.selector", printSelector(recordAt(other, "spec", "selector"))),
        ],
        next: describeCommand(object),
        values,
        key: [name, other.metadata.name].toSorted().join("|"),
      }),
    ];
  const selectsNothing =
    Object.keys(selector).length > 0 && pods.length === 0 && (expected ?? 0) === 0;
  if (!selectsNothing) return [];
  return [
    finding({
      signal: "PDBNoPods",
      severity: "low",
      object,
      confidence: arePodsKnown ? 0.9 : 0.5,
      verified: arePodsKnown,
      summary: `PodDisruptionBudget ${name} protects no pod: its selector ${printSelector(selector)} matches no pods`,
      evidence: [fieldEvidence(object, "spec.selector", printSelector(selector))],
      next: kubectl`get pods --show-labels${option("-n", namespace)}`,
      values,
    }),
  ];
};

/** A pod that another budget selects as well, and that budget. */
function overlap(
  object: KubernetesObject,
  pods: readonly KubernetesObject[],
  view: ClusterView,
): readonly [] | readonly [pod: KubernetesObject, other: KubernetesObject] {
  for (const other of view.list("PodDisruptionBudget")) {
    if (other === object || other.metadata.namespace !== object.metadata.namespace) continue;
    const selector = recordAt(other, "spec", "selector");
    const shared = pods.find((pod) => matchesSelector(selector, pod.metadata.labels ?? {}));
    if (shared !== undefined) return [shared, other];
  }
  return [];
}

function healthy(values: Readonly<Record<string, unknown>>): string {
  return values.current_healthy === undefined
    ? ""
    : `${String(values.current_healthy)} healthy of ${String(values.desired_healthy ?? "?")} needed, `;
}

function selectorText(selector: unknown): string | undefined {
  const labels = Object.entries(recordAt(selector, "matchLabels")).map(
    ([key, value]) => `${key}=${String(value)}`,
  );
  return labels.length === 0 ? undefined : labels.join(",");
}
