import type { KubernetesObject } from "../../cluster/cluster-reader.js";
import { booleanAt, listAt, numberAt, textAt, timeAt } from "../../cluster/fields.js";
import type { ClusterView } from "../cluster-view.js";
import type { Detector } from "../detector.js";
import { eventEvidence, fieldEvidence } from "../evidence.js";
import { type Finding, finding } from "../finding.js";
import { describeCommand } from "../kubectl.js";
import { defined } from "../pod-finding.js";
import { schedulePeriod } from "../schedule.js";

/** How long a run may take before its success is missed, in milliseconds. */
const graceMs = 3_600_000;

/** A CronJob that is asked to wait, or whose starts fail. */
export const cronJob: Detector = (object, view) => {
  const { name } = object.metadata;
  const schedule = textAt(object, "spec", "schedule") ?? "";
  const last = timeAt(object, "status", "lastScheduleTime");
  const values = defined({
    schedule,
    last_schedule_time: textAt(object, "status", "lastScheduleTime"),
    suspend: booleanAt(object, "spec", "suspend"),
  });
  if (booleanAt(object, "spec", "suspend") === true) {
    return [
      finding({
        signal: "CronJobSuspended",
        severity: "low",
        object,
        confidence: 0.95,
        summary: `CronJob ${name} is suspended (spec.suspend: true), so its schedule ${schedule} starts no job`,
        evidence: [
          fieldEvidence(object, "spec.suspend", "true"),
          ...(last === undefined
            ? []
            : [
                fieldEvidence(
                  object,
                  "status.lastScheduleTime",
                  `last run ${new Date(last).toISOString()}`,
                  last,
                ),
              ]),
        ],
        next: describeCommand(object),
        values,
      }),
    ];
  }
  const event = view
    .events(object)
    // A job of another maker does not keep it from starting its own.
    .find(({ reason, type }) => type === "Warning" && reason !== "UnexpectedJob");
  if (event === undefined) return [...held(object, view), ...late(object, view)].slice(0, 1);
  return [
    finding({
      signal: "JobFailed",
      severity: "medium",
      object,
      confidence: 0.7,
      summary: `CronJob ${name} does not start its jobs: ${event.message}`,
      message: event.message,
      evidence: [eventEvidence(event), fieldEvidence(object, "spec.schedule", schedule)],
      next: describeCommand(object),
      values,
    }),
  ];
};

/** A CronJob that starts no run because the one before has not ended. */
function held(object: KubernetesObject, view: ClusterView): readonly Finding[] {
  if (textAt(object, "spec", "concurrencyPolicy") !== "Forbid") return [];
  const [listed] = listAt(object, "status", "active").flatMap((one) => textAt(one, "name") ?? []);
  const own = view.owned(object).find((one) => one.kind === "Job" && isActive(one));
  const name = listed ?? own?.metadata.name;
  if (name === undefined) return [];
  const run = listed === undefined ? own : view.get("Job", object.metadata.namespace, listed);
  const began = timeAt(run, "status", "startTime") ?? timeAt(object, "status", "lastScheduleTime");
  const event = view.events(object).find(({ reason }) => reason === "JobAlreadyActive");
  const period = schedulePeriod(textAt(object, "spec", "schedule") ?? "");
  const isLong = began !== undefined && period !== undefined && view.now - began > period;
  if (event === undefined && !isLong) return [];
  const since = began === undefined ? "" : ` since ${new Date(began).toISOString()}`;
  return [
    finding({
      signal: "JobFailed",
      severity: "medium",
      object,
      confidence: 0.85,
      summary: `CronJob ${object.metadata.name} starts no new run: its job ${name} is still active${since}, and concurrencyPolicy is Forbid`,
      message: event?.message,
      evidence: [
        listed === undefined && run !== undefined
          ? fieldEvidence(run, "status.active", `${name}${since}`)
          : fieldEvidence(object, "status.active", `${name}${since}`),
        fieldEvidence(object, "spec.concurrencyPolicy", "Forbid"),
        ...(event === undefined ? [] : [eventEvidence(event)]),
      ],
      next: [...describeCommand(object), ...(run === undefined ? [] : describeCommand(run))],
      values: defined({ active_job: name, schedule: textAt(object, "spec", "schedule") }),
    }),
  ];
}

/** True for a Job that has pods at work. */
function isActive(job: KubernetesObject): boolean {
  return (numberAt(job, "status", "active") ?? 0) > 0;
}

/** A CronJob that missed its time, or whose last run left no success behind. */
function late(object: KubernetesObject, view: ClusterView): readonly Finding[] {
  const schedule = textAt(object, "spec", "schedule") ?? "";
  const period = schedulePeriod(schedule);
  const last = timeAt(object, "status", "lastScheduleTime");
  const succeeded = timeAt(object, "status", "lastSuccessfulTime");
  const hasActive = listAt(object, "status", "active").length > 0;
  const hasMissed = last !== undefined && period !== undefined && view.now - last > 2 * period;
  const isUnsuccessful =
    last !== undefined &&
    !hasActive &&
    succeeded !== undefined &&
    succeeded < last &&
    view.now - last > graceMs &&
    view
      .owned(object)
      .every((run) => (timeAt(run, "metadata", "creationTimestamp") ?? 0) < last - graceMs);
  if (!hasMissed && !isUnsuccessful) return [];
  const when = (at: number) => new Date(at).toISOString();
  const text = hasMissed
    ? `has not started since ${when(last)}, although its schedule is ${schedule}; no event says why`
    : `started last at ${when(last ?? 0)} and succeeded last at ${when(succeeded ?? 0)}: the run between did not succeed, and it is gone`;
  return [
    finding({
      signal: "JobFailed",
      severity: "medium",
      object,
      confidence: 0.65,
      summary: `CronJob ${object.metadata.name} ${text}`,
      evidence: [
        fieldEvidence(
          object,
          "status",
          `lastScheduleTime ${textAt(object, "status", "lastScheduleTime") ?? "none"}, lastSuccessfulTime ${textAt(object, "status", "lastSuccessfulTime") ?? "none"}`,
        ),
        fieldEvidence(object, "spec.schedule", schedule),
      ],
      next: describeCommand(object),
      values: defined({ schedule }),
    }),
  ];
}
