import { listAt, recordAt, textAt } from "../../cluster/fields.js";
import type { Detector } from "../detector.js";

/** An admission webhook whose service does not exist, or has no running pod behind it. */
export const webhook: Detector = (object, view) => {
  const bad = listAt(object, "webhooks").flatMap((one, index) => {
    const name = textAt(one, "clientConfig", "service", "name");
    const namespace = textAt(one, "clientConfig", "service", "namespace");
    if (name === undefined) return [];
    const service = view.get("Service", namespace, name);
    const hasSelector = Object.keys(recordAt(service, "spec", "selector")).length > 0;
    const isEmpty =
      hasSelector &&
      view.isKnown("Pod", namespace) &&
      view
        .behind(service)
        .every((pod) => (textAt(pod, "status", "phase") ?? "Running") !== "Running");
    const isMissing = view.presence("Service", namespace, name) === "missing";
    if (!isMissing && !isEmpty) return [];
    const policy = textAt(one, "failurePolicy") ?? "Fail";
    return [
      {
        label: textAt(one, "name") ?? `webhooks[${index}]`,
        policy,
        text: `service ${name} ${isMissing ? "does not exist" : "has no running pods behind it"}`,
        shown: [
          `webhooks[${index}].clientConfig.service`,
          `${namespace ?? ""}/${name}, failurePolicy ${policy}`,
        ] as const,
      },
    ];
  });
  if (bad.length === 0) return [];
  return {
    signal: "WebhookUnavailable",
    severity: bad.some(({ policy }) => policy === "Fail") ? "high" : "medium",
    summary: `${object.kind} ${object.metadata.name}: ${bad.map(({ label, text }) => `${label} cannot be reached (${text})`).join("; ")}`,
    evidence: bad.map(({ shown }) => shown),
    values: {
      webhooks: bad.map(({ label }) => label),
      failure_policy: [...new Set(bad.map(({ policy }) => policy))].join(", "),
    },
  };
};
