import type { KubernetesObject } from "../../cluster/cluster-reader.js";
import { booleanAt, listAt, numberAt, textAt, timeAt } from "../../cluster/fields.js";
import type { ClusterView } from "../cluster-view.js";
import { type Detector, recentMs } from "../detector.js";
import { eventEvidence, fieldEvidence } from "../evidence.js";
import { finding } from "../finding.js";
import { describeCommand, kubectl, option } from "../kubectl.js";
import { defined } from "../pod-finding.js";
import { quote } from "../quote.js";
import { isTrace } from "./trace.js";

/** A Job that failed, or that is asked to wait. One that completed after retries did not fail. */
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
  const gone = goneWith(object, view);
  const deadline = numberAt(object, "spec", "activeDeadlineSeconds");
  const indexes = textAt(object, "status", "failedIndexes");
  const isOld = at !== undefined && view.now - at > 24 * recentMs;
  return [
    finding({
      signal: "JobFailed",
      severity: failedAt < 0 || isOld ? "medium" : "high",
      object,
      confidence: 0.88,
      summary: `Job ${name} ${failedAt < 0 ? "has failed pods and has not completed" : `failed${reason === "" ? "" : ` (${reason})`}`}: ${failures} failed, ${succeeded} succeeded${indexes === undefined ? "" : `, failed indexes ${indexes}`}${message === "" ? "" : `: ${message}`}${reason === "DeadlineExceeded" && deadline !== undefined ? ` (activeDeadlineSeconds ${deadline})` : ""}${gone === undefined ? "" : `; its pod ${gone.pod}, which is gone or was not recorded, had ${quote(`${gone.event.reason}: ${gone.event.message}`, 400)}`}`,
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
        ...(deadline === undefined || reason !== "DeadlineExceeded"
          ? []
          : [fieldEvidence(object, "spec.activeDeadlineSeconds", `${deadline} s`)]),
        ...(event === undefined ? [] : [eventEvidence(event)]),
        ...(gone === undefined ? [] : [eventEvidence(gone.event)]),
      ],
      next: [...kubectl`logs job/${name}${option("-n", namespace)}`, ...describeCommand(object)],
      values: defined({
        reason,
        failed_pods: failures,
        failed_indexes: indexes,
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

/** Reasons of events that say what kept a pod from running; "BackOff" and the like only repeat it. */
const sayWhy: ReadonlySet<string> = new Set(["Failed", "FailedMount", "FailedPostStartHook"]);

/** The last event that says what failed, of a Job's pods that are known by their events only. */
function goneWith(object: KubernetesObject, view: ClusterView) {
  return view
    .owned(object)
    .filter((one) => one.kind === "Pod" && isTrace(one))
    .flatMap((one) =>
      view
        .events(one)
        .filter(({ type, reason }) => type === "Warning" && sayWhy.has(reason))
        .map((event) => ({ pod: one.metadata.name, event })),
    )
    .sort((a, b) => (b.event.lastSeen ?? 0) - (a.event.lastSeen ?? 0))[0];
}
