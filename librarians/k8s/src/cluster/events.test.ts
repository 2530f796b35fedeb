import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ClusterEvent } from "./cluster-reader.js";
import { mergeEvents, normaliseEvent } from "./events.js";

const about = { involvedObject: { kind: "Pod", name: "a", namespace: "shop" } };

describe("normaliseEvent", () => {
  it("takes times from whatever field holds them, as text or as Date", () => {
    const times = (fields: object) => {
      const event = normaliseEvent({ ...about, ...fields });
      return [event?.firstSeen, event?.lastSeen];
    };

    expect(
      times({ firstTimestamp: "1970-01-01T00:00:01Z", lastTimestamp: "1970-01-01T00:00:05Z" }),
    ).toEqual([1_000, 5_000]);
    expect(
      times({
        firstTimestamp: null,
        lastTimestamp: null,
        eventTime: "1970-01-01T00:00:02.500000Z",
      }),
    ).toEqual([2_500, 2_500]);
    expect(
      times({
        eventTime: new Date(2_000),
        series: { lastObservedTime: new Date(9_000), count: 3 },
      }),
    ).toEqual([2_000, 9_000]);
    expect(
      times({
        lastTimestamp: "0001-01-01T00:00:00Z",
        metadata: { creationTimestamp: "1970-01-01T00:00:07Z" },
      }),
    ).toEqual([7_000, 7_000]);
    expect(times({})).toEqual([undefined, undefined]);
  });

  it("takes the greatest count, and at least one", () => {
    const count = (fields: object) => normaliseEvent({ ...about, ...fields })?.count;

    expect(count({ count: 4, series: { count: 9 } })).toBe(9);
    expect(count({ count: null })).toBe(1);
    expect(count({ count: 0 })).toBe(1);
  });

  it("is undefined for what is about nothing, and never throws", () => {
    expect(normaliseEvent({ involvedObject: { kind: "Pod" } })).toBeUndefined();
    fc.assert(fc.property(fc.anything(), (value) => void normaliseEvent(value)));
    fc.assert(
      fc.property(
        fc.record({
          involvedObject: fc.anything(),
          metadata: fc.anything(),
          series: fc.anything(),
          lastTimestamp: fc.anything(),
          count: fc.anything(),
          source: fc.anything(),
        }),
        (fields) => void normaliseEvent({ ...fields, regarding: about.involvedObject }),
      ),
    );
  });
});

describe("mergeEvents", () => {
  const event = (
    uid: string | undefined,
    lastSeen: number | undefined,
    count = 1,
  ): ClusterEvent => ({
    name: "e",
    involved: { kind: "Pod", name: "a" },
    type: "Warning",
    reason: "BackOff",
    message: "m",
    count,
    ...(uid !== undefined && { uid }),
    ...(lastSeen !== undefined && { lastSeen }),
  });

  it("keeps each event once, the newest look at it, newest first and those without time last", () => {
    const merged = mergeEvents([
      event("a", undefined),
      event("b", 5),
      event("b", 9),
      event("c", 7, 2),
      event("c", 7, 3),
    ]);

    expect(merged.map(({ uid, lastSeen, count }) => [uid, lastSeen, count])).toEqual([
      ["b", 9, 1],
      ["c", 7, 3],
      ["a", undefined, 1],
    ]);
  });

  it("knows events without a uid by name, object, reason and message", () => {
    expect(
      mergeEvents([
        event(undefined, 1),
        event(undefined, 2),
        { ...event(undefined, 1), message: "n" },
      ]),
    ).toHaveLength(2);
  });
});

describe("an event of any size", () => {
  it("keeps 4,000 characters of its message and 200 of its reason", () => {
    const event = normaliseEvent({
      ...about,
      reason: "R".repeat(9_000),
      message: "m".repeat(9_000),
    });

    expect(event?.reason).toHaveLength(200);
    expect(event?.message).toHaveLength(4_000);
  });
});
