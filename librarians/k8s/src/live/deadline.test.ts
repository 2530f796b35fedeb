import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openDeadline } from "./deadline.js";

describe("openDeadline", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("aborts after its time, and with any parent", async () => {
    const parent = new AbortController();
    const late = openDeadline(50, []);
    const followed = openDeadline(50, [undefined, parent.signal]);

    parent.abort();
    expect(followed.signal.aborted).toBe(true);
    expect(late.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(50);
    expect(late.signal.aborted).toBe(true);
    late.close();
    followed.close();
  });

  it("adds one listener for a hundred reads, and leaves neither it nor a timer behind", () => {
    const { signal } = new AbortController();
    const deadlines = Array.from({ length: 100 }, () => openDeadline(1_000, [signal]));
    expect(getEventListeners(signal, "abort")).toHaveLength(1);

    for (const deadline of deadlines) deadline.close();

    expect(getEventListeners(signal, "abort")).toHaveLength(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("has aborted when its parent had", () => {
    const deadline = openDeadline(1_000, [AbortSignal.abort()]);

    expect(deadline.signal.aborted).toBe(true);
    deadline.close();
  });
});
