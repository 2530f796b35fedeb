import { printMermaid, printTree } from "@constellation/authoring";
import {
  type Librarian,
  type MeshEvent,
  type MeshEventName,
  meshEventNames,
  type Router,
  recordOf,
  type StopReason,
} from "@constellation/core";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  answers,
  fails,
  gate,
  meshOf,
  never,
  type Part,
  passesTo,
  scriptedAi,
  throws,
  watched,
} from "./mesh.js";

afterEach(() => {
  vi.restoreAllMocks();
});

/** Waits until everything that can happen without the outside world has happened. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Every event of a router, as it comes. */
function listenTo(router: Router): readonly MeshEvent[] {
  const observed: MeshEvent[] = [];
  for (const name of meshEventNames) router.on(name, (event) => void observed.push(event));
  return observed;
}

/** `type to`, as far as the event has one. */
function inShort(events: readonly MeshEvent[]): readonly string[] {
  return events.map((event) => ("to" in event ? `${event.type} ${event.to}` : event.type));
}

/** What a mesh reports of one query. */
async function eventsOf(parts: Readonly<Record<string, Part>>): Promise<readonly MeshEvent[]> {
  const router = meshOf(parts);
  const observed = listenTo(router);
  await router.ask("q");
  await settle();
  return observed;
}

describe("rule 10, events", () => {
  it("report a chain in order", async () => {
    expect(inShort(await eventsOf({ a: passesTo("b"), b: answers("B") }))).toEqual([
      "run:start a",
      "hop:start a",
      "hop:end a",
      "hop:start b",
      "hop:end b",
      "run:end",
    ]);
  });

  it("report a fan-out in order", async () => {
    const parts = { a: passesTo("b", "c"), b: answers("B"), c: answers("C") };

    expect(inShort(await eventsOf(parts))).toEqual([
      "run:start a",
      "hop:start a",
      "hop:end a",
      "fanout:start a",
      "hop:start b",
      "hop:start c",
      "hop:end b",
      "hop:end c",
      "fanout:end a",
      "run:end",
    ]);
  });

  it("report a refused librarian, which was not called", async () => {
    const observed = await eventsOf({ a: passesTo("b"), b: passesTo("a") });

    expect(inShort(observed).slice(-2)).toEqual(["hop:refused a", "run:end"]);
    expect(observed.filter(({ type }) => type === "hop:start")).toHaveLength(2);
    expect(observed.at(-2)).toMatchObject({
      depth: 2,
      via: "delegate",
      error: { code: "LOOP_DETECTED" },
    });
  });

  it("report a query that could not be asked: a start, and an end", async () => {
    const router = meshOf({ a: answers("A") });
    const observed = listenTo(router);

    await router.ask(" ");

    expect(observed.map(({ type }) => type)).toEqual(["run:start", "run:end"]);
    expect(observed.at(-1)).toMatchObject({ stopReason: "refused" });
  });

  it("report of each hop its librarian, its parent, its query and its reason", async () => {
    const a: Librarian = async () => ({
      delegate: { to: "b", query: "q2", context: { reason: "It knows." } },
    });
    const b: Librarian = async (query, context) => {
      await context?.ask?.(query, { to: "c" });
      return { answer: "B", confidence: 0.8, sources: [{ name: "x" }, { name: "y" }] };
    };

    const observed = await eventsOf({ a, b, c: throws });

    const starts = observed.filter((event) => event.type === "hop:start");
    expect(starts).toMatchObject([
      { hopId: 1, to: "a", depth: 0, via: "entry", query: "q", attempt: 1 },
      {
        hopId: 2,
        to: "b",
        parentId: 1,
        depth: 1,
        via: "delegate",
        query: "q2",
        reason: "It knows.",
      },
      { hopId: 3, to: "c", parentId: 2, depth: 2, via: "ask", query: "q2" },
    ]);
    const ends = observed.filter((event) => event.type === "hop:end");
    expect(ends).toMatchObject([
      { to: "a", outcome: "delegate", delegates: ["b"] },
      { to: "c", outcome: "error", error: { code: "INTERNAL_ERROR" }, cause: expect.any(Error) },
      { to: "b", outcome: "answer", confidence: 0.8, sources: 2 },
    ]);
  });

  it("report of each fan-out its strategy, the branches used and those missing", async () => {
    const observed = await eventsOf({
      a: passesTo("b", "c"),
      b: answers("B"),
      c: fails("NOT_FOUND"),
    });

    expect(observed.find(({ type }) => type === "fanout:start")).toMatchObject({
      to: "a",
      delegates: ["b", "c"],
      strategy: "merge-all",
      notAsked: 0,
    });
    expect(observed.find(({ type }) => type === "fanout:end")).toMatchObject({
      used: ["b"],
      missing: [{ to: "c", code: "NOT_FOUND" }],
    });
  });

  it("report progress while a librarian works, and none after it has ended", async () => {
    let late: (() => void) | undefined;
    const working: Librarian = async (_query, context) => {
      context?.report?.("reading 3 files");
      context?.report?.({ text: "The answer" });
      late = () => context?.report?.("too late");
      return { answer: "The answer is 42." };
    };

    const observed = await eventsOf({ working });
    late?.();

    expect(
      observed.flatMap((event) => (event.type === "hop:progress" ? event.progress : [])),
    ).toEqual([{ message: "reading 3 files" }, { text: "The answer" }]);
    expect(inShort(observed)[1]).toBe("hop:start working");
  });

  it("carry one id: runId, requestId of every context, and run.id", async () => {
    const a = watched(passesTo("b"));
    const b = watched(answers("B"));
    const router = meshOf({ a: a.librarian, b: b.librarian });
    const observed = listenTo(router);

    const run = router.start("q");
    await run.settled;

    const ids = [...observed.map(({ runId }) => runId), a, b].map((each) =>
      typeof each === "string" ? each : each.contexts[0]?.requestId,
    );
    expect(new Set(ids)).toEqual(new Set([run.id]));
  });

  it("differ in their id from run to run", async () => {
    const router = meshOf({ a: answers("A") });

    expect(router.start("q").id).not.toBe(router.start("q").id);
  });
});

