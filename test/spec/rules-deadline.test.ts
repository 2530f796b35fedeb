import { getEventListeners } from "node:events";
import type { Librarian } from "@constellation/core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  answers,
  answersAfter,
  meshOf,
  never,
  passesTo,
  throws,
  untilAborted,
  watched,
} from "./mesh.js";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Milliseconds, on the fake clock, until a promise settles, and what it settled with. */
async function timed<T>(work: Promise<T>): Promise<{ value: T; ms: number }> {
  const startedAt = Date.now();
  let ms: number | undefined;
  const done = work.then((value) => {
    ms = Date.now() - startedAt;
    return value;
  });
  for (let step = 0; step < 100_000 && ms === undefined; step++) {
    await vi.advanceTimersByTimeAsync(1);
  }
  return { value: await done, ms: ms ?? -1 };
}

describe("rule 3, the deadline of a run", () => {
  it("is 30 s by default", async () => {
    const { value, ms } = await timed(meshOf({ never }).ask("q"));

    expect(ms).toBe(30_000);
    expect(value.error).toMatchObject({ code: "TIMEOUT", details: { reason: "deadline" } });
  });

  it("is the router's timeoutMs, or that of ask instead, longer or shorter", async () => {
    const router = meshOf({ never }, { timeoutMs: 500 });

    expect((await timed(router.ask("q"))).ms).toBe(500);
    expect((await timed(router.ask("q", { timeoutMs: 100 }))).ms).toBe(100);
    expect((await timed(router.ask("q", { timeoutMs: 2_000 }))).ms).toBe(2_000);
  });

  it("of Infinity is none, and costs no timer", async () => {
    const { librarian, contexts } = watched(untilAborted);
    const run = meshOf({ librarian }).start("q", { timeoutMs: Number.POSITIVE_INFINITY });
    await Promise.resolve();

    expect(contexts[0]?.deadline).toBe(Number.POSITIVE_INFINITY);
    expect(contexts[0]?.remainingMs?.()).toBe(Number.POSITIVE_INFINITY);
    expect(vi.getTimerCount()).toBe(0);
    run.cancel();
    await run.settled;
  });

  it("holds for a librarian that wants more time", async () => {
    const slow = { librarian: never, timeoutMs: 60_000 };

    expect((await timed(meshOf({ slow }).ask("q", { timeoutMs: 100 }))).ms).toBe(100);
  });

  it("holds while a librarian starts", async () => {
    const starting = { librarian: answers("A"), start: () => new Promise<void>(() => {}) };

    const { value, ms } = await timed(meshOf({ starting }).ask("q", { timeoutMs: 100 }));

    expect(ms).toBe(100);
    expect(value.error?.code).toBe("TIMEOUT");
  });
});

describe("rule 3, the deadline of a hop", () => {
  it("leaves its parent 500 ms, or a tenth of what remains where that is less", async () => {
    const remaining = async (timeoutMs: number) => {
      const watches = {
        a: watched(passesTo("b")),
        b: watched(passesTo("c")),
        c: watched(answers("C")),
      };
      const startedAt = Date.now();
      await meshOf(
        Object.fromEntries(Object.entries(watches).map(([id, each]) => [id, each.librarian])),
      ).ask("q", { timeoutMs });
      return Object.values(watches).map(
        ({ contexts }) => (contexts[0]?.deadline ?? Number.NaN) - startedAt,
      );
    };

    expect(await remaining(10_000)).toEqual([10_000, 9_500, 9_000]);
    expect(await remaining(1_000)).toEqual([1_000, 900, 810]);
  });

  it("is its own limit where that is shorter", async () => {
    const { librarian, contexts } = watched(answers("A"));
    const startedAt = Date.now();

    await meshOf({ a: { librarian, timeoutMs: 70 } }).ask("q");

    expect(contexts[0]?.deadline).toBe(startedAt + 70);
  });

  it("ends that hop alone: its siblings continue", async () => {
    const { value, ms } = await timed(
      meshOf({
        a: passesTo("b", "c"),
        b: { librarian: never, timeoutMs: 50 },
        c: answersAfter(200, "C"),
      }).ask("q"),
    );

    expect(ms).toBe(200);
    expect(value).toMatchObject({
      answer: "C",
      partial: true,
      metadata: { missing: [{ to: "b", code: "TIMEOUT", reason: "deadline" }] },
    });
  });

  it("does not bind those it delegates to: a librarian's own limit is for its own call", async () => {
    const { value } = await timed(
      meshOf({
        a: { librarian: passesTo("b"), timeoutMs: 50 },
        b: answersAfter(200, "B"),
      }).ask("q"),
    );

    expect(value.answer).toBe("B");
  });

  it("is given by remainingMs, which goes down to 0 and no further", async () => {
    const { librarian, contexts } = watched(never);
    const response = meshOf({ librarian }).ask("q", { timeoutMs: 100 });

    expect(contexts[0]?.remainingMs?.()).toBe(100);
    await vi.advanceTimersByTimeAsync(30);
    expect(contexts[0]?.remainingMs?.()).toBe(70);
    await vi.advanceTimersByTimeAsync(500);
    expect(contexts[0]?.remainingMs?.()).toBe(0);
    await response;
  });

  it("is not moved by a change of the clock", async () => {
    const { librarian, contexts } = watched(never);
    const response = meshOf({ librarian }).ask("q", { timeoutMs: 100 });

    vi.setSystemTime(Date.now() + 3_600_000);

    expect(contexts[0]?.remainingMs?.()).toBe(100);
    await vi.advanceTimersByTimeAsync(100);
    expect((await response).error?.code).toBe("TIMEOUT");
  });
});

