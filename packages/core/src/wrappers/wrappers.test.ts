import type { CachedResponse, ErrorCode, Librarian, Response } from "@constellation/core";
import { createRouter, MeshError } from "@constellation/core";
import { testContext } from "@constellation/core/testing";
import {
  withBreaker,
  withCache,
  withFallback,
  withRetry,
  wrap,
} from "@constellation/core/wrappers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(0.5);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Gives these, one for each call, the last one for all that follow; a text is an answer, else a code. */
function scripted(...script: readonly (string | Response | Error)[]) {
  const calls: string[] = [];
  const librarian: Librarian = async (query) => {
    calls.push(query);
    const next = script[Math.min(calls.length, script.length) - 1] ?? "";
    if (next instanceof Error) throw next;
    return typeof next === "string" ? { answer: next } : next;
  };
  return { librarian, calls };
}

function failing(code: ErrorCode, details = {}): Response {
  return { error: { code, message: code, details } };
}

const lost = failing("SERVICE_UNAVAILABLE");

async function settle<Result>(promise: Promise<Result>): Promise<Result> {
  await vi.runAllTimersAsync();
  return promise;
}

describe("withRetry", () => {
  it("calls again after an error that may pass, thrown or returned, and gives the answer", async () => {
    const { librarian, calls } = scripted(lost, new MeshError("RATE_LIMITED", "later"), "ok");

    const response = await settle(wrap(librarian, withRetry())("q", testContext()));

    expect(response).toEqual({ answer: "ok" });
    expect(calls).toEqual(["q", "q", "q"]);
  });

  it("gives the last response when attempts are used up, and throws what was thrown last", async () => {
    const returned = scripted(lost);
    const error = new MeshError("DATA_SOURCE_ERROR", "gone");
    const threw = scripted(error);
    const twice = withRetry({ attempts: 2 });

    expect(await settle(wrap(returned.librarian, twice)("q"))).toBe(lost);
    const rejected = expect(wrap(threw.librarian, twice)("q")).rejects.toBe(error);
    await vi.runAllTimersAsync();
    await rejected;
    expect([returned.calls.length, threw.calls.length]).toEqual([2, 2]);
  });

  it.each([
    ["an error that stays", failing("NOT_FOUND"), {}],
    ["a librarian that writes", lost, { librarian: { id: "a", effects: "write" as const } }],
    [
      "a wait past the deadline",
      failing("RATE_LIMITED", { retryAfterMs: 5_000 }),
      { deadline: Date.now() + 1_000 },
    ],
  ])("calls once for %s", async (_what, response, context) => {
    const { librarian, calls } = scripted(response);

    expect(await settle(wrap(librarian, withRetry())("q", testContext(context)))).toBe(response);
    expect(calls).toHaveLength(1);
  });

  it("waits no longer than its caller, and leaves no timer", async () => {
    const { librarian, calls } = scripted(failing("RATE_LIMITED", { retryAfterMs: 60_000 }));
    const context = testContext();

    const response = wrap(librarian, withRetry())("q", context);
    await vi.advanceTimersByTimeAsync(10);
    context.cancel();

    expect((await response).error?.code).toBe("RATE_LIMITED");
    expect(calls).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("withBreaker", () => {
  const options = { minCalls: 2, openMs: 1_000 };

  it("stops calling after failures, probes after openMs, and closes when that succeeds", async () => {
    const { librarian, calls } = scripted(lost, new Error("lost"), lost, "ok");
    const guarded = wrap(librarian, withBreaker(options));

    await guarded("q");
    await expect(guarded("q")).rejects.toThrow("lost");
    const refused = await guarded("q", testContext({ librarian: { id: "orders" } }));
    expect(refused.error).toMatchObject({
      code: "SERVICE_UNAVAILABLE",
      librarian: "orders",
      details: { reason: "circuit-open", retryAfterMs: 1_000 },
    });
    expect(calls).toHaveLength(2);

    vi.advanceTimersByTime(1_000);
    await guarded("q"); // a probe that fails
    expect((await guarded("q")).error?.details?.reason).toBe("circuit-open");
    vi.advanceTimersByTime(1_000);
    expect(await guarded("q")).toEqual({ answer: "ok" });
    expect(await guarded("q")).toEqual({ answer: "ok" });
    expect(calls).toHaveLength(5);
  });

  it("does not count cancelled calls, and frees the probe of a librarian that never returns", async () => {
    const hanging: Librarian = () => new Promise(() => {});
    let current: Librarian = hanging;
    const guarded = wrap((query, context) => current(query, context), withBreaker(options));
    for (let call = 0; call < 5; call++) {
      const context = testContext();
      const response = guarded("q", context);
      context.cancel();
      await expect(response).rejects.toMatchObject({ code: "TIMEOUT" });
    }
    current = async () => lost;
    await guarded("q");
    await guarded("q");
    vi.advanceTimersByTime(1_000);
    current = hanging;
    const probe = testContext();
    const left = guarded("q", probe);
    probe.cancel();
    await expect(left).rejects.toMatchObject({ code: "TIMEOUT" });

    current = async () => ({ answer: "ok" });
    expect(await guarded("q")).toEqual({ answer: "ok" });
  });

  it("has one breaker for each librarian that it wraps", async () => {
    const wrapper = withBreaker(options);
    const [one, other] = [scripted(lost), scripted("ok")];
    const guarded = wrap(one.librarian, wrapper);
    for (let call = 0; call < 5; call++) await guarded("q");

    expect(one.calls).toHaveLength(2);
    expect(await wrap(other.librarian, wrapper)("q")).toEqual({ answer: "ok" });
  });
});

describe("withFallback", () => {
  it("calls the next while they fail, and gives the first response where all do", async () => {
    const [down, second, third] = [scripted(lost), scripted(new Error("x")), scripted("ok")];

    expect(
      await wrap(down.librarian, withFallback(second.librarian, third.librarian))("q"),
    ).toEqual({ answer: "ok" });
    expect(await wrap(down.librarian, withFallback(second.librarian))("q")).toBe(lost);
    expect([second.calls, third.calls]).toEqual([["q", "q"], ["q"]]);
  });

  it("is for failures of the librarian only, and for none that writes", async () => {
    const fallback = scripted("ok");
    const around = (response: Response, effects: "read" | "write") =>
      wrap(scripted(response).librarian, withFallback(fallback.librarian))(
        "q",
        testContext({ librarian: { id: "a", effects } }),
      );

    expect((await around(failing("NOT_FOUND"), "read")).error?.code).toBe("NOT_FOUND");
    expect(await around(lost, "write")).toBe(lost);
    expect(fallback.calls).toEqual([]);
  });
});

describe("withCache", () => {
  const store = () => {
    const kept = new Map<string, CachedResponse>();
    return {
      get: (key: string) => kept.get(key),
      set: (key: string, cached: CachedResponse) => void kept.set(key, cached),
    };
  };

  it("keeps complete answers by query, metadata and user, until ttlMs", async () => {
    const { librarian, calls } = scripted("ok");
    const cached = wrap(librarian, withCache({ name: "a", store: store(), ttlMs: 1_000 }));
    const ask = (query: string, user: string, metadata = {}) =>
      cached(query, testContext({ user: { id: user }, metadata }));

    for (let call = 0; call < 3; call++) expect(await ask("q", "ann")).toEqual({ answer: "ok" });
    expect(calls).toHaveLength(1);
    await ask("q", "bob");
    await ask("q2", "ann");
    await ask("q", "ann", { day: 2 });
    expect(calls).toHaveLength(4);
    vi.advanceTimersByTime(1_000);
    await ask("q", "ann");
    expect(calls).toHaveLength(5);
  });

  it("keeps no error, no partial answer, no delegate, nothing of a write and nothing with secrets", async () => {
    const secret = Object.defineProperty({}, "token", { value: "s3cret", enumerable: false });
    for (const [response, context] of [
      [lost, {}],
      [{ answer: "half", partial: true }, {}],
      [{ delegate: { to: "b" } }, {}],
      [{ answer: "ok" }, { librarian: { id: "a", effects: "write" as const } }],
      [{ answer: "ok" }, { metadata: secret }],
    ] as const) {
      const { librarian, calls } = scripted(response);
      const cached = wrap(librarian, withCache({ name: "a", store: store() }));
      await cached("q", testContext(context));
      await cached("q", testContext(context));
      expect(calls).toHaveLength(2);
    }
  });

  it("separates librarians that share a store by name, and survives a store that fails or hangs", async () => {
    const shared = store();
    const [one, other] = ["one", "other"].map((name) =>
      wrap(scripted(name).librarian, withCache({ name, store: shared })),
    );
    expect([await one?.("q"), await other?.("q"), await one?.("q")]).toEqual([
      { answer: "one" },
      { answer: "other" },
      { answer: "one" },
    ]);

    const broken = {
      get: () => Promise.reject(new Error("down")),
      set: () => {
        throw new Error("down");
      },
    };
    const { librarian } = scripted("ok");
    expect(await wrap(librarian, withCache({ name: "a", store: broken }))("q")).toEqual({
      answer: "ok",
    });
  });

  it("gives a stale answer, marked partial, in place of a failure", async () => {
    const { librarian } = scripted("ok", lost);
    const cached = wrap(
      librarian,
      withCache({ name: "a", store: store(), ttlMs: 1_000, staleIfErrorMs: 1_000 }),
    );
    await cached("q");
    vi.advanceTimersByTime(1_500);

    expect(await cached("q")).toEqual({ answer: "ok", partial: true });
    vi.advanceTimersByTime(1_000);
    expect(await cached("q")).toBe(lost);
  });
});

describe("wrappers", () => {
  it("work together in a router: the last one is called first", async () => {
    const { librarian, calls } = scripted(lost, "ok");
    const store = new Map<string, CachedResponse>();
    const cache = {
      get: (key: string) => store.get(key),
      set: (key: string, kept: CachedResponse) => void store.set(key, kept),
    };
    const router = createRouter();
    router.register({
      id: "orders",
      description: "knows orders",
      librarian: wrap(librarian, withRetry(), withCache({ name: "orders", store: cache })),
    });

    expect((await settle(router.ask("q"))).answer).toBe("ok");
    expect((await router.ask("q")).answer).toBe("ok");
    expect(calls).toHaveLength(2);
  });

  it.each([
    ["retry.attempts", () => withRetry({ attempts: 0 })],
    ["retry", () => withRetry({ tries: 2 } as object)],
    ["breaker.minCalls", () => withBreaker({ minCalls: 0 })],
    ["fallbacks[0]", () => withFallback("docs" as never)],
    ["cache.store", () => withCache({ name: "a", store: {} as never })],
    ["name", () => withCache({ name: "", store: {} as never })],
  ])("refuse a wrong option at once, and name it: %s", (key, misuse) => {
    expect(misuse).toThrow(key);
  });
});
