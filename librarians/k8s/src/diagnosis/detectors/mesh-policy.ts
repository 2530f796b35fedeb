import { listAt, recordAt, textAt } from "../../cluster/fields.js";
import type { Detector } from "../detector.js";
import { fieldEvidence } from "../evidence.js";
import { finding } from "../finding.js";
import { describeCommand } from "../kubectl.js";
import { printMeshPolicy } from "../mesh-policy.js";
import { toObjectId } from "../object-id.js";
import { matchesSelector, printLabels } from "../selector.js";

/** A policy of a service mesh that refuses calls, where the question says that calls are refused. */
export const meshPolicy: Detector = (object, view, { signals }) => {
  if (!signals.has("MeshPolicyDenied")) return [];
  const { name, namespace } = object.metadata;
  const selector = recordAt(object, "spec", "selector");
  const isWhole = Object.keys(selector).length === 0;
  const action = textAt(object, "spec", "action") ?? "ALLOW";
  const rules = listAt(object, "spec", "rules");
  // An empty rule fits every call.
  if (action === "ALLOW" && rules.some((rule) => Object.keys(recordAt(rule)).length === 0))
    return [];
  const pods = view.podsMatching(namespace, isWhole ? {} : selector);
  const services = view
    .list("Service")
    .filter(
      (one) =>
        one.metadata.namespace === namespace &&
        (isWhole || matchesSelector(selector, recordAt(one, "spec", "selector"))),
    );
  return [
    finding({
      signal: "MeshPolicyDenied",
      severity: "high",
      object,
      confidence: 0.75,
      summary: `AuthorizationPolicy ${name} applies to ${
        isWhole
          ? `every workload of namespace ${namespace ?? ""}`
          : `workloads with ${printLabels(recordAt(selector, "matchLabels"))}`
      } and ${printMeshPolicy(object)}; other calls to them are refused with "RBAC: access denied"`,
      evidence: [fieldEvidence(object, "spec", printMeshPolicy(object))],
      next: describeCommand(object),
      affects: [...pods, ...services].slice(0, 200).map(toObjectId),
    }),
  ];
};
