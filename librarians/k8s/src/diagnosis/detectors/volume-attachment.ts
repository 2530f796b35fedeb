import { booleanAt, textAt, timeAt } from "../../cluster/fields.js";
import type { Detector } from "../detector.js";
import { fieldEvidence } from "../evidence.js";
import { finding } from "../finding.js";
import { describeCommand } from "../kubectl.js";
import { defined } from "../pod-finding.js";

/** A volume that a driver could not attach to a node, or take from it, as the attachment itself says. */
export const volumeAttachment: Detector = (object) => {
  const volume = textAt(object, "spec", "source", "persistentVolumeName");
  const node = textAt(object, "spec", "nodeName");
  const isAttached = booleanAt(object, "status", "attached") === true;
  const attach = isAttached ? undefined : textAt(object, "status", "attachError", "message");
  const detach = textAt(object, "status", "detachError", "message");
  const said = attach ?? detach;
  if (said === undefined) return [];
  const field = attach === undefined ? "detachError" : "attachError";
  return [
    finding({
      signal: "FailedAttachVolume",
      severity: "high",
      object,
      confidence: 0.9,
      summary: `volume ${volume ?? "?"} cannot be ${attach === undefined ? "detached from" : "attached to"} node ${node ?? "?"}: ${said}`,
      message: said,
      evidence: [
        fieldEvidence(object, `status.${field}`, said, timeAt(object, "status", field, "time")),
        fieldEvidence(object, "spec", `volume ${volume ?? "?"}, node ${node ?? "?"}`),
      ],
      next: describeCommand(object),
      values: defined({ volume, node }),
    }),
  ];
};
