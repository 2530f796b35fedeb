import { admit } from "./admit.js";
import type { ClusterEvent, KubernetesObject, Usage } from "./cluster-reader.js";
import { isEvent, normaliseEvent } from "./events.js";
import { isRecord, textAt } from "./fields.js";
import { isKindName, type KindName, kindOfObject } from "./kinds.js";
import { newestTime } from "./newest-time.js";
import { usageOf } from "./usage.js";

/** What a picture of a cluster holds. */
export interface ClusterContent {
  readonly objects: readonly KubernetesObject[];
  readonly events: readonly ClusterEvent[];
  readonly usage: readonly Usage[];
  /** Kinds that were recorded, also those of which there was nothing. */
  readonly recorded: ReadonlySet<KindName | "Event" | "usage">;
  /** Newest moment in it that lies in the past, in epoch milliseconds. Undefined: no time at all. */
  readonly newest: number | undefined;
}

/** Sorts values of unknown kind into a {@link ClusterContent}. */
export interface ContentCollector {
  /**
   * Takes an object, or a list of them at any depth. Secrets, and whatever is not readable, are dropped.
   *
   * @returns How many objects, events and measurements were taken.
   */
  add(value: unknown): number;
  /** Says that a kind was recorded, even if nothing of it is added. */
  record(kind: KindName | "Event" | "usage"): void;
  /** What was taken so far. */
  content(): ClusterContent;
}

/** Lists may hold lists, but no sane file nests them deeper. */
const deepestList = 4;

/** @param before - Moments after this one, in epoch milliseconds, do not count as newest. */
export function collectContent(before: number): ContentCollector {
  const objects: KubernetesObject[] = [];
  const events: ClusterEvent[] = [];
  const usage: Usage[] = [];
  const recorded = new Set<KindName | "Event" | "usage">();
  let newest: number | undefined;

  function note(value: unknown): void {
    const time = newestTime(value, before);
    if (time !== undefined && time > (newest ?? 0)) newest = time;
  }

  function addOne(value: unknown, kind: string, apiVersion: string): number {
    if (isEvent(kind, apiVersion)) {
      const event = normaliseEvent(value);
      if (event === undefined) return 0;
      recorded.add("Event");
      events.push(event);
      if (event.lastSeen !== undefined && event.lastSeen <= before) {
        newest = Math.max(newest ?? 0, event.lastSeen);
      }
      return 1;
    }
    const measured = usageOf(value, kind);
    if (measured.length > 0) {
      recorded.add("usage");
      usage.push(...measured);
      note(value);
      return 1;
    }
    const object = admit(value, { kind, apiVersion });
    const name = object && kindOfObject(object.kind, object.apiVersion);
    if (object === undefined || name === undefined) return 0;
    recorded.add(name);
    objects.push(object);
    note(value);
    return 1;
  }

  function add(
    value: unknown,
    fallback: { kind: string; apiVersion: string },
    depth: number,
  ): number {
    if (!isRecord(value)) return 0;
    const kind = textAt(value, "kind") ?? fallback.kind;
    const apiVersion = textAt(value, "apiVersion") ?? fallback.apiVersion;
    const items = value.items;
    if (!Array.isArray(items) || !(kind === "" || kind.endsWith("List"))) {
      return addOne(value, kind, apiVersion);
    }
    const itemKind = kind.slice(0, -"List".length);
    if (isKindName(itemKind) || itemKind === "Event") recorded.add(itemKind);
    if (depth >= deepestList) return 0;
    // The items of a plain List say themselves what they are.
    const inherited =
      itemKind === "" ? { kind: "", apiVersion: "" } : { kind: itemKind, apiVersion };
    let taken = 0;
    for (const item of items) taken += add(item, inherited, depth + 1);
    return taken;
  }

  return {
    add: (value) => add(value, { kind: "", apiVersion: "" }, 0),
    record: (kind) => void recorded.add(kind),
    content: () => ({ objects, events, usage, recorded, newest }),
  };
}
