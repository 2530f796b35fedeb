import { booleanAt, textAt, timeAt } from "../../cluster/fields.js";
import type { Detector } from "../detector.js";
import { eventEvidence, fieldEvidence } from "../evidence.js";
import { finding } from "../finding.js";
import { describeCommand } from "../kubectl.js";
import { defined } from "../pod-finding.js";

/** A CronJob that is told to wait, or whose starts fail. */
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
    .find(
      ({ reason, type }) =>
        type === "Warning" &&
        [
          "FailedNeedsStart",
          "TooManyMissedTimes",
          "UnparseableSchedule",
          "InvalidSchedule",
          "FailedCreate",
          "MissSchedule",
          "MissingSchedule",
        ].includes(reason),
    );
  if (event === undefined) return [];
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
