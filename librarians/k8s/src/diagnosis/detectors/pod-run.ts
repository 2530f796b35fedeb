import { textAt } from "../../cluster/fields.js";
import type { Detector } from "../detector.js";
import { eventEvidence, fieldEvidence } from "../evidence.js";
import { finding } from "../finding.js";
import { describeCommand } from "../kubectl.js";
import { defined, siblingKey } from "../pod-finding.js";

/** A pod in phase Failed whose containers tell nothing. */
export const podRun: Detector = (pod, view) => {
  if (textAt(pod, "status", "phase") !== "Failed") return [];
  const reason = textAt(pod, "status", "reason") ?? "";
  const warnings = view.events(pod).filter(({ type }) => type === "Warning");
  const message = textAt(pod, "status", "message") ?? warnings[0]?.message ?? "";
  return [
    finding({
      signal: "PodFailed",
      severity: "high",
      object: pod,
      confidence: 0.7,
      summary: `pod ${pod.metadata.name} is in phase Failed${reason === "" ? "" : ` (${reason})`}${message === "" ? "; nothing that was read says why" : `: ${message}`}`,
      message: message === "" ? undefined : message,
      evidence: [
        fieldEvidence(pod, "status.phase", `Failed${reason === "" ? "" : `, reason ${reason}`}`),
        ...warnings.slice(0, 2).map(eventEvidence),
      ],
      next: describeCommand(pod),
      values: defined({ phase: "Failed", reason, node: textAt(pod, "spec", "nodeName") }),
      key: siblingKey(view, pod, "failed", reason),
    }),
  ];
};
