import { booleanAt, listAt, textAt } from "../../cluster/fields.js";
import type { Detector } from "../detector.js";
import { fieldEvidence } from "../evidence.js";
import { finding } from "../finding.js";
import { describeCommand } from "../kubectl.js";
import { listSlices } from "./service.js";

/**
 * A Service that answers callers only from their own node, and has no ready endpoint on some nodes. That a caller is there is
 * not known.
 */
export const localTraffic: Detector = (object, view) => {
  if (textAt(object, "spec", "internalTrafficPolicy") !== "Local") return [];
  const { name } = object.metadata;
  const endpoints = listSlices(object, view)
    .flatMap((slice) => listAt(slice, "endpoints"))
    .filter((one) => booleanAt(one, "conditions", "ready") !== false);
  const served = new Set(endpoints.flatMap((one) => textAt(one, "nodeName") ?? []));
  const without = view.list("Node").filter(({ metadata }) => !served.has(metadata.name));
  if (served.size === 0 || without.length === 0) return [];
  const names = without.slice(0, 5).map(({ metadata }) => metadata.name);
  return [
    finding({
      signal: "ServiceNoEndpoints",
      severity: "medium",
      object,
      confidence: 0.55,
      verified: false,
      summary: `Service ${name} answers callers only from an endpoint on their own node (internalTrafficPolicy Local), and has none on node ${names.join(", ")}`,
      evidence: [
        fieldEvidence(object, "spec.internalTrafficPolicy", "Local"),
        fieldEvidence(object, "endpoints", `on node ${[...served].slice(0, 5).join(", ")}`),
      ],
      next: describeCommand(object),
    }),
  ];
};
