import { createRouter } from "@constellation/core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { testContext } from "./context.js";
import { checkLibrarian } from "./librarian-checks.js";
import { ScriptError } from "./script-error.js";
import { scriptedLibrarian } from "./scripted-librarian.js";

describe("scriptedLibrarian", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("plays its steps in order", async () => {
    const librarian = scriptedLibrarian([{ answer: "one" }, { answer: "two" }]);

    expect(await librarian("a")).toEqual({ answer: "one" });
    expect(await librarian("b")).toEqual({ answer: "two" });
    expect(() => librarian.assertComplete()).not.toThrow();
  });

  it("plays the step of a query, as often as it is asked", async () => {
    const librarian = scriptedLibrarian({ a: { answer: "one" }, b: { answer: "two" } });

    expect(await librarian("b")).toEqual({ answer: "two" });
    expect(await librarian("b")).toEqual({ answer: "two" });
    expect(() => librarian.assertComplete()).toThrow('librarian: not played: step "a"');
  });

  it("computes a response where the step is a function", async () => {
    const librarian = scriptedLibrarian([
      async (query, context) => ({ answer: `${query} at ${context?.depth}` }),
    ]);

    expect(await librarian("a", testContext())).toEqual({ answer: "a at 0" });
  });

  it("throws what a step throws", async () => {
    const failure = new Error("no");
    const librarian = scriptedLibrarian([{ throws: failure }]);

    await expect(librarian("a")).rejects.toBe(failure);
  });

  it("records each call with a copy of its context", async () => {
    const router = createRouter();
    const librarian = scriptedLibrarian([{ answer: "one" }]);
    router.register({ id: "docs", description: "is scripted", librarian });

    await router.ask("a", { metadata: { from: "test" } });
    await librarian("b");

    const [first, second] = librarian.calls;
    expect(first).toMatchObject({
      query: "a",
      context: { librarian: { id: "docs" }, metadata: { from: "test" }, depth: 0 },
    });
    expect(second).toEqual({ query: "b", context: undefined });
  });

  it("answers when a slow step's time has come", async () => {
    const librarian = scriptedLibrarian([{ respond: { answer: "late" }, afterMs: 50 }]);
    const settled = vi.fn();
    const response = librarian("a", testContext()).finally(settled);

    await vi.advanceTimersByTimeAsync(49);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);

    expect(await response).toEqual({ answer: "late" });
  });

  it("ends a slow step with TIMEOUT when its signal aborts, and leaves no timer", async () => {
    const librarian = scriptedLibrarian([{ respond: { answer: "late" }, afterMs: 50 }]);
    const context = testContext();
    const response = librarian("a", context);

    context.cancel();

    expect((await response).error).toMatchObject({
      code: "TIMEOUT",
      details: { reason: "cancelled" },
    });
    expect(vi.getTimerCount()).toBe(0);
  });

  it("names the steps that were not played", async () => {
    const librarian = scriptedLibrarian([
      { answer: "one" },
      { answer: "two" },
      { answer: "three" },
    ]);

    await librarian("a");

    expect(() => librarian.assertComplete()).toThrow(
      new ScriptError("librarian: not played: step 2, step 3"),
    );
  });

  it("answers INTERNAL_ERROR to a call without a step, and names it", async () => {
    const librarian = scriptedLibrarian([]);

    expect((await librarian("who?")).error?.code).toBe("INTERNAL_ERROR");

    expect(() => librarian.assertComplete()).toThrow('asked without a step: "who?"');
  });

  it("has no step for a query that is the name of something every object has", async () => {
    const librarian = scriptedLibrarian({});

    expect((await librarian("toString")).error?.code).toBe("INTERNAL_ERROR");
  });

  it("behaves like a librarian where its script does", async () => {
    vi.useRealTimers();
    const answer = { answer: "Yes.", sources: [{ name: "a.md" }], confidence: 0.9 };

    const results = await checkLibrarian({
      create: () => scriptedLibrarian({ q: { respond: answer, afterMs: 1 } }),
      hanging: () =>
        scriptedLibrarian({ q: { respond: answer, afterMs: Number.POSITIVE_INFINITY } }),
      query: "q",
    });

    expect(results.filter(({ outcome }) => outcome === "failed")).toEqual([]);
  });
});
