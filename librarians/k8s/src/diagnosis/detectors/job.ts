import type { KubernetesObject } from "../../cluster/cluster-reader.js";
import { booleanAt, listAt, numberAt, textAt, timeAt } from "../../cluster/fields.js";
import type { ClusterView } from "../cluster-view.js";
import { listConditions } from "../conditions.js";
import { type Detector, recentMs, type Sightings } from "../detector.js";
import { signalOfEvent } from "../event-signals.js";
import { fieldEvidence } from "../evidence.js";
import { clause, type Shown } from "../finding.js";
import { describeCommand, kubectl, option } from "../kubectl.js";
import { neverMatches, schedulePeriod } from "../schedule.js";
import { hasTrait } from "../signal-type.js";
import { findNote } from "./workload.js";

/** A Job that failed, or that is asked to wait. One that completed after retries did not fail. */
export const job: Detector = (object, view) => {
  const holds = (...types: readonly string[]) =>
    types
      .flatMap((type) => listConditions(object).filter((one) => one.type === type))
      .find(({ status }) => status !== "False");
  if (holds("Complete", "SuccessCriteriaMet") !== undefined) return [];
  const { name, namespace } = object.metadata;
  if (booleanAt(object, "spec", "suspend") === true)
    return {
      signal: "JobSuspended",
      severity: "low",
      summary: `Job ${name} is suspended (spec.suspend: true), so it starts no pods${clause("; its annotation says: ", findNote(object))}`,
      evidence: [["spec.suspend", "true"]],
      values: { suspend: true, note: findNote(object) },
    };
  const condition = holds("Failed", "FailureTarget");
  const failures = numberAt(object, "status", "failed") ?? 0;
  const succeeded = numberAt(object, "status", "succeeded") ?? 0;
  if (condition === undefined && (failures === 0 || succeeded > 0)) return [];
  const { reason = "", message = "", at } = condition ?? {};
  const event = view.event(object, "BackoffLimitExceeded", "DeadlineExceeded", "FailedCreate");
  const deadline =
    reason === "DeadlineExceeded" ? numberAt(object, "spec", "activeDeadlineSeconds") : undefined;
  const indexes = textAt(object, "status", "failedIndexes");
  const isOld = at !== undefined && view.now - at > 24 * recentMs;
  const what =
    condition === undefined
      ? "has failed pods and has not completed"
      : `failed${clause(" (", reason, ")")}`;
  return {
    signal: "JobFailed",
    severity: condition === undefined || isOld ? "medium" : "high",
    summary: `Job ${name} ${what}: ${failures} failed, ${succeeded} succeeded${clause(", failed indexes ", indexes)}${clause(": ", message)}${clause(" (activeDeadlineSeconds ", deadline?.toString(), ")")}`,
    message: message || event?.message,
    evidence: [
      condition,
      [
        "status",
        `failed ${failures}, succeeded ${succeeded}, active ${numberAt(object, "status", "active") ?? 0}`,
      ],
      ["spec.activeDeadlineSeconds", deadline === undefined ? undefined : `${deadline} s`],
      event,
    ],
    next: [...kubectl`logs job/${name}${option("-n", namespace)}`, ...describeCommand(object)],
    values: {
      reason,
      failed_pods: failures,
      failed_indexes: indexes,
      succeeded_pods: succeeded,
      backoff_limit: numberAt(object, "spec", "backoffLimit"),
    },
    logs: view
      .owned(object)
      .filter(({ kind, metadata }) => kind === "Pod" && metadata.namespace !== undefined)
      .slice(-2)
      .map(({ metadata }) => ({ namespace: namespace ?? "", pod: metadata.name, previous: false })),
    key: `job|${namespace ?? ""}|${view.owner(object)?.metadata.name ?? name}`,
  };
};

/** How long a run may take before its success is missed, in milliseconds. */
const graceMs = 3_600_000;
/** A controller looks at each schedule every ten seconds: a deadline below that is missed at times. */
const minDeadlineS = 10;

