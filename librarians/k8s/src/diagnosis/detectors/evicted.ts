import { textAt } from "../../cluster/fields.js";
import type { Detector } from "../detector.js";
import { eventEvidence, fieldEvidence } from "../evidence.js";
import { finding } from "../finding.js";
import { describeCommand } from "../kubectl.js";
import { defined, siblingKey } from "../pod-finding.js";

/** A pod that its node put out. What ran short is only said when the node said it. */
export const evicted: Detector = (pod, view) => {
  const reason = textAt(pod, "status", "reason") ?? "";
  if (
    reason !== "Evicted" &&
    reason !== "Preempting" &&
    reason !== "NodeShutdown" &&
    reason !== "Terminated"
  )
    return [];
  const message = textAt(pod, "status", "message") ?? "";
  const event = view.events(pod).find((one) => one.reason === "Evicted");
  return [
    finding({
      signal: reason === "Evicted" ? "Evicted" : "PodFailed",
      severity: "high",
      object: pod,
      confidence: 0.95,
      summary: `pod ${pod.metadata.name} was ${reason === "Evicted" ? "evicted (reason Evicted)" : `ended (reason ${reason})`}${message === "" ? "; no message says why" : `: ${message}`}`,
      message: message === "" ? undefined : message,
      evidence: [
        fieldEvidence(
          pod,
          "status",
          `reason ${reason}${message === "" ? ", without a message" : `: ${message}`}`,
        ),
        ...(event === undefined ? [] : [eventEvidence(event)]),
      ],
      next: describeCommand(pod),
      values: defined({
        phase: textAt(pod, "status", "phase"),
        reason,
        node: textAt(pod, "spec", "nodeName"),
      }),
      key: siblingKey(view, pod, "Evicted", message.slice(0, 40)),
    }),
  ];
};
