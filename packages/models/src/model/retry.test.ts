import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { retryAfterMs, sendWithRetries, waitBefore } from "./retry.js";

const signal = new AbortController().signal;
const busy = (headers = {}) => new Response("busy", { status: 503, headers });

describe("waitBefore", () => {
  it("is uniform below a cap that doubles, up to eight seconds", () => {
    const most = [1, 2, 3, 10].map((retry) => waitBefore(retry, new Headers(), () => 1));

    expect(most).toEqual([500, 1_000, 2_000, 8_000]);
    expect(waitBefore(3, new Headers(), () => 0)).toBe(0);
  });

  it("is never shorter than the service asks, and a tenth longer at most", () => {
    const headers = new Headers({ "retry-after": "2" });

    expect(waitBefore(1, headers, () => 0)).toBe(2_000);
    expect(waitBefore(1, headers, () => 1)).toBe(2_200);
  });
});

describe("retryAfterMs", () => {
  it.each<readonly [Record<string, string>, number | undefined]>([
    [{ "retry-after": "1.5" }, 1_500],
    [{ "retry-after-ms": "250", "retry-after": "9" }, 250],
    [{ "retry-after": "soon" }, undefined],
    [{ "retry-after": "-3" }, undefined],
    [{ "retry-after": "0" }, undefined],
    [{}, undefined],
  ])("reads %o as %s", (headers, ms) => {
    expect(retryAfterMs(new Headers(headers))).toBe(ms);
  });

  it("reads a date", () => {
    const date = new Date(Date.now() + 10_000).toUTCString();

    expect(retryAfterMs(new Headers({ "retry-after": date }))).toBeGreaterThan(8_000);
  });
});

describe("sendWithRetries", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("returns a success, and a failure that will not pass, at once", async () => {
    for (const status of [200, 400, 401, 404, 422]) {
      const send = vi.fn(async () => new Response("", { status }));

      const response = await sendWithRetries(send, {
        maxRetries: 5,
        signal,
        remainingMs: () => 1e6,
      });

      expect(response.status).toBe(status);
      expect(send).toHaveBeenCalledTimes(1);
    }
  });

  it("does not send again when the service says it must not", async () => {
    const send = vi.fn(async () => busy({ "x-should-retry": "false" }));

    await sendWithRetries(send, { maxRetries: 5, signal, remainingMs: () => 1e6 });

    expect(send).toHaveBeenCalledTimes(1);
  });

  it("does not wait longer than a minute, whatever the service asks", async () => {
    const send = vi.fn(async () => busy({ "retry-after": "3600" }));

    await sendWithRetries(send, {
      maxRetries: 5,
      signal,
      remainingMs: () => Number.POSITIVE_INFINITY,
    });

    expect(send).toHaveBeenCalledTimes(1);
  });

  it("reports each retry, and leaves no timer behind", async () => {
    const onRetry = vi.fn();
    const send = vi.fn(async () => busy());
    const sent = sendWithRetries(send, { maxRetries: 2, signal, remainingMs: () => 1e6, onRetry });

    await vi.advanceTimersByTimeAsync(2_000);

    expect((await sent).status).toBe(503);
    expect(onRetry.mock.calls).toEqual([[1], [2]]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
