import { createBlend } from "@constellation/authoring";
import type { Librarian, LibrarianDefinition, MergeFunction, MeshEvent } from "@constellation/core";
import { meshEventNames, type Router } from "@constellation/core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { answers, gate, meshOf, never, passesTo, scriptedAi, watched } from "./mesh.js";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function eventsOf(router: Router): MeshEvent[] {
  const events: MeshEvent[] = [];
  for (const name of meshEventNames) router.on(name, (event) => void events.push(event));
  return events;
}

/** Starts after 100 ms. */
const slowStart = () => new Promise<void>((resolve) => setTimeout(resolve, 100));

describe("nothing begins after a run is over:", () => {
  it("a librarian that starts too slowly is not called after the deadline", async () => {
    const writer = watched(answers("written"));
    const router = meshOf(
      { writer: { librarian: writer.librarian, effects: "write", start: slowStart } },
      { timeoutMs: 20 },
    );

    const run = router.start("q");
    await vi.advanceTimersByTimeAsync(200);
    await run.settled;

    expect((await run.response).error).toMatchObject({
      code: "TIMEOUT",
      details: { reason: "deadline" },
    });
    expect(writer.queries).toEqual([]);
  });

  it("a librarian that starts too slowly is not called after a cancel, and later runs call it", async () => {
    const writer = watched(answers("written"));
    const router = meshOf({ writer: { librarian: writer.librarian, start: slowStart } });

    const run = router.start("first");
    run.cancel();
    await vi.advanceTimersByTimeAsync(200);
    const later = await router.ask("second");

    expect((await run.response).error?.details?.reason).toBe("cancelled");
    expect(later.answer).toBe("written");
    expect(writer.queries).toEqual(["second"]);
  });

  it("a librarian that starts too slowly is not called in a fan-out that is decided", async () => {
    const slow = watched(answers("slow"));
    const router = meshOf({
      a: async () => ({ delegate: [{ to: "fast" }, { to: "slow" }], merge: "race" }),
      fast: answers("fast"),
      slow: { librarian: slow.librarian, start: slowStart },
    });

    const response = await router.ask("q");
    await vi.advanceTimersByTimeAsync(200);

    expect(response.answer).toBe("fast");
    expect(slow.queries).toEqual([]);
  });

  it("no librarian is started by a call of open or health whose signal has aborted", async () => {
    const start = vi.fn<NonNullable<LibrarianDefinition["start"]>>(async () => {});
    const health = vi.fn<NonNullable<LibrarianDefinition["health"]>>(async () => ({
      status: "up" as const,
    }));
    const router = meshOf({ a: { librarian: answers("A"), start, health } });
    const signal = AbortSignal.abort();

    await expect(router.open({ signal })).rejects.toBeInstanceOf(AggregateError);
    const report = await router.health({ signal });

    expect(report.a).toMatchObject({ status: "down" });
    expect(start).not.toHaveBeenCalled();
    expect(health).not.toHaveBeenCalled();
  });

  it("no librarian is started after the router was closed, or after it was taken out", async () => {
    const start = vi.fn<NonNullable<LibrarianDefinition["start"]>>(async () => {});
    const { opened, open } = gate();
    const router = meshOf(
      {
        a: passesTo("b", "c"),
        b: () => opened.then(() => ({ answer: "B" })),
        c: { librarian: answers("C"), start },
      },
      { fanoutConcurrency: 1 },
    );

    const response = router.ask("q");
    await vi.advanceTimersByTimeAsync(0);
    router.unregister("c"); // while its hop waits for its turn
    await vi.advanceTimersByTimeAsync(0);
    open();

    expect(await response).toMatchObject({
      answer: "B",
      metadata: { missing: [{ to: "c", code: "SERVICE_UNAVAILABLE" }] },
    });
    await router.close();
    await expect(meshOf({ c: { librarian: answers("C"), start } }).open()).resolves.toBeUndefined();
    const closed = meshOf({ c: { librarian: answers("C"), start } });
    await closed.close();
    await expect(closed.open()).rejects.toBeInstanceOf(AggregateError);
    expect(start).toHaveBeenCalledTimes(1);
  });

  it("no merge function", async () => {
    const merge = vi.fn<MergeFunction>(() => ({ answer: "merged" }));
    const { opened, open } = gate();
    const router = meshOf(
      { a: passesTo("b", "never"), b: answers("B"), never },
      { timeoutMs: 20, merge },
    );

    const asking: Librarian = async (query, context) => {
      void context?.ask?.(query, { to: "a" });
      await opened;
      return { answer: "done" };
    };
    router.register({ id: "asking", description: "asks", librarian: asking });
    const response = router.ask("q", { to: "asking" });
    await vi.advanceTimersByTimeAsync(0);
    open();
    await response;
    await vi.advanceTimersByTimeAsync(100);

    expect(merge).not.toHaveBeenCalled();
  });

  it("no call of a model within a budget", async () => {
    const ai = scriptedAi("text");
    let late: Promise<unknown> | undefined;
    const librarian: Librarian = async (_query, context) => {
      late = slowStart().then(() => context?.ai?.complete({ prompt: "p" }));
      late.catch(() => {});
      return { answer: "A" };
    };

    await meshOf({ librarian }).ask("q", { ai, budget: { tokens: 1_000 } });
    await vi.advanceTimersByTimeAsync(200);

    await expect(late).rejects.toMatchObject({ code: "TIMEOUT", reason: "cancelled" });
    expect(ai.requests).toEqual([]);
  });

  it("no blend", async () => {
    const ai = scriptedAi("{}");
    const router = meshOf(
      { a: passesTo("b", "c"), b: answers("B"), c: answers("C") },
      { merge: "ai-blend", blend: createBlend(), ai },
    );
    const caller = new AbortController();
    router.on("fanout:start", () => queueMicrotask(() => queueMicrotask(() => caller.abort())));

    await router.ask("q", { signal: caller.signal });
    await vi.advanceTimersByTimeAsync(1_000);
    await vi.dynamicImportSettled();

    expect(ai.requests).toEqual([]);
  });
});

describe("fanout:start", () => {
  it("has its fanout:end when the run ends above the fan-out", async () => {
    const asking: Librarian = async (query, context) => {
      void context?.ask?.(query, { to: "a" });
      await slowStart();
      return { answer: "done" };
    };
    const router = meshOf({ asking, a: passesTo("never", "b"), never, b: answers("B") });
    const events = eventsOf(router);

    const run = router.start("q");
    await vi.advanceTimersByTimeAsync(200);
    await run.response;
    await vi.advanceTimersByTimeAsync(0);

    const count = (type: string) => events.filter((event) => event.type === type).length;
    expect(count("fanout:start")).toBe(1);
    expect(count("fanout:end")).toBe(1);
    expect(run.explain().hops.find(({ to }) => to === "a")?.fanOut).toMatchObject({
      used: [],
      missing: [{ to: "never", code: "TIMEOUT" }],
    });
  });

  it("has its fanout:end when the caller cancels, with branches that wait for their turn", async () => {
    const router = meshOf(
      { a: passesTo("never", "b", "c", "d"), never, b: never, c: never, d: never },
      { fanoutConcurrency: 1 },
    );
    const events = eventsOf(router);

    const run = router.start("q");
    await vi.advanceTimersByTimeAsync(0);
    run.cancel();
    await run.response;

    expect(events.filter(({ type }) => type === "fanout:end")).toHaveLength(1);
  });
});
