import { listAt, textAt, timeAt } from "../../cluster/fields.js";
import type { Detector } from "../detector.js";
import { fieldEvidence } from "../evidence.js";
import { finding } from "../finding.js";
import { describeCommand } from "../kubectl.js";

/** How long a request may wait for its approval before it is missed, in milliseconds. */
const patienceMs = 300_000;

/** A CertificateSigningRequest that waits for its approval, or that was denied: a kubelet or a client waits for it. */
export const signingRequest: Detector = (object, view) => {
  if (object.kind !== "CertificateSigningRequest") return [];
  const conditions = listAt(object, "status", "conditions");
  const refused = conditions.find((one) => /^(?:Denied|Failed)$/.test(textAt(one, "type") ?? ""));
  const born = timeAt(object, "metadata", "creationTimestamp");
  const isOld = born !== undefined && view.now - born > patienceMs;
  const isWaiting = "status" in object && conditions.length === 0 && isOld;
  if (refused === undefined && !isWaiting) return [];
  const signer = textAt(object, "spec", "signerName") ?? "its signer";
  const who = textAt(object, "spec", "username") ?? "its user";
  const said = textAt(refused, "message") ?? textAt(refused, "reason");
  const what =
    refused === undefined
      ? "is Pending: it has been neither approved nor denied"
      : `is ${textAt(refused, "type") ?? ""}${said === undefined ? "" : `: ${said}`}`;
  return [
    finding({
      signal: "CertificateNotReady",
      severity: "high",
      object,
      confidence: 0.9,
      summary: `CertificateSigningRequest ${object.metadata.name} of ${who} for ${signer} ${what}`,
      message: said,
      evidence: [
        fieldEvidence(object, "status.conditions", textAt(refused, "type") ?? "none"),
        fieldEvidence(object, "spec.signerName", signer),
      ],
      next: describeCommand(object),
    }),
  ];
};
