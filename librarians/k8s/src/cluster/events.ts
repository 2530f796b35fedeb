import { sanitizeText } from "@constellation/authoring";
import { cleanName } from "./clean.js";
import type { ClusterEvent, InvolvedObject } from "./cluster-reader.js";
import { isRecord, numberAt, textAt, timeAt, type UnknownRecord } from "./fields.js";

/** Maximum number of characters of a reason and of a message that are kept: a cluster allows 128 and 1,024. */
const maxReason = 200;
const maxMessage = 4_000;

/** Versions of the two APIs that have events. A file may leave the version out. */
const eventVersions: ReadonlySet<string> = new Set([
  "",
  "v1",
  "events.k8s.io/v1",
  "events.k8s.io/v1beta1",
]);

/** True for what the core API and events.k8s.io call an event. */
export function isEvent(kind: string, apiVersion: string): boolean {
  return kind === "Event" && eventVersions.has(apiVersion);
}

/**
 * Brings an event of either API into one shape, with clean names and texts.
 *
 * Times are taken from every field that may hold one: the newer API leaves `firstTimestamp`,
 * `lastTimestamp` and `count` null and fills `eventTime` and `series`. Where all are null, the creation
 * time of the event counts.
 *
 * @returns Undefined for a value that is not an event, or does not say what it is about.
 */
export function normaliseEvent(value: unknown): ClusterEvent | undefined {
  if (!isRecord(value)) return undefined;
  const involved = involvedBy(value.involvedObject) ?? involvedBy(value.regarding);
  if (involved === undefined) return undefined;
  const namespace = text(value, "metadata", "namespace") ?? involved.namespace;
  const uid = text(value, "metadata", "uid");
  const component = readComponent(value);
  return {
    name: text(value, "metadata", "name") ?? "",
    ...(namespace !== undefined && { namespace }),
    ...(uid !== undefined && { uid }),
    involved,
    type: text(value, "type") ?? "",
    reason: (text(value, "reason") ?? "").slice(0, maxReason),
    message: sanitizeText(
      (textAt(value, "message") ?? textAt(value, "note") ?? "").slice(0, maxMessage),
    ),
    count: readCount(value),
    ...readTimes(value),
    ...(component !== undefined && { component }),
  };
}

/** Merges what both APIs gave: each event once, newest first, those without any time last. */
export function mergeEvents(events: readonly ClusterEvent[]): readonly ClusterEvent[] {
  const byKey = new Map<string, ClusterEvent>();
  for (const event of events) {
    const key = createEventKey(event);
    const seen = byKey.get(key);
    if (seen === undefined || isNewer(event, seen)) byKey.set(key, event);
  }
  return [...byKey.values()].sort((a, b) => (b.lastSeen ?? 0) - (a.lastSeen ?? 0));
}

function createEventKey(event: ClusterEvent): string {
  if (event.uid !== undefined) return event.uid;
  const { involved } = event;
  return JSON.stringify([
    event.namespace,
    event.name,
    involved.kind,
    involved.name,
    event.reason,
    event.message,
  ]);
}

function isNewer(event: ClusterEvent, than: ClusterEvent): boolean {
  const [a, b] = [event.lastSeen ?? 0, than.lastSeen ?? 0];
  return a > b || (a === b && event.count > than.count);
}

function involvedBy(value: unknown): InvolvedObject | undefined {
  const kind = text(value, "kind");
  const name = text(value, "name");
  if (kind === undefined || name === undefined) return undefined;
  const namespace = text(value, "namespace");
  const uid = text(value, "uid");
  const fieldPath = text(value, "fieldPath");
  return {
    kind,
    name,
    ...(namespace !== undefined && { namespace }),
    ...(uid !== undefined && { uid }),
    ...(fieldPath !== undefined && { fieldPath }),
  };
}

function readCount(value: UnknownRecord): number {
  const counts = [
    numberAt(value, "series", "count"),
    numberAt(value, "count"),
    numberAt(value, "deprecatedCount"),
  ];
  return Math.max(1, ...counts.map((count) => Math.trunc(count ?? 1)));
}

function readTimes(value: UnknownRecord): { firstSeen?: number; lastSeen?: number } {
  const first = known([
    timeAt(value, "firstTimestamp"),
    timeAt(value, "deprecatedFirstTimestamp"),
    timeAt(value, "eventTime"),
  ]);
  const last = known([
    timeAt(value, "series", "lastObservedTime"),
    timeAt(value, "lastTimestamp"),
    timeAt(value, "deprecatedLastTimestamp"),
    timeAt(value, "eventTime"),
  ]);
  const all = [...first, ...last];
  if (all.length === 0) all.push(...known([timeAt(value, "metadata", "creationTimestamp")]));
  if (all.length === 0) return {};
  return {
    firstSeen: Math.min(...(first.length > 0 ? first : all)),
    lastSeen: Math.max(...(last.length > 0 ? last : all)),
  };
}

function known(times: readonly (number | undefined)[]): number[] {
  return times.filter((time) => time !== undefined);
}

function readComponent(value: UnknownRecord): string | undefined {
  return (
    text(value, "reportingComponent") ??
    text(value, "reportingController") ??
    text(value, "source", "component") ??
    text(value, "deprecatedSource", "component")
  );
}

/** The name at a path, cleaned, where it is not empty. */
function text(value: unknown, ...path: readonly string[]): string | undefined {
  const found = textAt(value, ...path);
  return found === undefined || found === "" ? undefined : cleanName(found);
}