/** What decides over the runs of a CronJob, and what has become of them. Times are epoch milliseconds. */
function readRuns(object: KubernetesObject) {
  const schedule = textAt(object, "spec", "schedule") ?? "";
  return {
    schedule,
    period: schedulePeriod(schedule),
    policy: textAt(object, "spec", "concurrencyPolicy"),
    deadline: numberAt(object, "spec", "startingDeadlineSeconds"),
    zone: textAt(object, "spec", "timeZone"),
    active: listAt(object, "status", "active").map((one) => textAt(one, "name")),
    last: timeAt(object, "status", "lastScheduleTime"),
    succeeded: timeAt(object, "status", "lastSuccessfulTime"),
    born: timeAt(object, "metadata", "creationTimestamp"),
  };
}

type Runs = ReturnType<typeof readRuns>;

const printTime = (at: number | undefined) =>
  at === undefined ? "none" : new Date(at).toISOString();

/** A CronJob that is asked to wait, or whose starts fail. */
export const cronJob: Detector = (object, view) => {
  const runs = readRuns(object);
  const { schedule, last } = runs;
  const { name } = object.metadata;
  const suspend = booleanAt(object, "spec", "suspend");
  const values = {
    schedule,
    last_schedule_time: textAt(object, "status", "lastScheduleTime"),
    suspend,
  };
  if (suspend === true)
    return {
      signal: "CronJobSuspended",
      severity: "low",
      summary: `CronJob ${name} is suspended (spec.suspend: true), so its schedule ${schedule} starts no job${clause("; its annotation says: ", findNote(object))}`,
      evidence: [
        ["spec.suspend", "true"],
        [
          "status.lastScheduleTime",
          last === undefined ? undefined : `last run ${printTime(last)}`,
          last,
        ],
      ],
      values: { ...values, note: findNote(object) },
    };
  const event = view.events(object).find(
    ({ reason, type, lastSeen }) =>
      type === "Warning" &&
      // A job of another maker does not keep it from starting its own.
      reason !== "UnexpectedJob" &&
      // What was started after it is over.
      (last === undefined || lastSeen === undefined || lastSeen > last),
  );
  if (event === undefined)
    return held(object, runs, view) ?? replaced(object, runs, view) ?? late(object, runs, view);
  const met = signalOfEvent(event)?.signal;
  return {
    signal: met !== undefined && hasTrait(met, "refusedByApi") ? met : "CronJobNotRunning",
    severity: "high",
    summary: `CronJob ${name} does not start its jobs (${event.reason}): ${event.message}`,
    message: event.message,
    evidence: [event, ["spec.schedule", schedule], ...settings(runs)],
    values,
  };
};

/** What of its spec decides over a start. */
function settings({ deadline, zone }: Runs): readonly Shown[] {
  const isShort = deadline !== undefined && deadline < minDeadlineS;
  return [
    [
      "spec.startingDeadlineSeconds",
      deadline === undefined
        ? undefined
        : `${deadline} s${isShort ? `, which is less than the ${minDeadlineS} s between two looks of the controller at the schedule` : ""}`,
    ],
    ["spec.timeZone", zone],
  ];
}

