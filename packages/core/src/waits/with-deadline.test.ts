import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { MeshError } from "../contract/mesh-error.js";
import { onAbort } from "./on-abort.js";
import { toAbortError, withDeadline } from "./with-deadline.js";

const never = () => new Promise<never>(() => {});
const timeout = (reason: string) => ({ code: "TIMEOUT", details: { reason } });

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

describe("withDeadline", () => {
  it("gives what the work gives, and leaves no timer and no listener", async () => {
    const { signal } = new AbortController();

    await expect(withDeadline({ signal, timeoutMs: 1_000 }, () => "done")).resolves.toBe("done");
    expect(vi.getTimerCount()).toBe(0);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it.each([
    ["timeoutMs", { timeoutMs: 50 }],
    ["deadline", () => ({ deadline: Date.now() + 50 })],
  ])("ends work that ignores its signal at %s", async (_name, limits) => {
    let seen: AbortSignal | undefined;
    const work = withDeadline(typeof limits === "function" ? limits() : limits, (signal) => {
      seen = signal;
      return never();
    });
    const ended = expect(work).rejects.toMatchObject(timeout("deadline"));
    await vi.advanceTimersByTimeAsync(50);

    await ended;
    expect(seen?.reason).toBeInstanceOf(MeshError);
  });

  it("does not begin work whose time has passed, or whose signal has aborted", async () => {
    const work = vi.fn();

    await expect(withDeadline({ timeoutMs: 0 }, work)).rejects.toMatchObject(timeout("deadline"));
    await expect(withDeadline({ deadline: Number.NaN }, work)).rejects.toMatchObject(
      timeout("deadline"),
    );
    await expect(withDeadline({ signal: AbortSignal.abort() }, work)).rejects.toMatchObject(
      timeout("cancelled"),
    );
    expect(work).not.toHaveBeenCalled();
  });

  it("reads a plain abort as cancelled, and hands a MeshError through", async () => {
    const controller = new AbortController();
    const plain = expect(withDeadline({ signal: controller.signal }, never)).rejects.toMatchObject(
      timeout("cancelled"),
    );
    controller.abort();
    await plain;

    const own = new MeshError("SERVICE_UNAVAILABLE", "gone");
    await expect(withDeadline({ signal: AbortSignal.abort(own) }, never)).rejects.toBe(own);
  });

  it("sets no timer that Node.js cannot hold", async () => {
    await withDeadline({ timeoutMs: 3_000_000_000 }, () => {
      expect(vi.getTimerCount()).toBe(0);
    });
  });

  it("rejects as the work does", async () => {
    const failure = new Error("no");

    await expect(withDeadline({}, () => Promise.reject(failure))).rejects.toBe(failure);
    await expect(
      withDeadline({}, () => {
        throw failure;
      }),
    ).rejects.toBe(failure);
  });
});

describe("toAbortError", () => {
  it("reads the reason of AbortSignal.timeout as a deadline", () => {
    const reason = new DOMException("late", "TimeoutError");

    expect(toAbortError({ reason })).toMatchObject(timeout("deadline"));
  });

  it("reads any value as a MeshError, a revoked proxy too", () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();

    for (const reason of [proxy, undefined, "text", 0, new Error("x")]) {
      expect(toAbortError({ reason })).toMatchObject(timeout("cancelled"));
    }
  });
});

describe("onAbort", () => {
  it("shares one listener among all that wait on a signal", () => {
    const controller = new AbortController();
    const called: number[] = [];
    const stops = [1, 2, 3].map((each) => onAbort(controller.signal, () => called.push(each)));
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(1);
    stops[1]?.();
    controller.abort();

    expect(called).toEqual([1, 3]);
  });

  it("leaves no listener when the last one stops, and works again after", () => {
    const { signal } = new AbortController();
    onAbort(signal, () => {})();
    expect(getEventListeners(signal, "abort")).toEqual([]);
    onAbort(signal, () => {});

    expect(getEventListeners(signal, "abort")).toHaveLength(1);
  });

  it("calls everyone although one throws, and at once when it is too late", () => {
    const controller = new AbortController();
    const called = vi.fn();
    onAbort(controller.signal, () => {
      throw new Error("no");
    });
    onAbort(controller.signal, called);
    controller.abort();
    onAbort(controller.signal, called);

    expect(called).toHaveBeenCalledTimes(2);
  });
});
