import { getEventListeners, once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it, vi } from "vitest";
import { guardSignal } from "./guarded-signal.js";

function guarded(): AbortController {
  const controller = new AbortController();
  guardSignal(controller.signal);
  return controller;
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe("guardSignal", () => {
  it("contains what listeners throw and reject with: the others are called", async () => {
    const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    const controller = guarded();
    const last = vi.fn();
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    controller.signal.addEventListener("abort", () => {
      throw new Error("cleanup failed");
    });
    const rejecting = async () => {
      throw proxy;
    };
    controller.signal.addEventListener("abort", rejecting as () => void);
    controller.signal.addEventListener("abort", {
      handleEvent() {
        throw proxy;
      },
    } as never);
    controller.signal.onabort = () => {
      throw new Error("cleanup failed");
    };
    controller.signal.addEventListener("abort", last);

    controller.abort();
    await sleep(0); // an uncaught exception would end the test

    expect(last).toHaveBeenCalledTimes(1);
    expect(warn.mock.calls.length).toBeLessThanOrEqual(1);
  });

  it("is still an AbortSignal, for Node.js too", async () => {
    const { signal } = guarded();

    expect(signal).toBeInstanceOf(AbortSignal);
    expect(signal.aborted).toBe(false);
    const waiting = sleep(60_000, undefined, { signal });
    const listening = once(new EventTarget(), "never", { signal });
    const derived = AbortSignal.any([signal]);
    const controller = guarded();
    await expect(fetch("http://127.0.0.1:1", { signal: controller.signal })).rejects.toThrow();

    expect(getEventListeners(signal, "abort").length).toBeGreaterThan(0);
    void Promise.allSettled([waiting, listening]);
    expect(derived.aborted).toBe(false);
  });

  it("aborts what waits on it", async () => {
    const controller = guarded();
    const waiting = sleep(60_000, undefined, { signal: controller.signal });
    const derived = AbortSignal.any([controller.signal]);

    controller.abort(new Error("over"));

    await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
    expect(derived.aborted).toBe(true);
    expect(() => controller.signal.throwIfAborted()).toThrow("over");
  });

  it("removes a listener that was added, and calls one that was added twice once", () => {
    const controller = guarded();
    const removed = vi.fn();
    const twice = vi.fn();
    controller.signal.addEventListener("abort", removed);
    controller.signal.removeEventListener("abort", removed);
    controller.signal.addEventListener("abort", twice);
    controller.signal.addEventListener("abort", twice, { once: true });

    controller.abort();

    expect(removed).not.toHaveBeenCalled();
    expect(twice).toHaveBeenCalledTimes(1);
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(1);
  });
});
