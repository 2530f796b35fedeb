import { textAt } from "../../cluster/fields.js";
import type { Detector } from "../detector.js";
import { eventEvidence, fieldEvidence } from "../evidence.js";
import { finding } from "../finding.js";
import { describeCommand } from "../kubectl.js";
import { defined } from "../pod-finding.js";

/** A volume that failed, waits, or is left over. */
export const volume: Detector = (object, view) => {
  const phase = textAt(object, "status", "phase");
  if (phase === undefined || phase === "Bound" || phase === "Available") return [];
  // One that is on its way out is released first.
  if (phase === "Released" && textAt(object, "metadata", "deletionTimestamp") !== undefined)
    return [];
  const reason = textAt(object, "status", "reason") ?? "";
  const message = textAt(object, "status", "message") ?? "";
  const event = view.events(object).find(({ type }) => type === "Warning");
  return [
    finding({
      signal: "PVFailed",
      severity: phase === "Failed" ? "high" : phase === "Released" ? "low" : "medium",
      object,
      confidence: phase === "Failed" ? 0.92 : 0.75,
      summary: `PersistentVolume ${object.metadata.name} is ${phase}${reason === "" ? "" : ` (${reason})`}${message === "" ? "" : `: ${message}`}`,
      message: message === "" ? event?.message : message,
      evidence: [
        fieldEvidence(object, "status.phase", `${phase}${message === "" ? "" : `: ${message}`}`),
        ...(event === undefined ? [] : [eventEvidence(event)]),
      ],
      next: describeCommand(object),
      values: defined({
        phase,
        reason,
        storage_class: textAt(object, "spec", "storageClassName"),
        reclaim_policy: textAt(object, "spec", "persistentVolumeReclaimPolicy"),
      }),
    }),
  ];
};
