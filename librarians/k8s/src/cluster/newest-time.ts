import { isRecord, listAt, timeAt, valueAt } from "./fields.js";

/** Fields that say when something happened. Those about the future (`notAfter`, `renewalTime`) are not here. */
const moments: ReadonlySet<string> = new Set([
  "acquireTime",
  "completionTime",
  "creationTimestamp",
  "eventTime",
  "finishedAt",
  "firstTimestamp",
  "lastHeartbeatTime",
  "lastObservedTime",
  "lastProbeTime",
  "lastScaleTime",
  "lastScheduleTime",
  "lastSuccessfulTime",
  "lastTimestamp",
  "lastTransitionTime",
  "lastUpdateTime",
  "renewTime",
  "startTime",
  "startedAt",
  "timestamp",
]);

const deepest = 12;

/**
 * The newest moment that an object reports.
 *
 * @param before - Moments after this one, in epoch milliseconds, are not believed.
 * @returns Epoch milliseconds; undefined when it reports none.
 */
export function newestTime(object: unknown, before: number): number | undefined {
  let newest: number | undefined;
  const see = (time: number | undefined) => {
    if (time !== undefined && time <= before && time > (newest ?? 0)) newest = time;
  };
  const walk = (value: unknown, depth: number) => {
    if (depth > deepest) return;
    if (Array.isArray(value)) for (const item of value) walk(item, depth + 1);
    if (!isRecord(value)) return;
    for (const [field, inner] of Object.entries(value)) {
      if (moments.has(field)) see(timeAt(inner));
      else if (typeof inner === "object" && inner !== null) walk(inner, depth + 1);
    }
  };
  see(timeAt(object, "metadata", "creationTimestamp"));
  see(timeAt(object, "timestamp"));
  for (const entry of listAt(object, "metadata", "managedFields")) see(timeAt(entry, "time"));
  see(timeAt(object, "spec", "renewTime"));
  walk(valueAt(object, "status"), 0);
  return newest;
}
