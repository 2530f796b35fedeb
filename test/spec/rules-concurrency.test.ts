import { setImmediate } from "node:timers/promises";
import type { LibrarianDefinition, MeshLibrarian, Router } from "@constellation/core";
import { recordEvents } from "@constellation/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { answers, gate, meshOf, never, passesTo } from "./mesh.js";

/** Counts librarians that work; one that waits for `context.ask` does not. */
function gauge() {
  let active = 0;
  const state = {
    peak: 0,
    calls: 0,
    async work<Result>(work: () => Promise<Result>): Promise<Result> {
      state.peak = Math.max(state.peak, ++active);
      try {
        return await work();
      } finally {
        active--;
      }
    },
    /** A librarian that works for a turn of the event loop, and answers. */
    worker:
      (answer: string): MeshLibrarian =>
      async () => {
        state.calls++;
        await state.work(() => setImmediate());
        return { answer };
      },
  };
  return state;
}

/** Librarians that hold their slots until the test lets them go, in the order they were called. */
function held(): { readonly librarian: MeshLibrarian; readonly called: string[]; next(): void } {
  const called: string[] = [];
  const gates: ReturnType<typeof gate>[] = [];
  return {
    called,
    next: () => gates.shift()?.open(),
    librarian: async (query) => {
      called.push(query);
      const own = gate();
      gates.push(own);
      await own.opened;
      return { answer: query };
    },
  };
}