describe("rule 10, a listener", () => {
  it("that throws or rejects is caught: a warning, and the query continues", async () => {
    const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    const router = meshOf({ a: passesTo("b", "c"), b: answers("B"), c: answers("C") });
    for (const name of meshEventNames) {
      router.on(name, () => {
        throw new Error("password=hunter2");
      });
      router.on(name, () => Promise.reject(new Error("password=hunter2")));
    }
    const observed = listenTo(router);

    const response = await router.ask("q");
    await settle();

    expect(response.answer).toMatch(/B[\s\S]*C/);
    expect(response.error).toBeUndefined();
    expect(observed.at(-1)?.type).toBe("run:end");
    expect(warned).toHaveBeenCalled();
    expect(JSON.stringify(warned.mock.calls)).not.toContain("hunter2");
  });

  it("cannot change the response by changing its event", async () => {
    const router = meshOf({ a: answers("A") });
    router.on("hop:end", (event) => {
      Object.assign(event, { outcome: "error", error: { code: "NOPE" } });
    });

    expect(await router.ask("q")).toEqual({ answer: "A" });
  });

  it("observes nothing more once it is taken off, and taking off twice does no harm", async () => {
    const router = meshOf({ a: answers("A") });
    const first = vi.fn();
    const second = vi.fn();
    const off = router.on("run:end", first);
    router.on("run:end", second);

    await router.ask("q");
    off();
    off();
    await router.ask("q");

    expect(first).toHaveBeenCalledTimes(1);
    expect(second).toHaveBeenCalledTimes(2);
  });

  it("for an unknown event, or one that is not a function, is refused", () => {
    const router = meshOf({ a: answers("A") });

    expect(() => router.on("hop:begin" as MeshEventName, () => {})).toThrow(/"hop:begin"/);
    expect(() => router.on("hop:begin" as MeshEventName, () => {})).toThrow(RangeError);
    expect(() => router.on("run:end", 5 as never)).toThrow(TypeError);
    expect(() => router.on("run:end", 5 as never)).toThrow(/5/);
  });
});

