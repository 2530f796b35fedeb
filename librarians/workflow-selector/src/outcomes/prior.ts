import type { Workflow } from "../catalog/workflow.js";
import { defaultProfile, type ScoringProfile } from "../search/profile.js";
import type { Outcome } from "./outcome.js";

/** How often a workflow ran, of all its versions. */
export interface TrackRecord {
  readonly succeeded: number;
  readonly failed: number;
  readonly rejected: number;
}

/** The largest change of a confidence by what came of a workflow before: it can cost more than it can earn. */
const maxBonus = 0.05;
const maxMalus = 0.15;
/** Outcomes at which half of the largest change counts. */
const halfCount = 5;

/** Counts outcomes by workflow. An approval says what was meant, and not what came of it. */
export function collectTrackRecords(
  outcomes: readonly Outcome[],
): ReadonlyMap<string, TrackRecord> {
  const records = new Map<string, TrackRecord>();
  for (const { workflow_id, event } of outcomes) {
    if (event === "approved") continue;
    const before = records.get(workflow_id) ?? { succeeded: 0, failed: 0, rejected: 0 };
    records.set(workflow_id, { ...before, [event]: before[event] + 1 });
  }
  return records;
}

/**
 * What outcomes add to a confidence, -0.15 to 0.05: by the share that succeeded, of one success and one failure more
 * than there were (Laplace), and by how many there are. A rejection counts as a failure.
 */
export function computePrior({ succeeded, failed, rejected }: TrackRecord): number {
  const count = succeeded + failed + rejected;
  const share = (succeeded + 1) / (count + 2);
  const strength = count / (count + halfCount);
  return (share - 0.5) * 2 * strength * (share < 0.5 ? maxMalus : maxBonus);
}

/** A profile that adds the prior to another one's confidence, within 0 and 1. */
export function createOutcomeProfile(
  outcomes: readonly Outcome[],
  base: ScoringProfile = defaultProfile,
): ScoringProfile {
  const records = collectTrackRecords(outcomes);
  return (candidate) => {
    const confidence = base(candidate);
    const record = records.get(candidate.workflow.id);
    if (confidence === undefined || record === undefined) return confidence;
    return Math.min(1, Math.max(0, confidence + computePrior(record)));
  };
}

/** What came of a workflow before, in a sentence for people; blank where nothing is known. */
export function describeRecord(
  records: ReadonlyMap<string, TrackRecord>,
  { id }: Pick<Workflow, "id">,
): string {
  const record = records.get(id);
  if (record === undefined) return "";
  const { succeeded, failed, rejected } = record;
  const runs = succeeded + failed;
  const ran =
    runs === 0
      ? ""
      : `It ran ${formatTimes(runs)} before: ${succeeded} succeeded, ${failed} failed.`;
  const refused = rejected === 0 ? "" : `A person rejected it ${formatTimes(rejected)}.`;
  return [ran, refused].filter((text) => text !== "").join(" ");
}

function formatTimes(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}
