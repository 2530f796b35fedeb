import type { KubernetesObject } from "../../cluster/cluster-reader.js";
import { booleanAt, listAt, numberAt, textAt, timeAt } from "../../cluster/fields.js";
import type { ClusterView } from "../cluster-view.js";
import type { Detector } from "../detector.js";
import { signalOfEvent } from "../event-signals.js";
import { eventEvidence, fieldEvidence } from "../evidence.js";
import { type Evidence, type Finding, finding } from "../finding.js";
import { describeCommand } from "../kubectl.js";
import { defined } from "../pod-finding.js";
import { neverMatches, schedulePeriod } from "../schedule.js";
import type { SignalType } from "../signal-type.js";

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
  const event = view.events(object).find(
    ({ reason, type, lastSeen }) =>
      type === "Warning" &&
      // A job of another maker does not keep it from starting its own.
      reason !== "UnexpectedJob" &&
      // What was started after it is over.
      (last === undefined || lastSeen === undefined || lastSeen > last),
  );
  if (event === undefined)
    return [...held(object, view), ...replaced(object, view), ...late(object, view)].slice(0, 1);
  const met = signalOfEvent(event)?.signal;
  return [
    finding({
      signal: met !== undefined && refusals.has(met) ? met : "CronJobNotRunning",
      severity: "high",
      object,
      confidence: 0.88,
      summary: `CronJob ${name} does not start its jobs (${event.reason}): ${event.message}`,
      message: event.message,
      evidence: [
        eventEvidence(event),
        fieldEvidence(object, "spec.schedule", schedule),
        ...settings(object),
      ],
      next: describeCommand(object),
      values,
    }),
  ];
};

/** Why the API refuses a new Job. */
const refusals: ReadonlySet<SignalType> = new Set([
  "QuotaExceeded",
  "WebhookUnavailable",
  "FailedCreate",
]);

/** A controller looks at each schedule every ten seconds: a deadline below that is missed at times. */
const minDeadlineS = 10;

/** What of its spec decides over a start. */
function settings(object: KubernetesObject): readonly Evidence[] {
  const deadline = numberAt(object, "spec", "startingDeadlineSeconds");
  const zone = textAt(object, "spec", "timeZone");
  return [
    ...(deadline === undefined
      ? []
      : [
          fieldEvidence(
            object,
            "spec.startingDeadlineSeconds",
            `${deadline} s${deadline < minDeadlineS ? `, which is less than the ${minDeadlineS} s between two looks of the controller at the schedule` : ""}`,
          ),
        ]),
    ...(zone === undefined ? [] : [fieldEvidence(object, "spec.timeZone", zone)]),
  ];
}

/** What of its own settings may keep it from starting, where nothing reports it. Empty when nothing does. */
function guessed(object: KubernetesObject): string {
  const deadline = numberAt(object, "spec", "startingDeadlineSeconds");
  const zone = textAt(object, "spec", "timeZone");
  return [
    deadline !== undefined && deadline < minDeadlineS
      ? `its startingDeadlineSeconds is ${deadline}, and the controller looks at a schedule every ${minDeadlineS} s only`
      : "",
    zone !== undefined && !isTimeZone(zone) ? `its timeZone ${zone} is not a known time zone` : "",
    neverMatches(textAt(object, "spec", "schedule") ?? "")
      ? "its schedule names a day that its months do not have"
      : "",
  ]
    .filter((part) => part !== "")
    .join("; ");
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

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
      signal: "CronJobNotRunning",
      severity: "high",
      object,
      confidence: 0.88,
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

/** A CronJob whose runs are ended by the next ones before they are done. */
function replaced(object: KubernetesObject, view: ClusterView): readonly Finding[] {
  if (textAt(object, "spec", "concurrencyPolicy") !== "Replace") return [];
  const period = schedulePeriod(textAt(object, "spec", "schedule") ?? "");
  const last = timeAt(object, "status", "lastScheduleTime");
  const since =
    timeAt(object, "status", "lastSuccessfulTime") ??
    timeAt(object, "metadata", "creationTimestamp");
  const hasActive = listAt(object, "status", "active").length > 0;
  // Runs start on time, and several in a row were not successful.
  if (period === undefined || last === undefined || since === undefined || !hasActive) return [];
  if (view.now - last > 2 * period || last - since < 3 * period) return [];
  const deleted = view.events(object).find(({ reason }) => reason === "SuccessfulDelete");
  return [
    finding({
      signal: "CronJobNotRunning",
      severity: "high",
      object,
      confidence: 0.75,
      summary: `CronJob ${object.metadata.name} starts a run each time, and none has succeeded since ${new Date(since).toISOString()}: concurrencyPolicy is Replace, so each run that takes longer than its schedule is deleted by the next one`,
      message: deleted?.message,
      evidence: [
        fieldEvidence(object, "spec.concurrencyPolicy", "Replace"),
        fieldEvidence(
          object,
          "status",
          `lastScheduleTime ${textAt(object, "status", "lastScheduleTime") ?? ""}, lastSuccessfulTime ${textAt(object, "status", "lastSuccessfulTime") ?? "none"}`,
        ),
        ...(deleted === undefined ? [] : [eventEvidence(deleted)]),
      ],
      next: describeCommand(object),
      values: defined({ schedule: textAt(object, "spec", "schedule") }),
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
  const born = timeAt(object, "metadata", "creationTimestamp");
  const succeeded = timeAt(object, "status", "lastSuccessfulTime");
  const hasActive = listAt(object, "status", "active").length > 0;
  const since = last ?? born;
  const why = guessed(object);
  const hasMissed =
    since !== undefined &&
    (last !== undefined || "status" in object) &&
    ((period !== undefined && view.now - since > 2 * period) ||
      (last === undefined && why !== "" && view.now - since > graceMs));
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
  const missed =
    last === undefined
      ? `has never started, although it was made at ${when(since ?? 0)}`
      : `has not started since ${when(last)}`;
  const text = hasMissed
    ? `${missed} and its schedule is ${schedule}; ${why === "" ? "no event says why" : why}`
    : `started last at ${when(last ?? 0)} and succeeded last at ${when(succeeded ?? 0)}: the run between did not succeed, and it is gone`;
  return [
    finding({
      signal: hasMissed ? "CronJobNotRunning" : "JobFailed",
      severity: "medium",
      object,
      confidence: hasMissed && why !== "" ? 0.8 : 0.65,
      summary: `CronJob ${object.metadata.name} ${text}`,
      evidence: [
        fieldEvidence(
          object,
          "status",
          `lastScheduleTime ${textAt(object, "status", "lastScheduleTime") ?? "none"}, lastSuccessfulTime ${textAt(object, "status", "lastSuccessfulTime") ?? "none"}`,
        ),
        fieldEvidence(object, "spec.schedule", schedule),
        ...settings(object),
      ],
      next: describeCommand(object),
      values: defined({ schedule }),
    }),
  ];
}
