import type {
  Context,
  ErrorCode,
  LibrarianDefinition,
  MeshLibrarian,
  Response,
} from "@constellation/core";
import { recordEvents } from "@constellation/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  answers,
  answersAfter,
  fails,
  meshOf,
  never,
  type Part,
  passesTo,
  throws,
  untilAborted,
  watched,
} from "./mesh.js";

/** Gives these responses in turn, the last one again and again. */
function inTurn(...responses: readonly Response[]): MeshLibrarian {
  let calls = 0;
  return async () => responses[Math.min(calls++, responses.length - 1)] ?? { answer: "" };
}

function failing(code: ErrorCode, details?: object): Response {
  return { error: { code, message: "no", ...(details && { details: { ...details } }) } };
}

const ok: Response = { answer: "ok" };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance", "Date"] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Lets time pass until a promise has settled. */
async function passing<Result>(work: Promise<Result>, ms = 120_000): Promise<Result> {
  await vi.advanceTimersByTimeAsync(ms);
  return work;
}

describe("rule 7, retry", () => {
  const withRetry = (librarian: MeshLibrarian, more: Partial<LibrarianDefinition> = {}): Part => ({
    librarian,
    retry: true,
    ...more,
  });

  it("calls again after an error that may pass, and records each attempt", async () => {
    const d = watched(inTurn(failing("DATA_SOURCE_ERROR"), failing("AI_UNAVAILABLE"), ok));
    const router = meshOf({ d: withRetry(d.librarian) });
    const log = recordEvents(router);

    const run = router.start("q");

    expect((await passing(run.response)).answer).toBe("ok");
    expect(d.queries).toHaveLength(3);
    expect(log.of("hop:start").map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    expect(run.explain().hops.map(({ outcome }) => outcome)).toEqual(["error", "error", "answer"]);
  });

  it.each<[string, Part]>([
    ["is off", { librarian: fails("DATA_SOURCE_ERROR") }],
    ["is turned off", { librarian: fails("DATA_SOURCE_ERROR"), retry: false }],
    ["meets an error that will not pass", withRetry(fails("NOT_FOUND"))],
    ["meets a librarian that throws", withRetry(throws)],
    [
      "meets an error that is not recoverable",
      withRetry(async () => ({
        error: { code: "DATA_SOURCE_ERROR", message: "gone", recoverable: false },
      })),
    ],
    ["would change something", withRetry(fails("DATA_SOURCE_ERROR"), { effects: "write" })],
    ["meets a partial answer", withRetry(answers("part", failing("DATA_SOURCE_ERROR")))],
  ])("calls once where it %s", async (_why, part) => {
    const { librarian, ...more } = part as LibrarianDefinition;
    const d = watched(librarian);
    const router = meshOf(
      { d: { librarian: d.librarian, ...more } },
      { retry: more.retry !== undefined },
    );

    await passing(router.ask("q"));

    expect(d.queries).toHaveLength(1);
  });

  it("does not repeat what one that it asked has changed", async () => {
    const write = watched(answers("written"));
    const d: MeshLibrarian = async (query, context) => {
      await context?.ask?.(query, { to: "write" });
      return failing("DATA_SOURCE_ERROR");
    };
    const router = meshOf({
      d: withRetry(d),
      write: { librarian: write.librarian, effects: "write" },
    });

    await passing(router.ask("q"));

    expect(write.queries).toHaveLength(1);
  });

  it("waits a random time up to a bound that doubles, at least as long as the error asks", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0.5);
    const d = watched(
      inTurn(
        failing("DATA_SOURCE_ERROR"),
        failing("DATA_SOURCE_ERROR"),
        failing("RATE_LIMITED", { retryAfterMs: 3_000 }),
        ok,
      ),
    );
    const retry = { attempts: 4, minDelayMs: 100 };
    const router = meshOf({ d: { librarian: d.librarian, retry } });
    const asking = router.ask("q");
    const calledAfter = async (ms: number) => {
      await vi.advanceTimersByTimeAsync(ms);
      return d.queries.length;
    };

    expect([await calledAfter(49), await calledAfter(1)]).toEqual([1, 2]);
    expect([await calledAfter(99), await calledAfter(1)]).toEqual([2, 3]);
    expect([await calledAfter(2_999), await calledAfter(1)]).toEqual([3, 4]);
    expect((await asking).answer).toBe("ok");
  });

  it("never waits past the deadline, and ends with a cancel", async () => {
    const slow = { retryAfterMs: 10_000 };
    const d = watched(async () => failing("RATE_LIMITED", slow));
    const router = meshOf({ d: withRetry(d.librarian) });
    const caller = new AbortController();

    const hurried = await router.ask("q", { timeoutMs: 5_000 });
    const asking = router.ask("q", { signal: caller.signal });
    await vi.advanceTimersByTimeAsync(1_000);
    caller.abort();
    const stopped = await asking;

    expect(hurried.error).toMatchObject({ code: "RATE_LIMITED" });
    expect(stopped.error?.details).toMatchObject({ reason: "cancelled" });
    expect(d.queries).toHaveLength(2);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("counts each attempt as a hop", async () => {
    const d = watched(fails("DATA_SOURCE_ERROR"));
    const router = meshOf(
      { d: { librarian: d.librarian, retry: { attempts: 10 } } },
      { maxHops: 4 },
    );

    await passing(router.ask("q"));

    expect(d.queries).toHaveLength(4);
  });

  it("retries what hangs until its own limit, in the time that is left", async () => {
    const d = watched(inTurn(ok));
    let calls = 0;
    const hangsOnce: MeshLibrarian = (query, context) =>
      ++calls === 1 ? never(query, context) : d.librarian(query, context);
    const router = meshOf({ d: withRetry(hangsOnce, { timeoutMs: 1_000 }) });

    expect((await passing(router.ask("q"))).answer).toBe("ok");
  });
});

describe("rule 7, circuit breaker", () => {
  it("calls a dead librarian at most 20 of 200 times, and refuses the others at once", async () => {
    const dead = watched(fails("SERVICE_UNAVAILABLE"));
    const router = meshOf({ d: { librarian: dead.librarian, breaker: true } });

    const codes: unknown[] = [];
    for (let count = 0; count < 200; count++) codes.push((await router.ask("q")).error?.details);

    expect(dead.queries).toHaveLength(20);
    expect(codes.slice(20)).toEqual(
      Array(180).fill({ reason: "circuit-open", retryAfterMs: 60_000 }),
    );
  });

  it("shows its state in health, events, the record and availableDelegates", async () => {
    let isUp = false;
    const d: MeshLibrarian = async () => (isUp ? ok : failing("DATA_SOURCE_ERROR"));
    const desk: MeshLibrarian = async (_query, context?: Context) => ({
      answer: context?.availableDelegates?.map(({ id }) => id).join() || "none",
    });
    const breaker = { minCalls: 2, openMs: 1_000 };
    const router = meshOf({ desk, d: { librarian: d, breaker } });
    const log = recordEvents(router);
    const seen = async () => [
      (await router.health()).d?.breaker,
      (await router.health()).d?.status,
      (await router.ask("q")).answer,
    ];

    expect(await seen()).toEqual(["closed", "unknown", "d"]);
    await router.ask("q", { to: "d" });
    await router.ask("q", { to: "d" });
    expect(await seen()).toEqual(["open", "down", "none"]);
    const run = router.start("q", { to: "d" });
    await run.response;
    expect(run.explain().hops).toMatchObject([
      { outcome: "refused", error: { code: "SERVICE_UNAVAILABLE", reason: "circuit-open" } },
    ]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect((await router.ask("q")).answer).toBe("d"); // so that a probe can come
    isUp = true;
    expect((await router.ask("q", { to: "d" })).answer).toBe("ok");
    expect(await seen()).toEqual(["closed", "unknown", "d"]);
    expect(log.of("breaker:change").map(({ to, state }) => `${to} ${state}`)).toEqual([
      "d open",
      "d half-open",
      "d closed",
    ]);
  });

  it("lets one probe through at a time, and opens again when it fails", async () => {
    const d = watched(fails("DATA_SOURCE_ERROR"));
    const breaker = { minCalls: 1, openMs: 1_000 };
    const router = meshOf({ d: { librarian: d.librarian, breaker } });
    await router.ask("q");
    await vi.advanceTimersByTimeAsync(1_000);

    const responses = await Promise.all([router.ask("q"), router.ask("q"), router.ask("q")]);

    expect(d.queries).toHaveLength(2);
    expect(responses.map(({ error }) => error?.details?.reason)).toEqual([
      undefined,
      "circuit-open",
      "circuit-open",
    ]);
    await router.ask("q");
    expect(d.queries).toHaveLength(2);
  });

  it.each<[string, MeshLibrarian, { signal?: AbortSignal }]>([
    ["cancels of the caller", untilAborted, { signal: AbortSignal.abort() }],
    ["errors about the query", fails("INVALID_QUERY"), {}],
    ["librarians that know nothing", fails("NOT_FOUND"), {}],
    ["answers with an error beside them", answers("part", failing("DATA_SOURCE_ERROR")), {}],
  ])("does not count %s", async (_what, librarian, options) => {
    const router = meshOf({ d: { librarian, breaker: { minCalls: 1 } } });

    for (let count = 0; count < 3; count++) await router.ask("q", options);

    expect((await router.health()).d?.breaker).toBe("closed");
  });
});

describe("rule 7, fallback", () => {
  it.each<[string, Partial<LibrarianDefinition>]>([
    ["fails", { librarian: fails("DATA_SOURCE_ERROR") }],
    ["throws", { librarian: throws }],
    ["hangs", { librarian: never, timeoutMs: 1_000 }],
  ])("asks another librarian where one %s, and records it", async (_how, part) => {
    const router = meshOf({
      desk: { librarian: passesTo("d"), delegatesTo: ["d"] },
      d: { librarian: never, ...part, fallback: ["gone", "e", "f"] },
      e: fails("DATA_SOURCE_ERROR"),
      f: answers("F"),
    });

    const run = router.start("q");
    const { answer } = await passing(run.response);

    expect(answer).toBe("F");
    expect(
      run
        .explain()
        .hops.slice(1)
        .map(({ to, via, outcome, parentId }) => [to, via, outcome, parentId]),
    ).toEqual([
      ["d", "delegate", "error", 1],
      ["gone", "fallback", "refused", 2],
      ["e", "fallback", "error", 2],
      ["f", "fallback", "answer", 2],
    ]);
  });

  it("keeps the first error where no fallback can answer", async () => {
    const router = meshOf({
      d: { librarian: fails("DATA_SOURCE_ERROR", "first"), fallback: ["e"] },
      e: fails("RATE_LIMITED", "second"),
    });

    expect((await router.ask("q")).error).toMatchObject({ message: "first" });
  });

  it("stands in for an open breaker, follows delegates, and keeps to the rights of the user", async () => {
    const secret = watched(answers("S"));
    const router = meshOf({
      d: {
        librarian: fails("DATA_SOURCE_ERROR"),
        breaker: { minCalls: 1 },
        fallback: ["secret", "e"],
      },
      secret: { librarian: secret.librarian, allow: { users: ["root"] } },
      e: passesTo("f"),
      f: answers("F"),
    });

    expect((await router.ask("q")).answer).toBe("F");
    expect((await router.ask("q")).answer).toBe("F");
    expect(secret.queries).toEqual([]);
  });

  it.each<[string, MeshLibrarian]>([
    ["a librarian that knows nothing", fails("NOT_FOUND")],
    ["a query that is wrong", fails("INVALID_QUERY")],
  ])("does not stand in for %s", async (_what, librarian) => {
    const e = watched(answers("E"));
    await meshOf({ d: { librarian, fallback: ["e"] }, e: e.librarian }).ask("q");
    expect(e.queries).toEqual([]);
  });

  it("does not stand in for what was called and changes something", async () => {
    const e = watched(answers("E"));
    const d = {
      librarian: fails("SERVICE_UNAVAILABLE"),
      fallback: ["e"],
      breaker: { minCalls: 1 },
    };
    const router = meshOf({ d: { ...d, effects: "write" }, e: e.librarian });

    await router.ask("q");
    expect(e.queries).toEqual([]);
    expect((await router.ask("q")).answer).toBe("E"); // was not called: its breaker is open
  });

  it("two that stand in for each other end", async () => {
    const router = meshOf({
      d: { librarian: fails("DATA_SOURCE_ERROR", "D"), fallback: ["e"] },
      e: { librarian: fails("DATA_SOURCE_ERROR", "E"), fallback: ["d"] },
    });

    expect((await router.ask("q")).error?.message).toBe("D");
  });
});

describe("rule 7, hedged calls", () => {
  /** Slow the first time, quick the second; and the signals of its calls. */
  function slowOnce(ms: number) {
    const signals: (AbortSignal | undefined)[] = [];
    const librarian: MeshLibrarian = async (query, context) => {
      signals.push(context?.signal);
      return signals.length === 1
        ? answersAfter(ms, "first")(query, context)
        : { answer: "second" };
    };
    return { librarian, signals };
  }

  it("calls a slow librarian a second time, takes the first answer, and stops the other", async () => {
    const { librarian, signals } = slowOnce(60_000);
    const router = meshOf({ d: { librarian, hedge: { afterMs: 500 } } });

    const asking = router.ask("q");
    await vi.advanceTimersByTimeAsync(499);
    expect(signals).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);

    expect((await asking).answer).toBe("second");
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, false]);
  });

  it("leaves no timer once the first call has answered, failed or left, and none of two calls", async () => {
    const hedge = { afterMs: 60_000 };
    const router = meshOf({
      quick: { librarian: answers("A"), hedge },
      failing: { librarian: throws, hedge },
      slow: { librarian: answersAfter(90_000, "A"), hedge },
      leaving: { librarian: untilAborted, hedge },
    });

    for (const to of ["quick", "failing"]) {
      await router.ask("q", { to, timeoutMs: Number.POSITIVE_INFINITY });
      expect([to, vi.getTimerCount()]).toEqual([to, 0]);
    }
    const caller = new AbortController();
    const left = router.ask("q", { to: "leaving", signal: caller.signal });
    await vi.advanceTimersByTimeAsync(10);
    caller.abort();
    await left;
    expect(vi.getTimerCount()).toBe(0);
    const slow = router.ask("q", { to: "slow", timeoutMs: Number.POSITIVE_INFINITY });
    await vi.advanceTimersByTimeAsync(90_000);
    expect((await slow).answer).toBe("A");
    expect(vi.getTimerCount()).toBe(1); // the second call's own, which its librarian does not clear
  });

  it("calls once where it is quick, changes something, or has no hedge", async () => {
    for (const more of [
      { hedge: { afterMs: 5_000 } },
      { hedge: true, effects: "write" },
      {},
    ] as const) {
      const { librarian, signals } = slowOnce(2_000);
      await passing(meshOf({ d: { librarian, ...more } }).ask("q"), 10_000);
      expect(signals).toHaveLength(1);
    }
  });

  it("gives the first error where both fail, and the answer where one does", async () => {
    const asks = async (...responses: readonly Response[]) => {
      let calls = 0;
      const librarian: MeshLibrarian = async (query, context) => {
        const response = responses[calls++];
        await answersAfter(calls === 1 ? 2_000 : 500, "")(query, context);
        return response ?? { answer: "" };
      };
      return passing(meshOf({ d: { librarian, hedge: true } }).ask("q"), 10_000);
    };
    const error = failing("DATA_SOURCE_ERROR");

    expect((await asks(error, error)).error?.code).toBe("DATA_SOURCE_ERROR");
    expect((await asks(ok, error)).answer).toBe("ok");
  });
});

