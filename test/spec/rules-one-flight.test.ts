import { setImmediate } from "node:timers/promises";
import type {
  CachedResponse,
  LibrarianDefinition,
  MeshLibrarian,
  ResponseCache,
} from "@constellation/core";
import { recordEvents } from "@constellation/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { answers, fails, gate, meshOf, type Part, passesTo, watched } from "./mesh.js";

/** A librarian that answers when the test lets it, and the signals it was given. */
function held(more: Partial<LibrarianDefinition> = {}) {
  const signals: (AbortSignal | undefined)[] = [];
  const { opened, open } = gate();
  const librarian: MeshLibrarian = async (_query, context) => {
    signals.push(context?.signal);
    await opened;
    return { answer: "held", sources: [{ name: "s" }], metadata: { list: [1] } };
  };
  return { part: { librarian, ...more }, signals, open };
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await setImmediate();
}

describe("rule 8, within one run", () => {
  it("a diamond asks the librarian that its branches share once", async () => {
    const shared = watched(answers("D", { confidence: 0.9 }));
    const router = meshOf({
      a: passesTo("b", "c"),
      b: passesTo("d"),
      c: async (query, context) => await context.ask(query, { to: "d" }),
      d: shared.librarian,
    });
    const log = recordEvents(router);

    const run = router.start("q");
    const { answer, metadata } = await run.response;

    expect(shared.queries).toEqual(["q"]);
    expect(answer).toBe("## b, c\n\nD");
    expect(metadata?.missing).toBeUndefined();
    const ofD = log.of("hop:start").filter(({ to }) => to === "d");
    expect(ofD.map((each) => each.shared)).toEqual([undefined, "run"]);
    expect(run.explain().hops.filter((each) => each.shared === "run")).toHaveLength(1);
  });

  it("waits for the call that is under way, and uses the one that is over", async () => {
    const { part, signals, open } = held();
    const twice: MeshLibrarian = async (query, context) => {
      const ask = () => context?.ask?.(query, { to: "d" });
      const both = await Promise.all([ask(), ask()]);
      const later = await ask();
      return { answer: [...both, later].map((each) => each?.answer).join(" ") };
    };
    const asking = meshOf({ a: twice, d: part }).ask("q");
    await turns();
    open();

    expect((await asking).answer).toBe("held held held");
    expect(signals).toHaveLength(1);
  });

  it.each<[string, Partial<LibrarianDefinition>, object, object]>([
    ["changes something", { effects: "write" }, {}, {}],
    ["declares singleFlight: false", { singleFlight: false }, {}, {}],
    ["is asked something else", {}, { query: "q" }, { query: "Q" }],
    ["gets other metadata", {}, { context: { n: 1 } }, { context: { n: "1" } }],
    ["acts for a user with other rights", {}, {}, { user: { roles: [] } }],
  ])("asks it twice where it %s", async (_why, more, one, other) => {
    const d = watched(answers("D"));
    const a: MeshLibrarian = async () => ({
      delegate: [
        { to: "d", ...one },
        { to: "d", ...other },
      ],
    });
    const router = meshOf({ a, d: { librarian: d.librarian, ...more } });

    await router.ask("q", { user: { id: "u1", roles: ["r"] } });

    expect(d.queries).toHaveLength(2);
  });

  it("asks it again after an error", async () => {
    const answersSecond = vi.fn(fails("DATA_SOURCE_ERROR"));
    answersSecond.mockResolvedValueOnce({ error: { code: "DATA_SOURCE_ERROR", message: "no" } });
    answersSecond.mockResolvedValueOnce({ answer: "D" });
    const a: MeshLibrarian = async (query, context) => {
      const first = await context?.ask?.(query, { to: "d" });
      const second = await context?.ask?.(query, { to: "d" });
      return { answer: `${first?.error?.code} ${second?.answer}` };
    };

    expect((await meshOf({ a, d: answersSecond }).ask("q")).answer).toBe("DATA_SOURCE_ERROR D");
  });

  it("does not wait for a call that waits for it", async () => {
    const crossing =
      (to: string): MeshLibrarian =>
      async (query, context) => {
        await setImmediate(); // both are under way before either asks
        const response = await context?.ask?.(query, { to });
        return { answer: response?.answer ?? response?.error?.code ?? "" };
      };
    const router = meshOf({ a: passesTo("b", "c"), b: crossing("c"), c: crossing("b") });

    const { answer } = await router.ask("q", { timeoutMs: 2_000 });

    // One of them asks the other anew and meets the loop; neither waits until the deadline.
    expect(answer).toContain("LOOP_DETECTED");
  });

  it("a branch that leaves does not take the answer from the others", async () => {
    const { part, open, signals } = held();
    const impatient: MeshLibrarian = async (query, context) => {
      const response = await context?.ask?.(query, { to: "d", timeoutMs: 1_000 }); // the other has joined by then
      open(); // for the other, which has not left
      return { answer: response?.error?.details?.reason ?? "none" };
    };
    const patient: MeshLibrarian = async (query, context) => {
      await setImmediate();
      return await context.ask(query, { to: "d" });
    };
    const router = meshOf({
      a: passesTo("impatient", "patient"),
      impatient,
      patient,
      d: part,
    });

    expect((await router.ask("q")).answer).toBe("## impatient\n\ndeadline\n\n## patient\n\nheld");
    expect(signals.map((each) => each?.aborted)).toEqual([false]);
  });
});

