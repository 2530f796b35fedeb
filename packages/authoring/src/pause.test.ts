import { getEventListeners } from "node:events";
import { MeshError } from "@constellation/core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { pause } from "./pause.js";

describe("pause", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("waits for its time, and leaves nothing behind", async () => {
    const { signal } = new AbortController();
    const done = vi.fn();
    const waiting = pause(50, signal).then(done);

    await vi.advanceTimersByTimeAsync(49);
    expect(done).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await waiting;

    expect(vi.getTimerCount()).toBe(0);
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });

  it("rejects with the signal's MeshError as soon as it aborts, and leaves no timer", async () => {
    const reason = new MeshError("TIMEOUT", "Over.", { reason: "deadline" });
    const controller = new AbortController();
    const waiting = pause(50, controller.signal);

    controller.abort(reason);

    await expect(waiting).rejects.toBe(reason);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("rejects with TIMEOUT, reason cancelled, when the signal says nothing better", async () => {
    await expect(pause(50, AbortSignal.abort())).rejects.toMatchObject({
      code: "TIMEOUT",
      reason: "cancelled",
    });
  });

  it("waits for the signal alone when there is no end", async () => {
    const controller = new AbortController();
    const waiting = pause(Number.POSITIVE_INFINITY, controller.signal);
    expect(vi.getTimerCount()).toBe(0);

    controller.abort();

    await expect(waiting).rejects.toMatchObject({ code: "TIMEOUT" });
  });
});
