import { listAt, textAt } from "../../cluster/fields.js";
import type { Detector } from "../detector.js";
import { fieldEvidence } from "../evidence.js";
import { finding } from "../finding.js";
import { describeCommand } from "../kubectl.js";
import { defined } from "../pod-finding.js";

/** An Argo CD application whose last sync failed, or whose resources are not healthy. */
export const application: Detector = (object) => {
  const phase = textAt(object, "status", "operationState", "phase") ?? "";
  const health = textAt(object, "status", "health", "status") ?? "";
  const sync = textAt(object, "status", "sync", "status") ?? "";
  const errors = listAt(object, "status", "conditions").flatMap((one, index) =>
    /Error$/.test(textAt(one, "type") ?? "")
      ? [{ index, text: `${textAt(one, "type")}: ${textAt(one, "message") ?? ""}` }]
      : [],
  );
  const hasFailed = /^(?:Failed|Error)$/.test(phase);
  const isIll = /^(?:Degraded|Missing)$/.test(health);
  if (!hasFailed && !isIll && errors.length === 0) return [];
  const said = textAt(object, "status", "operationState", "message");
  const message = hasFailed
    ? said
    : (errors[0]?.text ?? textAt(object, "status", "health", "message"));
  return [
    finding({
      signal: "RolloutStuck",
      severity: "high",
      object,
      confidence: 0.85,
      summary: `Application ${object.metadata.name}: ${[hasFailed ? `its last sync ${phase.toLowerCase()}` : "", isIll ? `its health is ${health}` : "", sync === "" ? "" : `sync ${sync}`].filter((part) => part !== "").join(", ") || "it reports an error"}${message === undefined ? "" : `: ${message}`}`,
      message,
      evidence: [
        ...(hasFailed
          ? [fieldEvidence(object, "status.operationState", `${phase}: ${said ?? ""}`)]
          : []),
        ...(isIll ? [fieldEvidence(object, "status.health.status", health)] : []),
        ...errors
          .slice(0, 3)
          .map(({ index, text }) => fieldEvidence(object, `status.conditions[${index}]`, text)),
      ],
      next: describeCommand(object),
      values: defined({ phase, health, sync }),
    }),
  ];
};