/** Lets everything happen that needs no timer. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await setImmediate();
}

const idle = { active: 0, waiting: 0, estimatedWaitMs: 0 };

const overloaded = {
  code: "SERVICE_UNAVAILABLE",
  recoverable: true,
  details: { reason: "overloaded", retryAfterMs: expect.any(Number) as number },
};

describe("rule 6, concurrency for the whole tree", () => {
  it("5 runs of 13 calls at concurrency 8: never more than 8 at once, and all end", async () => {
    const count = gauge();
    const middle =
      (name: string): MeshLibrarian =>
      async (query, context) => {
        count.calls++;
        await count.work(() => setImmediate());
        const asked = ["1", "2", "3"].map(async (part) =>
          context?.ask?.(`${query} ${name} ${part}`, { to: "leaf" }),
        );
        await Promise.all(asked);
        await count.work(() => setImmediate());
        return { answer: name };
      };
    const root: MeshLibrarian = async () => {
      count.calls++;
      await count.work(() => setImmediate());
      return { delegate: [{ to: "m1" }, { to: "m2" }, { to: "m3" }] };
    };
    const router = meshOf(
      { root, m1: middle("m1"), m2: middle("m2"), m3: middle("m3"), leaf: count.worker("leaf") },
      { concurrency: 8 },
    );

    const responses = await Promise.all(
      ["a", "b", "c", "d", "e"].map((query) => router.ask(query)),
    );

    expect(responses.map(({ error }) => error)).toEqual(Array(5).fill(undefined));
    expect(count.calls).toBe(5 * 13);
    expect(count.peak).toBe(8);
    expect(router.load()).toEqual(idle);
  });

  it("concurrency 1 does not deadlock a chain of questions", async () => {
    const count = gauge();
    const asking =
      (to: string): MeshLibrarian =>
      async (query, context) => {
        const response = await context?.ask?.(query, { to });
        return count.work(async () => ({ answer: `${to} ${response?.answer}` }));
      };
    const parts = { a: asking("b"), b: asking("c"), c: passesTo("d"), d: count.worker("D") };
    const router = meshOf(parts, { concurrency: 1 });

    const responses = await Promise.all(["1", "2", "3"].map((query) => router.ask(query)));

    expect(responses.map(({ answer }) => answer)).toEqual(Array(3).fill("b c D"));
    expect(count.peak).toBe(1);
  });

  it("limits of two librarians that ask each other do not deadlock", async () => {
    const count = gauge();
    const asking =
      (to: string): MeshLibrarian =>
      async (query, context) => {
        if (context?.depth === 1) return count.work(async () => ({ answer: "end" }));
        return await context.ask(query, { to });
      };
    const router = meshOf({
      a: { librarian: asking("b"), concurrency: 1 },
      b: { librarian: asking("a"), concurrency: 1 },
    });

    const responses = await Promise.all([
      router.ask("q", { to: "a" }),
      router.ask("q", { to: "b" }),
      router.ask("q", { to: "a" }),
    ]);

    expect(responses.map(({ answer }) => answer)).toEqual(Array(3).fill("end"));
    expect(router.load()).toEqual(idle);
  });

  it("the limit of a librarian holds in all runs, and limits no other", async () => {
    const few = gauge();
    const many = gauge();
    const router = meshOf({
      desk: passesTo("few", "many"),
      few: { librarian: few.worker("F"), concurrency: 2 },
      many: many.worker("M"),
    });

    await Promise.all(Array.from({ length: 20 }, (_, n) => router.ask(`q ${n}`)));

    expect([few.peak, few.calls]).toEqual([2, 20]);
    expect(many.peak).toBe(20);
  });
});

describe("rule 6, the queue", () => {
  it("is bounded: what does not fit is refused at once, with a hint, and recorded", async () => {
    const { librarian, next } = held();
    const router = meshOf({ slow: librarian }, { concurrency: 1, maxQueue: 2 });
    const log = recordEvents(router);
    const waiting = ["1", "2", "3"].map((query) => router.ask(query));
    await turns();
    expect(router.load()).toMatchObject({ active: 1, waiting: 2 });

    const refused = await router.ask("4");

    expect(refused.error).toMatchObject(overloaded);
    expect(log.of("hop:refused")).toMatchObject([{ to: "slow", query: "4", error: overloaded }]);
    for (let count = 0; count < 3; count++) {
      next();
      await turns();
    }
    const responses = await Promise.all(waiting);
    expect(responses.map(({ answer }) => answer)).toEqual(["1", "2", "3"]);
    expect(router.load()).toEqual(idle);
  });

  it("refuses the same call twice in a run, where there is no room either time", async () => {
    const { librarian, next } = held();
    const twice: MeshLibrarian = async (query, context) => {
      const reasons = [];
      for (let count = 0; count < 2; count++) {
        const response = await context?.ask?.(query, { to: "slow" });
        reasons.push(response?.error?.details?.reason);
      }
      return { answer: reasons.join() };
    };
    const slow = { librarian, concurrency: 1 };
    const router = meshOf({ twice, slow }, { maxQueue: 0 });
    const first = router.ask("1", { to: "slow" });

    expect((await router.ask("2")).answer).toBe("overloaded,overloaded");
    next();
    await first;
  });

  it("serves users in turn, and within a user runs in turn", async () => {
    const { librarian, called, next } = held();
    const fan: MeshLibrarian = async (query) => ({
      delegate: ["1", "2", "3"].map((part) => ({ to: "slow", query: `${query}${part}` })),
    });
    const router = meshOf(
      { fan, slow: { librarian, concurrency: 1 } },
      { fanoutConcurrency: 3, merge: "merge-all" },
    );
    const user = (id: string) => ({ user: { id } });
    const runs = [router.ask("A", user("u1"))];
    await turns();
    runs.push(router.ask("B", user("u1")), router.ask("C", user("u2")));
    await turns();

    while (called.length < 9) {
      next();
      await turns();
    }
    next();
    await Promise.all(runs);

    // A1 was there first; then the users take turns, and A and B, both of u1, do so as well.
    expect(called.slice(0, 8)).toEqual(["A1", "B1", "C1", "A2", "C2", "B2", "C3", "A3"]);
  });

  it("makes room for another user where one user has filled it", async () => {
    const { librarian, next } = held();
    const router = meshOf({ slow: librarian }, { concurrency: 1, maxQueue: 3 });
    const greedy = ["1", "2", "3", "4"].map((query) => router.ask(query, { user: { id: "u1" } }));
    await turns();

    const modest = router.ask("5", { user: { id: "u2" } });
    await turns();
    expect((await greedy[3])?.error).toMatchObject(overloaded);
    for (let count = 0; count < 4; count++) {
      next();
      await turns();
    }

    expect((await modest).answer).toBe("5");
    expect((await Promise.all(greedy)).map(({ answer }) => answer)).toEqual([
      "1",
      "2",
      "3",
      undefined,
    ]);
  });

  it("lets go of those who leave it", async () => {
    const { librarian, called, next } = held();
    const router = meshOf({ slow: librarian }, { concurrency: 1 });
    const caller = new AbortController();
    const first = router.ask("1");
    const second = router.ask("2", { signal: caller.signal });
    const third = router.ask("3");
    await turns();

    caller.abort();

    expect((await second).error?.details).toMatchObject({ reason: "cancelled" });
    expect(router.load()).toMatchObject({ active: 1, waiting: 1 });
    next();
    await turns();
    next();
    await Promise.all([first, third]);
    expect(called).toEqual(["1", "3"]);
    expect(router.load()).toEqual(idle);
  });

  describe("with time", () => {
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance", "Date"] });
    });
    afterEach(() => {
      vi.useRealTimers();
    });

    it("returns the slot of a librarian that hangs, at its own limit", async () => {
      const part: Partial<LibrarianDefinition> & { readonly librarian: MeshLibrarian } = {
        librarian: never,
        timeoutMs: 100,
      };
      const router = meshOf({ hung: part, fine: answers("F") }, { concurrency: 1 });
      const log = recordEvents(router);
      const hanging = router.ask("q", { to: "hung" });
      const fine = router.ask("q", { to: "fine" });

      await vi.advanceTimersByTimeAsync(101);

      expect((await hanging).error?.code).toBe("TIMEOUT");
      expect((await fine).answer).toBe("F");
      expect(router.load()).toMatchObject({ active: 0, waiting: 0 });
      const [, started] = log.of("hop:start");
      expect(started?.waitedMs).toBeGreaterThanOrEqual(100);
    });

    it("ends a wait with the run's time, and calls no one afterwards", async () => {
      const calls = vi.fn(async () => ({ answer: "F" }));
      const router: Router = meshOf({ hung: never, fine: calls }, { concurrency: 1 });
      const hanging = router.ask("q", { to: "hung", timeoutMs: 1_000 });
      const late = router.ask("q", { to: "fine", timeoutMs: 200 });

      await vi.advanceTimersByTimeAsync(201);
      expect((await late).error).toMatchObject({
        code: "TIMEOUT",
        details: { reason: "deadline" },
      });
      await vi.advanceTimersByTimeAsync(1_000);
      await hanging;

      expect(calls).not.toHaveBeenCalled();
      expect(router.load()).toMatchObject({ active: 0, waiting: 0 });
    });
  });

  it("calls no librarian for a caller that leaves between the grant of its slot and the call", async () => {
    // The moment lies a few promise callbacks after the slot is free: each of the first 40 is tried.
    for (let callbacks = 0; callbacks < 40; callbacks++) {
      const caller = new AbortController();
      const late: boolean[] = [];
      const { open, opened } = gate();
      const holding: MeshLibrarian = async () => {
        await opened;
        void (async () => {
          for (let each = 0; each < callbacks; each++) await Promise.resolve();
          caller.abort();
        })();
        return { answer: "H" };
      };
      const waiting: MeshLibrarian = async () => {
        late.push(caller.signal.aborted);
        return { answer: "W" };
      };
      const router: Router = meshOf({ holding, waiting }, { concurrency: 1 });
      const first = router.ask("q");
      const second = router.ask("q", { to: "waiting", signal: caller.signal });
      open();

      expect((await first).answer).toBe("H");
      const { answer, error } = await second;
      expect([callbacks, late.includes(true)]).toEqual([callbacks, false]);
      expect(answer === "W" ? late : error?.details?.reason).toEqual(
        answer === "W" ? [false] : "cancelled",
      );
      expect(router.load()).toMatchObject({ active: 0, waiting: 0 });
    }
  });

  it.each<[object, RegExp]>([
    [{ concurrency: 0 }, /concurrency: expected an integer of 1 or more, or Infinity, got 0/],
    [{ maxQueue: -1 }, /maxQueue: expected an integer of 0 or more, or Infinity, got -1/],
  ])("does not take %j", (options, message) => {
    expect(() => meshOf({ a: answers("A") }, options)).toThrow(message);
    const concurrency = "8" as never;
    expect(() => meshOf({ a: { librarian: answers("A"), concurrency } })).toThrow(
      /librarian "a": concurrency: expected an integer/,
    );
  });
});