describe("rule 7, everything at once", () => {
  it("ends with a cancel, also while a second call of a retried hop waits for its slot", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0.2);
    const router = meshOf({
      d: {
        librarian: never,
        timeoutMs: 60,
        concurrency: 1,
        retry: { attempts: 4, minDelayMs: 44 },
        hedge: { afterMs: 111 },
      },
    });
    const caller = new AbortController();
    let isOver = false;
    const first = router.ask("1", { signal: caller.signal }).then((response) => {
      isOver = true;
      return response;
    });
    await vi.advanceTimersByTimeAsync(66);
    const second = router.ask("2", { timeoutMs: 500 });
    await vi.advanceTimersByTimeAsync(132);

    caller.abort();
    await vi.advanceTimersByTimeAsync(1);

    expect(isOver).toBe(true);
    expect((await first).error?.details).toMatchObject({ reason: "cancelled" });
    expect((await passing(second, 1_000)).error?.code).toBe("TIMEOUT");
    expect(router.load()).toMatchObject({ active: 0, waiting: 0 });
  });
});

describe("rule 7, adaptive width", () => {
  it("narrows while a librarian is rate limited, and widens again", async () => {
    let active = 0;
    let allowed = 2;
    const widths: number[] = [];
    const d: MeshLibrarian = async () => {
      widths.push(++active);
      await new Promise((resolve) => setTimeout(resolve, 100));
      const isTooMany = active > allowed;
      active--;
      return isTooMany ? failing("RATE_LIMITED") : ok;
    };
    const router = meshOf({ d: { librarian: d, concurrency: 8, adaptiveConcurrency: true } });
    const round = async (count: number) => {
      widths.length = 0;
      await passing(
        Promise.all(Array.from({ length: count }, (_, n) => router.ask(`q ${n}`))),
        20_000,
      );
      return Math.max(...widths);
    };

    expect(await round(8)).toBe(8);
    expect(await round(8)).toBeLessThan(8);
    allowed = 100;
    await round(60);
    expect(await round(8)).toBe(8);
  });
});

