import { listAt, textAt, timeAt } from "../../cluster/fields.js";
import type { Detector } from "../detector.js";
import { eventEvidence, fieldEvidence } from "../evidence.js";
import { finding } from "../finding.js";
import { describeCommand } from "../kubectl.js";
import { defined } from "../pod-finding.js";

/** How long a certificate may have no condition before its controller is missed, in milliseconds. */
const untouchedMs = 300_000;

/** A cert-manager Certificate that is not ready, or past its end. */
export const certificate: Detector = (object, view) => {
  const conditions = listAt(object, "status", "conditions");
  const index = conditions.findIndex(
    (one) => textAt(one, "type") === "Ready" && textAt(one, "status") !== "True",
  );
  const ends = timeAt(object, "status", "notAfter");
  const isOver = ends !== undefined && ends < view.now;
  const born = timeAt(object, "metadata", "creationTimestamp");
  // Its controller gives a certificate this condition at once.
  const isUntouched =
    "status" in object &&
    conditions.every((one) => textAt(one, "type") !== "Ready") &&
    born !== undefined &&
    view.now - born > untouchedMs;
  if (index < 0 && !isOver && !isUntouched) return [];
  const reason = textAt(conditions[index], "reason") ?? "";
  const message = textAt(conditions[index], "message") ?? "";
  const issuing = conditions.find((one) => textAt(one, "type") === "Issuing");
  const event = view.events(object).find(({ type }) => type === "Warning");
  return [
    finding({
      signal: "CertificateNotReady",
      severity: "high",
      object,
      confidence: 0.92,
      summary: `Certificate ${object.metadata.name} is not ready${reason === "" ? "" : ` (${reason})`}${message === "" ? "" : `: ${message}`}${isOver ? "; it has expired" : ""}${isUntouched ? ": its status has no condition Ready, so no controller has looked at it" : ""}`,
      message: message === "" ? event?.message : message,
      evidence: [
        ...(index < 0
          ? []
          : [
              fieldEvidence(
                object,
                `status.conditions[${index}]`,
                `Ready ${textAt(conditions[index], "status") ?? ""}, reason ${reason}: ${message}`,
                timeAt(conditions[index], "lastTransitionTime"),
              ),
            ]),
        ...(isUntouched ? [fieldEvidence(object, "status.conditions", "no condition Ready")] : []),
        ...(issuing === undefined
          ? []
          : [
              fieldEvidence(
                object,
                "status.conditions",
                `Issuing ${textAt(issuing, "status") ?? ""}: ${textAt(issuing, "message") ?? ""}`,
              ),
            ]),
        ...(event === undefined ? [] : [eventEvidence(event)]),
      ],
      next: describeCommand(object),
      values: defined({
        reason,
        not_after: textAt(object, "status", "notAfter"),
        issuer: textAt(object, "spec", "issuerRef", "name"),
        secret_name: textAt(object, "spec", "secretName"),
      }),
    }),
  ];
};