/** What of its own settings may keep it from starting, where nothing reports it. Empty when nothing does. */
function guessed({ deadline, zone, schedule }: Runs): string {
  return [
    deadline !== undefined && deadline < minDeadlineS
      ? `its startingDeadlineSeconds is ${deadline}, and the controller looks at a schedule every ${minDeadlineS} s only`
      : "",
    zone !== undefined && !isTimeZone(zone) ? `its timeZone ${zone} is not a known time zone` : "",
    neverMatches(schedule) ? "its schedule names a day that its months do not have" : "",
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
function held(
  object: KubernetesObject,
  { schedule, period, policy, active, last }: Runs,
  view: ClusterView,
): Sightings {
  const listed = active.find((one) => one !== undefined);
  const own = view
    .owned(object)
    .find((one) => one.kind === "Job" && (numberAt(one, "status", "active") ?? 0) > 0);
  const name = listed ?? own?.metadata.name;
  if (policy !== "Forbid" || name === undefined) return undefined;
  const run = listed === undefined ? own : view.get("Job", object.metadata.namespace, listed);
  const began = timeAt(run, "status", "startTime") ?? last;
  const event = view.event(object, "JobAlreadyActive");
  const isLong = began !== undefined && period !== undefined && view.now - began > period;
  if (event === undefined && !isLong) return undefined;
  const since = began === undefined ? "" : ` since ${printTime(began)}`;
  return {
    signal: "CronJobNotRunning",
    severity: "high",
    summary: `CronJob ${object.metadata.name} starts no new run: its job ${name} is still active${since}, and concurrencyPolicy is Forbid`,
    message: event?.message,
    evidence: [
      fieldEvidence(
        listed === undefined ? (run ?? object) : object,
        "status.active",
        `${name}${since}`,
      ),
      ["spec.concurrencyPolicy", "Forbid"],
      event,
    ],
    next: [...describeCommand(object), ...(run === undefined ? [] : describeCommand(run))],
    values: { active_job: name, schedule },
  };
}

/** A CronJob whose runs are ended by the next ones before they are done. */
function replaced(
  object: KubernetesObject,
  { schedule, period, policy, active, last, succeeded, born }: Runs,
  view: ClusterView,
): Sightings {
  const since = succeeded ?? born;
  // Runs start on time, and several in a row were not successful.
  if (policy !== "Replace" || active.length === 0) return undefined;
  if (period === undefined || last === undefined || since === undefined) return undefined;
  if (view.now - last > 2 * period || last - since < 3 * period) return undefined;
  const deleted = view.event(object, "SuccessfulDelete");
  return {
    signal: "CronJobNotRunning",
    severity: "high",
    summary: `CronJob ${object.metadata.name} starts a run each time, and none has succeeded since ${printTime(since)}: concurrencyPolicy is Replace, so each run that takes longer than its schedule is deleted by the next one`,
    message: deleted?.message,
    evidence: [["spec.concurrencyPolicy", "Replace"], describeTimes(last, succeeded), deleted],
    values: { schedule },
  };
}

function describeTimes(last: number | undefined, succeeded: number | undefined): Shown {
  return [
    "status",
    `lastScheduleTime ${printTime(last)}, lastSuccessfulTime ${printTime(succeeded)}`,
  ];
}

/** A CronJob that missed its time, or whose last run left no success behind. */
function late(object: KubernetesObject, runs: Runs, view: ClusterView): Sightings {
  const { schedule, period, active, last, succeeded, born } = runs;
  const since = last ?? born;
  const why = guessed(runs);
  const hasMissed =
    since !== undefined &&
    (last !== undefined || "status" in object) &&
    ((period !== undefined && view.now - since > 2 * period) ||
      (last === undefined && why !== "" && view.now - since > graceMs));
  const isUnsuccessful =
    last !== undefined &&
    active.length === 0 &&
    succeeded !== undefined &&
    succeeded < last &&
    view.now - last > graceMs &&
    view
      .owned(object)
      .every((run) => (timeAt(run, "metadata", "creationTimestamp") ?? 0) < last - graceMs);
  if (!hasMissed && !isUnsuccessful) return undefined;
  const missed =
    last === undefined
      ? `has never started, although it was made at ${printTime(since)}`
      : `has not started since ${printTime(last)}`;
  const text = hasMissed
    ? `${missed} and its schedule is ${schedule}; ${why || "no event says why"}`
    : `started last at ${printTime(last)} and succeeded last at ${printTime(succeeded)}: the run between did not succeed, and it is gone`;
  return {
    signal: hasMissed ? "CronJobNotRunning" : "JobFailed",
    severity: "medium",
    summary: `CronJob ${object.metadata.name} ${text}`,
    evidence: [describeTimes(last, succeeded), ["spec.schedule", schedule], ...settings(runs)],
    values: { schedule },
  };
}