describe("rule 7, options", () => {
  it.each<[Partial<LibrarianDefinition>, RegExp]>([
    [{ retry: { attempts: 0 } }, /retry\.attempts: expected an integer of 1 or more/],
    [{ retry: { attemps: 3 } as never }, /retry: unknown key "attemps"/],
    [{ retry: { maxDelayMs: Infinity } }, /retry\.maxDelayMs: expected milliseconds/],
    [{ retry: 3 as never }, /retry: expected true, false or an object, got 3/],
    [{ breaker: { failureShare: 0 } }, /breaker\.failureShare: expected more than 0/],
    [{ breaker: { openMs: -1 } }, /breaker\.openMs: expected milliseconds/],
    [{ hedge: { afterMs: 0 } }, /hedge\.afterMs: expected milliseconds/],
    [{ fallback: "e" as never }, /fallback: expected an array of texts/],
    [{ singleFlight: "yes" as never }, /singleFlight: expected true or false, got "yes"/],
    [{ cache: {} as never }, /cache\.store: expected an object with get and set/],
    [{ cache: true as never }, /cache: expected an object with store, got true/],
  ])("does not take %j", (more, message) => {
    expect(() => meshOf({ d: { librarian: answers("D"), ...more } })).toThrow(message);
  });

  it("a router gives its own to librarians that declare nothing", async () => {
    const d = watched(inTurn(failing("DATA_SOURCE_ERROR"), ok));
    const router = meshOf({ d: d.librarian }, { retry: { attempts: 2 }, breaker: true });

    expect((await passing(router.ask("q"))).answer).toBe("ok");
    expect((await router.health()).d?.breaker).toBe("closed");
    expect(() => meshOf({ d: d.librarian }, { breaker: { probes: 0 } })).toThrow(/breaker\.probes/);
  });
});
