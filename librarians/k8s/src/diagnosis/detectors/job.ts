import { booleanAt, listAt, numberAt, textAt, timeAt } from "../../cluster/fields.js";
import { type Detector, recentMs } from "../detector.js";
import { eventEvidence, fieldEvidence } from "../evidence.js";
import { finding } from "../finding.js";
import { describeCommand, kubectl, option } from "../kubectl.js";
import { defined } from "../pod-finding.js";

/** A Job that failed, or that is told to wait. One that completed after retries did not fail. */
export const job: Detector = (object, view) => {
  const conditions = listAt(object, "status", "conditions");
  const holds = (type: string) =>
    conditions.findIndex(
      (one) => textAt(one, "type") === type && textAt(one, "status") !== "False",
    );
  if (holds("Complete") >= 0 || holds("SuccessCriteriaMet") >= 0) return [];
  const { name, namespace } = object.metadata;
  if (booleanAt(object, "spec", "suspend") === true) {
    return [
      finding({
        signal: "JobSuspended",
        severity: "low",
        object,
        confidence: 0.95,
        summary: `Job ${name} is suspended (spec.suspend: true), so it starts no pods`,
        evidence: [fieldEvidence(object, "spec.suspend", "true")],
        next: describeCommand(object),
        values: { suspend: true },
      }),
    ];
  }
  const failedAt = [holds("Failed"), holds("FailureTarget")].find((index) => index >= 0) ?? -1;
  const failures = numberAt(object, "status", "failed") ?? 0;
  const succeeded = numberAt(object, "status", "succeeded") ?? 0;
  if (failedAt < 0 && (failures === 0 || succeeded > 0)) return [];
  const condition = conditions[failedAt];
  const reason = textAt(condition, "reason") ?? "";
  const message = textAt(condition, "message") ?? "";
  const at = timeAt(condition, "lastTransitionTime");
  const event = view
    .events(object)
    .find((one) =>
      ["BackoffLimitExceeded", "DeadlineExceeded", "FailedCreate"].includes(one.reason),
    );
  const isOld = at !== undefined && view.now - at > 24 * recentMs;
  return [
    finding({
      signal: "JobFailed",
      severity: failedAt < 0 || isOld ? "medium" : "high",
      object,
      confidence: 0.88,
      summary: `Job ${name} ${failedAt < 0 ? "has failed pods and has not completed" : `failed${reason === "" ? "" : ` (${reason})`}`}: ${failures} failed, ${succeeded} succeeded${message === "" ? "" : `: ${message}`}`,
      message: message === "" ? event?.message : message,
      evidence: [
        ...(failedAt < 0
          ? []
          : [
              fieldEvidence(
                object,
                `status.conditions[${failedAt}]`,
                `Failed, reason ${reason}: ${message}`,
                at,
              ),
            ]),
        fieldEvidence(
          object,
          "status",
          `failed ${failures}, succeeded ${succeeded}, active ${numberAt(object, "status", "active") ?? 0}`,
        ),
        ...(event === undefined ? [] : [eventEvidence(event)]),
      ],
      next: [...kubectl`logs job/${name}${option("-n", namespace)}`, ...describeCommand(object)],
      values: defined({
        reason,
        failed_pods: failures,
        succeeded_pods: succeeded,
        backoff_limit: numberAt(object, "spec", "backoffLimit"),
      }),
      logs: view
        .owned(object)
        .filter(({ kind, metadata }) => kind === "Pod" && metadata.namespace !== undefined)
        .slice(-2)
        .map(({ metadata }) => ({
          namespace: namespace ?? "",
          pod: metadata.name,
          previous: false,
        })),
      key: `job|${namespace ?? ""}|${view.owner(object)?.metadata.name ?? name}`,
    }),
  ];
};