describe("rule 3, the root answers in time with what it has", () => {
  it("over three levels and 2 s, when one of the last hangs: partial, and that one named", async () => {
    const { value, ms } = await timed(
      meshOf({
        root: passesTo("left", "right"),
        left: passesTo("hanging", "leaf"),
        right: answers("right"),
        leaf: answers("leaf"),
        hanging: never,
      }).ask("q", { timeoutMs: 2_000 }),
    );

    expect(ms).toBeLessThanOrEqual(2_000);
    expect(value.answer).toMatch(/leaf[\s\S]*right/);
    expect(value.partial).toBe(true);
    expect(value.metadata?.missing).toEqual([
      { to: "hanging", code: "TIMEOUT", reason: "deadline", message: expect.any(String) },
    ]);
  });

  it("when the own answer of a librarian is all there is", async () => {
    const { value, ms } = await timed(
      meshOf({ a: answers("A", { delegate: { to: "never" } }), never }).ask("q", {
        timeoutMs: 2_000,
      }),
    );

    expect(ms).toBeLessThanOrEqual(2_000);
    expect(value).toMatchObject({ answer: "A", partial: true });
  });

  it("when a librarian that asked waits for an answer that never comes", async () => {
    const asking: Librarian = async (query, context) => {
      const response = await context?.ask?.(query, { to: "never" });
      return { answer: `without it: ${response?.error?.code}` };
    };

    const { value, ms } = await timed(meshOf({ asking, never }).ask("q", { timeoutMs: 2_000 }));

    expect(ms).toBeLessThanOrEqual(2_000);
    expect(value.answer).toBe("without it: TIMEOUT");
  });

  it("when a merge function never comes back", async () => {
    const { value, ms } = await timed(
      meshOf({ a: passesTo("b", "c"), b: answers("B"), c: answers("C") }).ask("q", {
        timeoutMs: 2_000,
        merge: () => new Promise(() => {}),
      }),
    );

    expect(ms).toBeLessThanOrEqual(2_000);
    expect(value.answer).toMatch(/B[\s\S]*C/);
    expect(value).toMatchObject({ partial: true, error: { code: "TIMEOUT" } });
  });

  it("when more branches hang than may be busy at once", async () => {
    const hanging = Array.from({ length: 12 }, (_, index) => `h${index}`);

    const { value, ms } = await timed(
      meshOf({
        a: passesTo("b", ...hanging),
        b: answers("B"),
        ...Object.fromEntries(hanging.map((id) => [id, never])),
      }).ask("q", { timeoutMs: 2_000 }),
    );

    expect(ms).toBeLessThanOrEqual(2_000);
    expect(value.answer).toBe("B");
    expect(value.metadata?.missing?.map(({ to, code }) => [to, code])).toEqual(
      hanging.map((id) => [id, "TIMEOUT"]),
    );
  });
});

describe("rule 3, timers and listeners", () => {
  const endings = {
    answer: answers("A"),
    error: throws,
    chain: passesTo("answer"),
    "fan-out": passesTo("answer", "error"),
    "deadline passed": { librarian: never, timeoutMs: 10 },
    race: async () => ({
      delegate: [{ to: "answer" }, { to: "hanging" }],
      merge: "race" as const,
    }),
    hanging: never,
  };

  for (const to of ["answer", "error", "chain", "fan-out", "deadline passed", "race"]) {
    it(`are all released at the end of a run: ${to}`, async () => {
      const parts = Object.fromEntries(
        Object.entries(endings).map(([id, part]) => [id.replaceAll(" ", "-"), part]),
      );
      const { signal } = new AbortController();

      await timed(meshOf(parts).ask("q", { to: to.replaceAll(" ", "-"), signal }));

      expect(vi.getTimerCount()).toBe(0);
      expect(getEventListeners(signal, "abort")).toHaveLength(0);
    });
  }

  it("are one of each for a thousand runs under one signal", async () => {
    const caller = new AbortController();
    const router = meshOf({ cooperative: untilAborted });
    const warned = vi.spyOn(process, "emitWarning");

    const responses = Array.from({ length: 1_000 }, () =>
      router.ask("q", { signal: caller.signal }),
    );
    expect(getEventListeners(caller.signal, "abort").length).toBeLessThanOrEqual(1);
    expect(vi.getTimerCount()).toBeLessThanOrEqual(1);
    caller.abort();
    const codes = new Set((await Promise.all(responses)).map(({ error }) => error?.code));

    expect(codes).toEqual(new Set(["TIMEOUT"]));
    expect(vi.getTimerCount()).toBe(0);
    expect(warned).not.toHaveBeenCalled();
  });
});

describe("a librarian that keeps the thread busy past its deadline", () => {
  beforeEach(() => {
    vi.useRealTimers(); // time passes while nothing else can run
  });

  const busy = (ms: number) => {
    const end = performance.now() + ms;
    while (performance.now() < end);
  };

  it.each<[string, Librarian]>([
    [
      "at once",
      (async () => {
        busy(60);
        return { answer: "too late" };
      }) satisfies Librarian,
    ],
    [
      "later",
      async () => {
        await Promise.resolve();
        busy(60);
        return { answer: "too late" };
      },
    ],
  ])("has not answered in time: %s", async (_when, librarian) => {
    const run = meshOf({ a: librarian }, { timeoutMs: 30 }).start("q");

    expect((await run.response).error).toMatchObject({
      code: "TIMEOUT",
      details: { reason: "deadline" },
    });
    await run.settled;
    expect(run.explain().hops[0]?.outcome).not.toBe("answer");
  });
});