describe("rule 10, run.events", () => {
  it("gives every event, from the first on, however late the reading begins", async () => {
    const router = meshOf({ a: passesTo("b"), b: answers("B") });
    const observed = listenTo(router);

    const run = router.start("q");
    await run.settled;
    const read: MeshEvent[] = [];
    for await (const event of run.events) read.push(event);

    expect(read).toEqual(observed);
    expect(read[0]?.type).toBe("run:start");
    expect(read.at(-1)?.type).toBe("run:end");
  });

  it("yields events while the run continues, all of them to each reader", async () => {
    const { opened, open } = gate();
    const waiting: Librarian = async () => {
      await opened;
      return { answer: "A" };
    };
    const run = meshOf({ waiting }).start("q");
    const read = async () => {
      const types: string[] = [];
      for await (const { type } of run.events) {
        types.push(type);
        if (type === "hop:start") open(); // it is read before the end
      }
      return types;
    };

    const expected = ["run:start", "hop:start", "hop:end", "run:end"];
    expect(await Promise.all([read(), read()])).toEqual([expected, expected]);
  });

  it("may be left in the middle", async () => {
    const run = meshOf({ a: passesTo("b"), b: answers("B") }).start("q");

    for await (const { type } of run.events) if (type === "hop:start") break;

    expect((await run.response).answer).toBe("B");
  });
});

