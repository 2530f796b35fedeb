import { listAt, textAt, timeAt } from "../../cluster/fields.js";
import type { Detector } from "../detector.js";
import { eventEvidence, fieldEvidence } from "../evidence.js";
import { finding } from "../finding.js";
import { describeCommand } from "../kubectl.js";
import { defined } from "../pod-finding.js";
import type { SignalType } from "../signal-type.js";

/** Conditions that are bad when True; of the others, those of the second list are bad when False. */
const badWhenTrue =
  /^(?:CatalogSourcesUnhealthy|ResolutionFailed|InstallPlanFailed|InstallPlanMissing|BundleUnpackFailed|Conflicted|PartiallyInvalid|InvalidRequest|Denied)$/;
const badWhenFalse =
  /^(?:Ready|Accepted|Programmed|Available|ResolvedRefs|Approved|Installed|Healthy)$/;

const signals: Readonly<Record<string, SignalType>> = {
  Subscription: "SubscriptionFailed",
  InstallPlan: "SubscriptionFailed",
  ClusterServiceVersion: "SubscriptionFailed",
  CatalogSource: "SubscriptionFailed",
  GatewayClass: "IngressClassMissing",
  Gateway: "IngressBackendMissing",
  HTTPRoute: "IngressBackendMissing",
};

/** A resource of an extension whose own status says that it failed or waits. */
export const customConditions: Detector = (object, view) => {
  const conditions = [
    ...listAt(object, "status", "conditions").map((one, index) => ({
      one,
      path: `status.conditions[${index}]`,
    })),
    // A route has conditions for each gateway it belongs to.
    ...listAt(object, "status", "parents").flatMap((parent, at) =>
      listAt(parent, "conditions").map((one, index) => ({
        one,
        path: `status.parents[${at}].conditions[${index}]`,
      })),
    ),
  ];
  const bad = conditions.filter(({ one }) => {
    const type = textAt(one, "type") ?? "";
    const status = textAt(one, "status");
    return (
      (badWhenTrue.test(type) && status === "True") ||
      (badWhenFalse.test(type) && status === "False")
    );
  });
  const phase = textAt(object, "status", "phase") ?? textAt(object, "status", "state") ?? "";
  const reason = textAt(object, "status", "reason") ?? "";
  const isPhaseBad =
    /^(?:Failed|Pending|RequiresApproval|invalid|errored|expired|pending)$/.test(phase) &&
    reason !== "Copied";
  const connection = textAt(object, "status", "connectionState", "lastObservedState");
  const isLost = connection !== undefined && /^(?:TRANSIENT_FAILURE|CONNECTING)$/.test(connection);
  if (bad.length === 0 && !isPhaseBad && !isLost) return [];
  const [first] = bad;
  const message =
    textAt(first?.one, "message") ??
    textAt(object, "status", "message") ??
    (reason === "" ? undefined : reason);
  const what = [
    ...bad.map(
      ({ one }) =>
        `${textAt(one, "type") ?? ""} is ${textAt(one, "status") ?? ""}${textAt(one, "reason") === undefined ? "" : ` (${textAt(one, "reason")})`}`,
    ),
    ...(isPhaseBad
      ? [
          `its ${object.kind === "Order" || object.kind === "Challenge" ? "state" : "phase"} is ${phase}${reason === "" ? "" : ` (${reason})`}`,
        ]
      : []),
    ...(isLost ? [`its connection is ${connection}`] : []),
  ].join(", ");
  const event = view.events(object).find(({ type }) => type === "Warning");
  return [
    finding({
      signal: signals[object.kind] ?? "CertificateNotReady",
      severity: "high",
      object,
      confidence: 0.88,
      summary: `${object.kind} ${object.metadata.name}: ${what}${message === undefined ? "" : `: ${message}`}`,
      message: message ?? event?.message,
      evidence: [
        ...bad.map(({ one, path }) =>
          fieldEvidence(
            object,
            path,
            `${textAt(one, "type") ?? ""} ${textAt(one, "status") ?? ""}, reason ${textAt(one, "reason") ?? ""}: ${textAt(one, "message") ?? ""}`,
            timeAt(one, "lastTransitionTime"),
          ),
        ),
        ...(isPhaseBad ? [fieldEvidence(object, "status.phase", phase)] : []),
        ...(isLost ? [fieldEvidence(object, "status.connectionState", connection)] : []),
        ...(event === undefined ? [] : [eventEvidence(event)]),
      ],
      next: describeCommand(object),
      values: defined({ phase, reason }),
    }),
  ];
};
