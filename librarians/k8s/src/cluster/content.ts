import { admit } from "./admit.js";
import type { ClusterEvent, KubernetesObject, Usage } from "./cluster-reader.js";
import { isEvent, normaliseEvent } from "./events.js";
import { isRecord, textAt } from "./fields.js";
import { isKindName, type KindName, kindOfObject } from "./kinds.js";
import { newestTime } from "./newest-time.js";
import { parseUsage } from "./usage.js";

/** What a picture of a cluster holds. */
export interface ClusterContent {
  readonly objects: readonly KubernetesObject[];
  readonly events: readonly ClusterEvent[];
  readonly usage: readonly Usage[];
  /** Kinds that were recorded, also those of which there was nothing. */
  readonly recorded: ReadonlySet<KindName | "Event" | "usage">;
  /** True when the limit was reached, so that something may be missing. */
  readonly isFull: boolean;
  /** Newest moment in it that lies in the past, in epoch milliseconds. Undefined: no time at all. */
  readonly newest: number | undefined;
}

/** Sorts values of unknown kind into a {@link ClusterContent}. */
export interface ContentCollector {
  /**
   * Takes an object, or objects in a list or an array. Secrets, and whatever is not readable, are dropped.
   */
  add(value: unknown): void;
  /** Says that a kind was recorded, even if nothing of it is added. */
  record(kind: KindName | "Event" | "usage"): void;
  /** What was taken so far. */
  content(): ClusterContent;
}

/** Lists may hold lists, but no sane file nests them deeper. */
const deepestList = 4;

/**
 * @param before - Moments after this one, in epoch milliseconds, do not count as newest.
 * @param maxItems - Most objects, events and measurements that are taken; the rest is dropped.
 */
export function collectContent(
  before: number,
  maxItems: number = Number.POSITIVE_INFINITY,
): ContentCollector {
  const objects: KubernetesObject[] = [];
  const events: ClusterEvent[] = [];
  const usage: Usage[] = [];
  const recorded = new Set<KindName | "Event" | "usage">();
  let newest: number | undefined;
  let isFull = false;

  function note(value: unknown): void {
    const time = newestTime(value, before);
    if (time !== undefined && time > (newest ?? 0)) newest = time;
  }

  function addOne(value: unknown, kind: string, apiVersion: string): void {
    if (objects.length + events.length + usage.length >= maxItems) {
      isFull = true;
      return;
    }
    if (isEvent(kind, apiVersion)) {
      const event = normaliseEvent(value);
      if (event === undefined) return;
      recorded.add("Event");
      events.push(event);
      if (event.lastSeen !== undefined && event.lastSeen <= before) {
        newest = Math.max(newest ?? 0, event.lastSeen);
      }
      return;
    }
    const measured = parseUsage(value, kind);
    if (measured.length > 0) {
      recorded.add("usage");
      usage.push(...measured);
      note(value);
      return;
    }
    const object = admit(value, { kind, apiVersion });
    const name = object && kindOfObject(object.kind, object.apiVersion);
    if (object === undefined || name === undefined) return;
    recorded.add(name);
    objects.push(object);
    note(value);
  }

  function add(
    value: unknown,
    fallback: { kind: string; apiVersion: string },
    depth: number,
  ): void {
    if (depth > deepestList) return;
    if (Array.isArray(value)) for (const item of value) add(item, fallback, depth + 1);
    if (!isRecord(value)) return;
    const kind = textAt(value, "kind") ?? fallback.kind;
    const apiVersion = textAt(value, "apiVersion") ?? fallback.apiVersion;
    const items = value.items;
    if (!Array.isArray(items) || !(kind === "" || kind.endsWith("List"))) {
      addOne(value, kind, apiVersion);
      return;
    }
    const itemKind = kind.slice(0, -"List".length);
    if (isKindName(itemKind) || itemKind === "Event") recorded.add(itemKind);
    // The items of a plain List say themselves what they are.
    const inherited =
      itemKind === "" ? { kind: "", apiVersion: "" } : { kind: itemKind, apiVersion };
    for (const item of items) add(item, inherited, depth + 1);
  }

  return {
    add: (value) => add(value, { kind: "", apiVersion: "" }, 0),
    record: (kind) => void recorded.add(kind),
    content: () => ({ objects, events, usage, recorded, isFull, newest }),
  };
}