describe("rule 10, the run record", () => {
  it("agrees with the events: every hop with who, why, when, outcome and confidence", async () => {
    const a: Librarian = async () => ({
      delegate: [{ to: "b", context: { reason: "It knows." } }, { to: "c" }, { to: "a" }],
    });
    const router = meshOf({ a, b: answers("B", { confidence: 0.9 }), c: throws });
    const observed = listenTo(router);

    const run = router.start("q");
    const { error } = await run.response;
    await run.settled;
    const record = run.explain();

    expect(error).toBeUndefined();
    expect(record).toEqual(recordOf(observed));
    expect(record).toMatchObject({
      runId: run.id,
      query: "q",
      to: "a",
      stopReason: "partial",
      unsettled: 0,
    });
    expect(record.hops).toMatchObject([
      {
        id: 1,
        to: "a",
        depth: 0,
        via: "entry",
        outcome: "delegate",
        attempt: 1,
        fanOut: { strategy: "merge-all", delegates: ["b", "c", "a"], used: ["b"] },
      },
      {
        parentId: 1,
        to: "b",
        via: "delegate",
        reason: "It knows.",
        outcome: "answer",
        confidence: 0.9,
      },
      { parentId: 1, to: "c", outcome: "error", error: { code: "INTERNAL_ERROR" } },
      { parentId: 1, to: "a", depth: 1, outcome: "refused", error: { code: "LOOP_DETECTED" } },
    ]);
    for (const hop of record.hops) {
      expect(hop.startMs).toBeGreaterThanOrEqual(0);
      expect(hop.durationMs).toBeGreaterThanOrEqual(0);
    }
  });

  it("is there while the run continues, without an outcome yet", async () => {
    const run = meshOf({ a: passesTo("b", "never"), b: answers("B"), never }).start("q");
    await settle();

    const record = run.explain();

    expect(record.stopReason).toBeUndefined();
    expect(record.hops.map(({ to, outcome }) => [to, outcome])).toEqual([
      ["a", "delegate"],
      ["b", "answer"],
      ["never", undefined],
    ]);
    run.cancel();
  });

  it("is plain data: the same after JSON", async () => {
    const run = meshOf({ a: passesTo("b", "c"), b: answers("B"), c: throws }).start("q");
    await run.settled;
    const record = run.explain();

    expect(JSON.parse(JSON.stringify(record))).toEqual(record);
    expect(JSON.stringify(record)).not.toContain("hunter2");
  });

  it("is printed as a tree: a line per hop, indented below who delegated, and one for the run", async () => {
    const run = meshOf({
      a: passesTo("b", "c"),
      b: passesTo("d"),
      c: fails("NOT_FOUND"),
      d: answers("D", { confidence: 0.75, sources: [{ name: "d.md" }] }),
    }).start("q");
    await run.settled;

    const lines = printTree(run.explain()).split("\n");

    expect(lines).toHaveLength(5);
    expect(lines[0]).toMatch(/^a\s+[\d.]+ ms\s+delegate/);
    expect(lines[1]).toMatch(/^├─ b\s/);
    expect(lines[2]).toMatch(/^│\s+└─ d\s.*answer.*0\.75.*1 source/);
    expect(lines[3]).toMatch(/^└─ c\s.*error NOT_FOUND/);
    expect(lines[4]).toMatch(/^partial.*4 hops/);
  });

  it("is printed as a Mermaid flowchart: a node per hop, an arrow from who called it", async () => {
    const run = meshOf({ a: passesTo("b", "c"), b: answers("B"), c: throws }).start("q");
    await run.settled;

    const chart = printMermaid(run.explain());

    expect(chart).toMatch(/^flowchart/);
    expect(chart.match(/^\s+h\d\["(?:a|b|c)<br\/>/gm)).toHaveLength(3);
    expect(chart.match(/^\s+h1 -->\|delegate\| h[23]$/gm)).toHaveLength(2);
    expect(chart).toMatch(/class h3 failed/);
  });

  it("escapes in Mermaid what could end a label", async () => {
    const run = meshOf({ a: answers("A") }).start("q");
    await run.settled;
    const record = run.explain();
    const hops = record.hops.map((hop) => ({ ...hop, to: 'a"]; click h1 "javascript:x' }));

    expect(printMermaid({ ...record, hops })).not.toContain('"]; click');
  });
});

describe("rule 10, the one stop reason", () => {
  const thinking: Librarian = async (prompt, context) => ({
    answer: (await context?.ai?.complete({ prompt }))?.text ?? "",
  });
  const endings: readonly [StopReason, string, () => Router, string?][] = [
    ["answered", "an answer", () => meshOf({ a: answers("A") })],
    ["partial", "a partial answer", () => meshOf({ a: answers("A", { confidence: 0.2 }) })],
    ["not-found", "NOT_FOUND", () => meshOf({ a: fails("NOT_FOUND") })],
    ["refused", "UNAUTHORIZED", () => meshOf({ a: fails("UNAUTHORIZED") })],
    ["refused", "a blank query", () => meshOf({ a: answers("A") }), " "],
    ["deadline", "no answer in time", () => meshOf({ never }, { timeoutMs: 1 })],
    ["loop", "a loop", () => meshOf({ a: passesTo("a") })],
    ["depth", "a chain too long", () => meshOf({ a: passesTo("b"), b: never }, { maxDepth: 1 })],
    ["budget", "hops spent", () => meshOf({ a: answers("A") }, { maxHops: 0 })],
    [
      "budget",
      "tokens spent",
      () => meshOf({ thinking }, { ai: scriptedAi("x"), budget: { tokens: 0 } }),
    ],
    ["failed", "an exception", () => meshOf({ throws })],
    ["failed", "an unknown delegate", () => meshOf({ a: passesTo("nobody") })],
  ];

  for (const [reason, what, make, query = "q"] of endings) {
    it(`is "${reason}" for ${what}, in event and record`, async () => {
      const router = make();
      const observed = listenTo(router);

      const run = router.start(query);
      await run.response;

      expect(run.explain().stopReason).toBe(reason);
      expect(observed.find(({ type }) => type === "run:end")).toMatchObject({ stopReason: reason });
    });
  }

  it(`is "cancelled" for a caller who cancels`, async () => {
    const run = meshOf({ never }).start("q");
    run.cancel();
    await run.response;

    expect(run.explain().stopReason).toBe("cancelled");
  });
});
