import type { ClusterEvent, KubernetesObject } from "../cluster/cluster-reader.js";
import { textAt, timeAt } from "../cluster/fields.js";
import { printDuration } from "./age.js";
import type { ClusterView } from "./cluster-view.js";
import { findCondition } from "./conditions.js";
import { type ContainerState, readContainers } from "./container-state.js";
import { isTelling } from "./detectors/reported.js";
import type { FindingStatus } from "./finding.js";
import { findControllerReference } from "./owners.js";
import { findTopOwner } from "./top-of.js";

/** Something that happened several times. */
export interface Occurrences {
  readonly times: number;
  /** Epoch milliseconds of the first time, or of when it could first have happened. */
  readonly first: number;
  readonly last: number;
}

/** Number of times from which something happens again and again, unless each time is a run or a pod of its own. */
const minTimes = 3;
const minRuns = 2;
/** How many mean intervals may have passed since the last time, and the milliseconds that always may. */
const maxIntervals = 2;
const graceMs = 600_000;
/** Longest mean interval that is still "again and again", in milliseconds. */
const maxIntervalMs = 24 * 3_600_000;

/**
 * `4 times in 5 h, the last 12 min ago, likely again`, for what happened several times and whose last time is at most
 * about two of the intervals between ago. Undefined for what has stopped.
 */
export function describeRecurrence(
  { times, first, last }: Occurrences,
  now: number,
  least: number = minTimes,
): string | undefined {
  const interval = (last - first) / Math.max(1, times - 1);
  const isStill =
    times >= least &&
    interval > 0 &&
    interval <= maxIntervalMs &&
    now - last <= Math.max(graceMs, maxIntervals * interval);
  return isStill
    ? `${times} times in ${printDuration(last - first)}, the last ${printDuration(now - last)} ago, likely again`
    : undefined;
}

/** That a container which runs again is restarted again and again, counted since its pod began. */
export function describeRestarts(
  { restarts, last, terminated }: ContainerState,
  pod: KubernetesObject,
  now: number,
): string | undefined {
  const began = timeAt(pod, "status", "startTime") ?? timeAt(pod, "metadata", "creationTimestamp");
  const at = (terminated ?? last)?.finishedAt;
  return began === undefined || at === undefined
    ? undefined
    : describeRecurrence({ times: restarts, first: began, last: at }, now);
}

/** How long ago a failure must be to count as over, in milliseconds. */
const staleMs = 7 * 24 * 3_600_000;

/** That a failure is over for good: what had it works, or has not tried again, since long. */
export function overSince(isOver: boolean, ageMs: number | undefined): FindingStatus | undefined {
  return isOver && ageMs !== undefined && ageMs > staleMs
    ? { kind: "over", why: `that was ${printDuration(ageMs)} ago` }
    : undefined;
}

/** That what was replaced since keeps happening: pods of a workload that are evicted, runs of a CronJob that fail. */
export function describeReplaced(object: KubernetesObject, view: ClusterView): string | undefined {
  const moments =
    object.kind === "Pod"
      ? endsBeside(object, view)
      : object.kind === "Job"
        ? failuresBeside(object, view)
        : [];
  if (moments.length < minRuns) return undefined;
  return describeRecurrence(
    { times: moments.length, first: Math.min(...moments), last: Math.max(...moments) },
    view.now,
    minRuns,
  );
}

/** What put a pod out, and when: its own status says it, or a warning about one that is gone. */
function findEnd(pod: KubernetesObject, view: ClusterView) {
  const reason = textAt(pod, "status", "reason");
  if (reason === "Evicted") return { reason, at: putOutAt(pod) };
  const event = pod.isTrace === true ? view.events(pod).find(isTelling) : undefined;
  return event === undefined ? undefined : { reason: event.reason, at: event.lastSeen };
}

function endsBeside(pod: KubernetesObject, view: ClusterView): readonly number[] {
  const own = findEnd(pod, view)?.reason;
  if (own === undefined) return [];
  const top = findTopOwner(pod, view);
  return view
    .list("Pod")
    .filter((one) => findTopOwner(one, view) === top)
    .map((one) => findEnd(one, view))
    .flatMap((end) => (end?.reason === own ? (end.at ?? []) : []));
}

/** When a pod was put out of its node, or else when it began. */
export function putOutAt(pod: KubernetesObject): number | undefined {
  const ends = [
    findCondition(pod, "DisruptionTarget")?.at,
    ...readContainers(pod).map(({ terminated }) => terminated?.finishedAt),
  ].filter((at) => at !== undefined);
  return ends.length > 0 ? Math.max(...ends) : timeAt(pod, "status", "startTime");
}

function failuresBeside(job: KubernetesObject, view: ClusterView): readonly number[] {
  const owner = findControllerReference(job);
  if (owner?.kind !== "CronJob") return [];
  return view
    .list("Job")
    .filter(
      (one) =>
        one.metadata.namespace === job.metadata.namespace &&
        findControllerReference(one)?.name === owner.name,
    )
    .flatMap((one) => findCondition(one, "Failed", "True")?.at ?? []);
}

/** How often events of one sort happened, over all of them. Undefined where none has a time. */
export function countEvents(events: readonly ClusterEvent[]): Occurrences | undefined {
  const seen = events.flatMap(({ firstSeen, lastSeen }) => [firstSeen ?? lastSeen, lastSeen]);
  const moments = seen.filter((at) => at !== undefined);
  if (moments.length === 0) return undefined;
  return {
    times: events.reduce((sum, { count }) => sum + Math.max(1, count), 0),
    first: Math.min(...moments),
    last: Math.max(...moments),
  };
}
