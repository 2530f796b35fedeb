import { getEventListeners } from "node:events";
import { MeshError } from "@constellation/core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { limitCall, orAbort, wait } from "./call-limits.js";

describe("limitCall", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("aborts with the caller's reason where that is a MeshError, else as cancelled", () => {
    const reason = new MeshError("TIMEOUT", "Decided.", { reason: "cancelled" });
    for (const [given, expected] of [
      [reason, reason],
      [new Error("key=secret"), expect.objectContaining({ code: "TIMEOUT" })],
    ]) {
      const controller = new AbortController();
      const { signal } = limitCall(controller.signal, 1_000);

      controller.abort(given);

      expect(signal.reason).toEqual(expected);
      expect(String(signal.reason)).not.toContain("secret");
    }
  });

  it("aborts when time is up", () => {
    const { signal, remainingMs } = limitCall(undefined, 50);
    expect(remainingMs()).toBeGreaterThan(0);

    vi.advanceTimersByTime(50);

    expect(signal.reason).toMatchObject({ code: "TIMEOUT", reason: "deadline" });
    expect(remainingMs()).toBe(0);
  });

  it.each([0, -5])("has aborted already with %i milliseconds left", (timeoutMs) => {
    expect(limitCall(undefined, timeoutMs).signal.reason).toMatchObject({ reason: "deadline" });
  });

  it("takes no limit, and one that no timer can hold", () => {
    for (const timeoutMs of [Number.POSITIVE_INFINITY, 1e12]) {
      expect(limitCall(undefined, timeoutMs).signal.aborted).toBe(false);
    }
    expect(vi.getTimerCount()).toBe(0);
  });

  it("keeps one listener on a signal that many calls share, and none when the last has ended", () => {
    const controller = new AbortController();
    const calls = Array.from({ length: 30 }, () => limitCall(controller.signal, 1_000));
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(1);

    for (const call of calls.slice(1)) call.end();
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(1);
    const [last] = calls;
    last?.end();
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);

    const after = limitCall(controller.signal, 1_000);
    controller.abort();
    expect(calls.some(({ signal }) => signal.aborted)).toBe(false);
    expect(after.signal.aborted).toBe(true);
  });

  it("leaves no timer and no listener behind", () => {
    const { signal } = new AbortController();

    limitCall(signal, 1_000).end();

    expect(vi.getTimerCount()).toBe(0);
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });
});

describe("orAbort", () => {
  it("does not begin when the signal has aborted", async () => {
    const work = vi.fn(async () => 1);

    await expect(orAbort(AbortSignal.abort("why"), work)).rejects.toBe("why");

    expect(work).not.toHaveBeenCalled();
  });
});

describe("wait", () => {
  it("ends with the signal, and leaves nothing behind", async () => {
    const controller = new AbortController();
    const waiting = wait(60_000, controller.signal);

    controller.abort("why");

    await expect(waiting).rejects.toBe("why");
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
  });
});