describe("rule 8, equal calls of several runs", () => {
  const user = { id: "u1" };

  it.each(["leaves", "gets an answer"])(
    "a hedged call whose caller has left gives both slots back once the last that waits %s",
    async (how) => {
      const signals: AbortSignal[] = [];
      const { opened, open } = gate();
      const hangs: MeshLibrarian = async (_query, context) => {
        if (signals.push(context.signal) === 1) await new Promise(() => undefined); // ignores its signal
        await opened;
        return { answer: "second" };
      };
      const part = { librarian: hangs, singleFlight: true, hedge: { afterMs: 1 } };
      const router = meshOf({ d: part }, { concurrency: 4 });
      const leaves = router.start("q", { user, timeoutMs: 1_000 });
      await vi.waitFor(() => expect(signals).toHaveLength(2), { timeout: 20_000 });
      const stays = router.start("q", { user });
      expect((await leaves.response).error?.code).toBe("TIMEOUT");
      expect(router.load().active).toBe(2);
      if (how === "leaves") stays.cancel();
      else open();

      expect((await stays.response).answer).toBe(how === "leaves" ? undefined : "second");
      await turns();
      expect(router.load()).toMatchObject({ active: 0, waiting: 0 });
      expect(signals[0]?.aborted).toBe(true);
    },
  );

  it("100 equal queries in flight make one call", async () => {
    const { part, signals, open } = held({ singleFlight: true });
    const router = meshOf({ d: part });
    const log = recordEvents(router);
    const asking = Array.from({ length: 100 }, () => router.ask("q", { user }));
    await turns();
    open();

    const responses = await Promise.all(asking);

    expect(signals).toHaveLength(1);
    expect(new Set(responses.map(({ answer }) => answer))).toEqual(new Set(["held"]));
    expect(log.of("hop:start").filter(({ shared }) => shared === "flight")).toHaveLength(99);
    expect((await router.ask("q", { user })).answer).toBe("held");
    expect(signals).toHaveLength(2); // nothing is kept
  });

  it("is off until a librarian or the router turns it on, and never for one that changes something", async () => {
    for (const [options, more, calls] of [
      [{}, {}, 2],
      [{ singleFlight: true }, {}, 1],
      [{ singleFlight: true }, { singleFlight: false }, 2],
      [{ singleFlight: true }, { effects: "write" }, 2],
    ] as const) {
      const { part, signals, open } = held(more);
      const router = meshOf({ d: part }, options);
      const asking = [router.ask("q"), router.ask("q")];
      await turns();
      open();
      await Promise.all(asking);
      expect(signals).toHaveLength(calls);
    }
  });

  it.each<[string, object, object]>([
    ["query", { query: "C++" }, { query: "C#" }],
    ["query, in letter case", { query: "c" }, { query: "C" }],
    ["user", { user: { id: "u1" } }, { user: { id: "u2" } }],
    ["user, in rights", { user: { id: "u1" } }, { user: { id: "u1", roles: ["hr"] } }],
    ["metadata", { metadata: { a: 1 } }, { metadata: { a: "1" } }],
    ["metadata that is not plain", { metadata: { a: new Map() } }, { metadata: { a: new Map() } }],
  ])("does not share with another %s", async (_what, one, other) => {
    const { part, signals, open } = held({ singleFlight: true });
    const router = meshOf({ d: part });
    const asking = [one, other].map((options) => {
      const { query = "q", ...rest } = options as { query?: string };
      return router.ask(query, rest);
    });
    await turns();
    open();
    await Promise.all(asking);

    expect(signals).toHaveLength(2);
  });

  it("shares across paths, deadlines and the order of keys", async () => {
    const { part, signals, open } = held({ singleFlight: true });
    const router = meshOf({ a: passesTo("d"), d: part });
    const asking = [
      router.ask("q", { metadata: { a: 1, b: 2 } }),
      router.ask("q", { to: "d", timeoutMs: 5_000, metadata: { b: 2, a: 1 } }),
    ];
    await turns();
    open();
    await Promise.all(asking);

    expect(signals).toHaveLength(1);
  });

  it("a follower that cancels does not stop the call; the last one does", async () => {
    const { part, signals } = held({ singleFlight: true });
    const router = meshOf({ d: part });
    const callers = [new AbortController(), new AbortController(), new AbortController()];
    const asking = callers.map(({ signal }) => router.ask("q", { signal }));
    await turns();

    callers[1]?.abort();
    expect((await asking[1])?.error?.details).toMatchObject({ reason: "cancelled" });
    expect(signals[0]?.aborted).toBe(false);
    callers[0]?.abort(); // the one that made the call
    expect((await asking[0])?.error?.details).toMatchObject({ reason: "cancelled" });
    expect(signals[0]?.aborted).toBe(false);
    callers[2]?.abort();
    await asking[2];

    expect(signals).toHaveLength(1);
    expect(signals[0]?.aborted).toBe(true);
  });

  it("answers those that stay when the one that made the call has left", async () => {
    const { part, signals, open } = held({ singleFlight: true });
    const router = meshOf({ d: part });
    const caller = new AbortController();
    const first = router.ask("q", { signal: caller.signal });
    const second = router.ask("q");
    await turns();
    caller.abort();
    await first;
    open();

    expect((await second).answer).toBe("held");
    expect(signals).toHaveLength(1);
  });

  it("asks anew when the call it waited for was stopped and failed", async () => {
    let calls = 0;
    const { opened, open } = gate();
    const d: MeshLibrarian = async () => {
      if (++calls > 1) return { answer: "second" };
      await opened;
      throw new Error("stopped");
    };
    const router = meshOf({ d: { librarian: d, singleFlight: true } });
    const caller = new AbortController();
    const first = router.ask("q", { signal: caller.signal });
    const second = router.ask("q");
    await turns();
    caller.abort();
    await first;
    open();

    expect((await second).answer).toBe("second");
    expect(calls).toBe(2);
  });

  it("does not share calls with secret metadata", async () => {
    const { part, signals, open } = held({ singleFlight: true });
    const router = meshOf({ d: part }, { secrets: { token: ["d"] } });
    const asking = ["t1", "t2"].map((token) => router.ask("q", { metadata: { token } }));
    await turns();
    open();
    await Promise.all(asking);

    expect(signals).toHaveLength(2);
  });
});

