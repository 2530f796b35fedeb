import type { KubernetesObject } from "../../cluster/cluster-reader.js";
import { booleanAt, listAt, textAt, timeAt } from "../../cluster/fields.js";
import type { Detector } from "../detector.js";
import { eventEvidence, fieldEvidence } from "../evidence.js";
import { finding } from "../finding.js";
import { describeCommand } from "../kubectl.js";
import { defined } from "../pod-finding.js";
import type { SignalType } from "../signal-type.js";

/** Conditions that are bad when True; of the others, those of the second list are bad when False. */
const badWhenTrue =
  /^(?:CatalogSourcesUnhealthy|ResolutionFailed|InstallPlanFailed|InstallPlanMissing|BundleUnpackFailed|Conflicted|PartiallyInvalid|InvalidRequest|Denied|Paused|Fallback|Stalled|Degraded)$/;
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
  ScaledObject: "HPAUnableToScale",
  APIService: "ServiceNoEndpoints",
  HelmRelease: "RolloutStuck",
  Kustomization: "RolloutStuck",
};

function isReference(condition: unknown): boolean {
  return textAt(condition, "type") === "ResolvedRefs";
}

/** What an operator's version waits for, and whom an install plan waits for. */
function requirementsOf(object: KubernetesObject): string | undefined {
  if (object.kind === "InstallPlan" && booleanAt(object, "spec", "approved") === false) {
    const names = listAt(object, "spec", "clusterServiceVersionNames").map(String).join(", ");
    return `it waits to be approved (approval ${textAt(object, "spec", "approval") ?? "Manual"}, approved false)${names === "" ? "" : `, for ${names}`}`;
  }
  const lacking = listAt(object, "status", "requirementStatus").filter((one) =>
    /^(?:NotPresent|PresentNotSatisfied)$/.test(textAt(one, "status") ?? ""),
  );
  if (lacking.length === 0) return undefined;
  return `it requires ${lacking
    .slice(0, 5)
    .map(
      (one) =>
        `${textAt(one, "kind") ?? ""} ${textAt(one, "name") ?? "?"} (${textAt(one, "status") ?? ""}${textAt(one, "message") === undefined ? "" : `: ${textAt(one, "message")}`})`,
    )
    .join(", ")}`;
}

/** A resource of an extension whose own status says that it failed or waits. */
export const customConditions: Detector = (object, view) => {
  const conditions = [
    ...listAt(object, "status", "conditions").map((one, index) => ({
      one,
      path: `status.conditions[${index}]`,
    })),
    // A gateway has conditions for each listener, a route for each gateway it belongs to.
    ...listAt(object, "status", "listeners").flatMap((listener, at) =>
      listAt(listener, "conditions").map((one, index) => ({
        one,
        path: `status.listeners[${at}].conditions[${index}]`,
      })),
    ),
    ...listAt(object, "status", "parents").flatMap((parent, at) =>
      listAt(parent, "conditions").map((one, index) => ({
        one,
        path: `status.parents[${at}].conditions[${index}]`,
      })),
    ),
  ];
  const bad = conditions
    .filter(({ one }) => {
      const type = textAt(one, "type") ?? "";
      const status = textAt(one, "status");
      // An upgrade that waits for a person is pending for good.
      const isHeld = type === "InstallPlanPending" && textAt(one, "reason") === "RequiresApproval";
      return (
        ((badWhenTrue.test(type) || isHeld) && status === "True") ||
        (badWhenFalse.test(type) && status === "False")
      );
    })
    // What cannot be resolved is why the rest is not programmed.
    .sort((a, b) => Number(isReference(b.one)) - Number(isReference(a.one)));
  const phase = textAt(object, "status", "phase") ?? textAt(object, "status", "state") ?? "";
  const reason = textAt(object, "status", "reason") ?? "";
  const isPhaseBad =
    /^(?:Failed|Pending|RequiresApproval|invalid|errored|expired|pending)$/.test(phase) &&
    reason !== "Copied";
  const connection = textAt(object, "status", "connectionState", "lastObservedState");
  const isLost = connection !== undefined && /^(?:TRANSIENT_FAILURE|CONNECTING)$/.test(connection);
  if (bad.length === 0 && !isPhaseBad && !isLost) return [];
  const [first] = bad;
  const wanting = requirementsOf(object);
  const message =
    wanting ??
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
        ...(wanting === undefined ? [] : [fieldEvidence(object, "status", wanting)]),
        ...(isLost ? [fieldEvidence(object, "status.connectionState", connection)] : []),
        ...(event === undefined ? [] : [eventEvidence(event)]),
      ],
      next: describeCommand(object),
      values: defined({ phase, reason }),
    }),
  ];
};
