import type { SignalType } from "./diagnosis/signal-type.js";

/** Failures whose cause may be in what does not belong to an object. */
export const beyond: ReadonlySet<SignalType> = new Set([
  "FailedAttachVolume",
  "FailedMount",
  "HPAUnableToScale",
  "WebhookUnavailable",
  "StuckTerminating",
  "PVCPending",
  "PVCLost",
  "PVFailed",
  "NetworkPolicyBlocking",
  "MeshPolicyDenied",
  "CertificateNotReady",
]);

/** Failures whose cause may be in an extension's own resources. */
export const leadsToExtensions: ReadonlySet<SignalType> = new Set([
  "CertificateNotReady",
  "SubscriptionFailed",
  // A mesh may route to what has no pods; what is missing may be made by an extension.
  "ScaledToZero",
  "MissingReference",
]);