/** A cache that keeps everything, by key. */
function mapCache(): ResponseCache & { readonly kept: Map<string, CachedResponse> } {
  const kept = new Map<string, CachedResponse>();
  return { kept, get: (key) => kept.get(key), set: (key, cached) => void kept.set(key, cached) };
}

describe("rule 8, the cache", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date"], now: 1_000_000 });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("keeps complete answers while they are fresh, for each user", async () => {
    const d = watched(answers("D", { metadata: { list: [1] } }));
    const store = mapCache();
    const router = meshOf({ d: { librarian: d.librarian, cache: { store, ttlMs: 1_000 } } });
    const log = recordEvents(router);
    const ask = (id: string) => router.ask("q", { user: { id } });

    const first = await ask("u1");
    expect(() => Object.assign(first.metadata?.list ?? [], [2])).toThrow(TypeError);
    const second = await ask("u1");
    await ask("u2");
    vi.setSystemTime(1_001_000);
    await ask("u1");

    expect(second).toEqual({ answer: "D", metadata: { list: [1] } });
    expect(d.queries).toHaveLength(3);
    expect(log.of("hop:start").map(({ shared }) => shared)).toEqual([
      undefined,
      "cache",
      undefined,
      undefined,
    ]);
  });

  it("is shared by users where answers are public", async () => {
    const d = watched(answers("D"));
    const cache = { store: mapCache(), isPublic: true };
    const router = meshOf({ d: { librarian: d.librarian, cache } });

    for (const id of ["u1", "u2"]) await router.ask("q", { user: { id } });

    expect(d.queries).toHaveLength(1);
  });

  it.each<[string, MeshLibrarian]>([
    ["errors", fails("DATA_SOURCE_ERROR")],
    ["partial answers", answers("D", { confidence: 0.2 })],
    ["delegates", passesTo("e")],
    ["what is not plain data", answers("D", { metadata: { call: () => 1 } })],
  ])("does not keep %s", async (_what, librarian) => {
    const d = watched(librarian);
    const store = mapCache();
    const router = meshOf({ d: { librarian: d.librarian, cache: { store } }, e: answers("E") });

    await router.ask("q");
    await router.ask("q");

    expect([d.queries.length, store.kept.size]).toEqual([2, 0]);
  });

  it("stands in for an error where that is allowed, marked partial", async () => {
    let isUp = true;
    const d: MeshLibrarian = async () =>
      isUp ? { answer: "D" } : { error: { code: "DATA_SOURCE_ERROR", message: "down" } };
    const cache = { store: mapCache(), ttlMs: 1_000, staleIfErrorMs: 5_000 };
    const router = meshOf({ d: { librarian: d, cache } });
    await router.ask("q");
    isUp = false;
    vi.setSystemTime(1_003_000);

    const stale = await router.ask("q");
    vi.setSystemTime(1_007_000);
    const late = await router.ask("q");

    expect(stale).toMatchObject({ answer: "D", partial: true });
    expect(late.error?.code).toBe("DATA_SOURCE_ERROR");
  });

  it.each<[string, () => never | Promise<never>]>([
    [
      "throws",
      () => {
        throw new Error("down");
      },
    ],
    ["rejects", () => Promise.reject(new Error("down"))],
  ])("does without a cache that %s", async (_how, broken) => {
    const d = watched(answers("D"));
    const cache = { store: { get: broken, set: broken } };
    const router = meshOf({ d: { librarian: d.librarian, cache } });

    expect((await router.ask("q")).answer).toBe("D");
    expect((await router.ask("q")).answer).toBe("D");
  });

  it("does not believe a cache that returns something else", async () => {
    const d = watched(answers("D"));
    const get = () => ({ response: { answer: 42 }, freshUntil: 9e15 }) as never;
    const part: Part = { librarian: d.librarian, cache: { store: { get, set: () => {} } } };

    expect((await meshOf({ d: part }).ask("q")).answer).toBe("D");
  });
});
