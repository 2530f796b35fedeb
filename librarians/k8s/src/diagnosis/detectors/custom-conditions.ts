import type { ClusterEvent, KubernetesObject } from "../../cluster/cluster-reader.js";
import { booleanAt, listAt, recordAt, textAt } from "../../cluster/fields.js";
import {
  conditionEvidence,
  conditionText,
  findBadPhase,
  isBadCondition,
  listConditions,
} from "../conditions.js";
import { type Detector, recentMs } from "../detector.js";
import { eventEvidence, fieldEvidence } from "../evidence.js";
import { finding } from "../finding.js";
import { describeCommand } from "../kubectl.js";
import { defined } from "../pod-finding.js";
import { findPurpose } from "../purpose.js";

/** What a status says about itself in words, under whatever name: `message`, `phaseReason`, `error.message`. */
function saidIn(object: KubernetesObject): string | undefined {
  const fields = Object.entries(recordAt(object, "status"));
  const texts = fields.flatMap(([field, value]) => {
    if (!/(?:message|error|failure|reason)s?$/i.test(field) || field === "reason") return [];
    return (typeof value === "string" ? value : textAt(value, "message")) ?? [];
  });
  return texts.find((text) => text !== "");
}

/** What an operator's version waits for, and whom an install plan waits for. */
function describeRequirements(object: KubernetesObject): string | undefined {
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

function isRecent({ lastSeen }: ClusterEvent, now: number): boolean {
  return lastSeen === undefined || now - lastSeen < 2 * recentMs;
}

/** A resource of an extension whose own status says that it failed or waits. */
export const customConditions: Detector = (object, view) => {
  const bad = listConditions(object)
    // An upgrade that waits for a person is pending for good.
    .filter(
      (one) =>
        isBadCondition(one) ||
        (one.type === "InstallPlanPending" &&
          one.reason === "RequiresApproval" &&
          one.status === "True"),
    )
    // What cannot be resolved is why the rest is not programmed.
    .sort((a, b) => Number(b.type === "ResolvedRefs") - Number(a.type === "ResolvedRefs"));
  const reason = textAt(object, "status", "reason") ?? "";
  const phase = reason === "Copied" ? undefined : findBadPhase(object);
  const connection = textAt(object, "status", "connectionState", "lastObservedState");
  const isLost = connection !== undefined && /^(?:TRANSIENT_FAILURE|CONNECTING)$/.test(connection);
  if (bad.length === 0 && phase === undefined && !isLost) return [];
  const [first] = bad.filter(({ message }) => message !== "");
  const wanting = describeRequirements(object);
  const event = view.events(object).find(({ type }) => type === "Warning");
  const said = first?.message;
  // A controller may put into the event what the condition only sums up.
  const isSaid =
    event === undefined || said === undefined || said.includes(event.message.slice(0, 40));
  const reported =
    isSaid || !isRecent(event, view.now) ? [] : [`${event.reason}: ${event.message}`];
  // Some say in a phase of several words, and in its reason, what their condition only sums up.
  const words = [textAt(object, "status", "phase") ?? "", saidIn(object) ?? ""].filter(
    (text) => bad.length > 0 && text.includes(" ") && !said?.includes(text) && text !== phase?.text,
  );
  const more = [...words, ...reported].map((text) => `; ${text}`).join("");
  const message =
    wanting ?? first?.message ?? saidIn(object) ?? (reason === "" ? undefined : reason);
  const what = [
    ...bad.map(conditionText),
    ...(phase === undefined
      ? []
      : [
          `its ${phase.path.split(".").at(-1) ?? "phase"} is ${phase.text}${reason === "" ? "" : ` (${reason})`}`,
        ]),
    ...(isLost ? [`its connection is ${connection}`] : []),
  ].join(", ");
  return [
    finding({
      signal: findPurpose(object.kind) ?? "ReplicasUnavailable",
      severity: "high",
      object,
      confidence: 0.88,
      summary: `${object.kind} ${object.metadata.name}: ${what}${message === undefined ? "" : `: ${message}`}${more}`,
      message: message ?? event?.message,
      evidence: [
        ...bad.map((one) => conditionEvidence(object, one)),
        ...(phase === undefined ? [] : [fieldEvidence(object, phase.path, phase.text)]),
        ...(wanting === undefined ? [] : [fieldEvidence(object, "status", wanting)]),
        ...(isLost ? [fieldEvidence(object, "status.connectionState", connection)] : []),
        ...(event === undefined ? [] : [eventEvidence(event)]),
      ],
      next: describeCommand(object),
      values: defined({ phase: phase?.text, reason }),
    }),
  ];
};
