import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DeadlineTimer } from "./deadline-timer.js";

function timerThat(fire: (current: number) => void): DeadlineTimer {
  return new DeadlineTimer({ fire });
}

describe("DeadlineTimer", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("fires once, at its moment and not before", async () => {
    const fire = vi.fn();
    timerThat(fire).set(50);

    await vi.advanceTimersByTimeAsync(49);
    expect(fire).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1_000);

    expect(fire).toHaveBeenCalledTimes(1);
  });

  it("shares one timer of Node.js among all, and fires each at its own moment", async () => {
    const fired: string[] = [];
    timerThat(() => fired.push("first")).set(100);
    await vi.advanceTimersByTimeAsync(30);
    timerThat(() => fired.push("second")).set(100);

    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(70);
    expect(fired).toEqual(["first"]);
    await vi.advanceTimersByTimeAsync(30);
    expect(fired).toEqual(["first", "second"]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("fires one that is set for an earlier moment first", async () => {
    const fired: string[] = [];
    timerThat(() => fired.push("late")).set(100);
    await vi.advanceTimersByTimeAsync(1);
    timerThat(() => fired.push("early")).set(20);

    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(20);
    expect(fired).toEqual(["early"]);
    await vi.advanceTimersByTimeAsync(79);
    expect(fired).toEqual(["early", "late"]);
  });

  it("leaves no timer behind when the last one is cleared", () => {
    const timers = [timerThat(() => {}), timerThat(() => {}), timerThat(() => {})];
    for (const timer of timers) timer.set(60_000);

    for (const timer of timers) timer.clear();

    expect(vi.getTimerCount()).toBe(0);
  });

  it("still fires after the one before it was cleared", async () => {
    const fire = vi.fn();
    const cleared = timerThat(() => {});
    cleared.set(10);
    await vi.advanceTimersByTimeAsync(5);
    timerThat(fire).set(10);
    cleared.clear();

    await vi.advanceTimersByTimeAsync(10);

    expect(fire).toHaveBeenCalledTimes(1);
  });

  it("fires when it is set after another was cleared in the same turn", async () => {
    const fire = vi.fn();
    for (let times = 0; times < 3; times++) {
      const cleared = timerThat(() => {});
      cleared.set(20);
      cleared.clear();
    }
    timerThat(fire).set(20);
    timerThat(fire).set(30);

    await vi.advanceTimersByTimeAsync(30);

    expect(fire).toHaveBeenCalledTimes(2);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("can be set again from its own ring, and by another's", async () => {
    const fired: number[] = [];
    const other = timerThat((current) => fired.push(current));
    const timer: DeadlineTimer = timerThat((current) => {
      fired.push(current);
      if (fired.length === 1) {
        timer.set(10, current);
        other.set(10, current);
      }
    });
    timer.set(10);

    await vi.advanceTimersByTimeAsync(100);

    expect(fired).toHaveLength(3);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is not set by Infinity", () => {
    const timer = timerThat(() => {});

    timer.set(Number.POSITIVE_INFINITY);

    expect(vi.getTimerCount()).toBe(0);
    expect(timer.at).toBe(Number.POSITIVE_INFINITY);
  });

  it("fires although the clock it reads has stood still", async () => {
    vi.useRealTimers();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const fire = vi.fn();
    timerThat(fire).set(60_000);

    await vi.advanceTimersByTimeAsync(60_000);

    expect(fire).toHaveBeenCalledTimes(1);
  });
});
