import { listAt, recordAt, textAt } from "../../cluster/fields.js";
import type { Detector } from "../detector.js";
import { fieldEvidence } from "../evidence.js";
import { finding } from "../finding.js";
import { describeCommand } from "../kubectl.js";

/** An admission webhook whose service does not exist, or has no running pod behind it. */
export const webhook: Detector = (object, view) => {
  const bad = listAt(object, "webhooks").flatMap((one, index) => {
    const name = textAt(one, "clientConfig", "service", "name");
    const namespace = textAt(one, "clientConfig", "service", "namespace");
    if (name === undefined) return [];
    const label = textAt(one, "name") ?? `webhooks[${index}]`;
    const at = `webhooks[${index}].clientConfig.service`;
    const policy = textAt(one, "failurePolicy") ?? "Fail";
    const presence = view.presence("Service", namespace, name);
    if (presence === "missing")
      return [
        {
          label,
          policy,
          text: `service ${name} does not exist`,
          evidence: fieldEvidence(
            object,
            at,
            `${namespace ?? ""}/${name}, failurePolicy ${policy}`,
          ),
        },
      ];
    const service = view.get("Service", namespace, name);
    const selector = recordAt(service, "spec", "selector");
    if (service === undefined || Object.keys(selector).length === 0) return [];
    if (view.presence("Pod", namespace, "\0") !== "missing") return [];
    const pods = view.podsMatching(namespace, { matchLabels: selector });
    const running = pods.filter(
      (pod) =>
        textAt(pod, "status", "phase") === "Running" ||
        textAt(pod, "status", "phase") === undefined,
    );
    if (running.length > 0) return [];
    return [
      {
        label,
        policy,
        text: `service ${name} has no running pods behind it`,
        evidence: fieldEvidence(object, at, `${namespace ?? ""}/${name}, failurePolicy ${policy}`),
      },
    ];
  });
  if (bad.length === 0) return [];
  const blocks = bad.some(({ policy }) => policy === "Fail");
  return [
    finding({
      signal: "WebhookUnavailable",
      severity: blocks ? "high" : "medium",
      object,
      confidence: 0.9,
      summary: `${object.kind} ${object.metadata.name}: ${bad.map(({ label, text }) => `${label} cannot be reached (${text})`).join("; ")}`,
      evidence: bad.map(({ evidence }) => evidence),
      next: describeCommand(object),
      values: {
        webhooks: bad.map(({ label }) => label),
        failure_policy: [...new Set(bad.map(({ policy }) => policy))].join(", "),
      },
    }),
  ];
};
