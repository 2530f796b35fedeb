import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Alarm } from "./alarm.js";

function alarmThat(ring: (current: number) => void): Alarm {
  return new Alarm({ ring });
}

describe("Alarm", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("rings once, at its moment and not before", async () => {
    const ring = vi.fn();
    alarmThat(ring).set(50);

    await vi.advanceTimersByTimeAsync(49);
    expect(ring).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1_000);

    expect(ring).toHaveBeenCalledTimes(1);
  });

  it("shares one timer among alarms of the same length, and rings each at its own moment", async () => {
    const rung: string[] = [];
    alarmThat(() => rung.push("first")).set(100);
    await vi.advanceTimersByTimeAsync(30);
    alarmThat(() => rung.push("second")).set(100);

    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(70);
    expect(rung).toEqual(["first"]);
    await vi.advanceTimersByTimeAsync(30);
    expect(rung).toEqual(["first", "second"]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("leaves no timer behind when the last of its length is cleared", () => {
    const alarms = [alarmThat(() => {}), alarmThat(() => {}), alarmThat(() => {})];
    for (const alarm of alarms) alarm.set(60_000);

    for (const alarm of alarms) alarm.clear();

    expect(vi.getTimerCount()).toBe(0);
  });

  it("still rings after the one before it was cleared", async () => {
    const ring = vi.fn();
    const cleared = alarmThat(() => {});
    cleared.set(10);
    await vi.advanceTimersByTimeAsync(5);
    alarmThat(ring).set(10);
    cleared.clear();

    await vi.advanceTimersByTimeAsync(10);

    expect(ring).toHaveBeenCalledTimes(1);
  });

  it("rings when it is set after another was cleared in the same turn", async () => {
    const ring = vi.fn();
    for (let times = 0; times < 3; times++) {
      const cleared = alarmThat(() => {});
      cleared.set(20);
      cleared.clear();
    }
    alarmThat(ring).set(20);
    alarmThat(ring).set(30);

    await vi.advanceTimersByTimeAsync(30);

    expect(ring).toHaveBeenCalledTimes(2);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("can be set again from its own ring, and by another's", async () => {
    const rung: number[] = [];
    const other = alarmThat((current) => rung.push(current));
    const alarm: Alarm = alarmThat((current) => {
      rung.push(current);
      if (rung.length === 1) {
        alarm.set(10, current);
        other.set(10, current);
      }
    });
    alarm.set(10);

    await vi.advanceTimersByTimeAsync(100);

    expect(rung).toHaveLength(3);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is not set by Infinity", () => {
    const alarm = alarmThat(() => {});

    alarm.set(Number.POSITIVE_INFINITY);

    expect(vi.getTimerCount()).toBe(0);
    expect(alarm.at).toBe(Number.POSITIVE_INFINITY);
  });

  it("rings although the clock it reads has stood still", async () => {
    vi.useRealTimers();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const ring = vi.fn();
    alarmThat(ring).set(60_000);

    await vi.advanceTimersByTimeAsync(60_000);

    expect(ring).toHaveBeenCalledTimes(1);
  });
});
