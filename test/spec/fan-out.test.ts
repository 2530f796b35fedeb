import type { Librarian } from "@constellation/core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { answers, gate, meshOf, never, passesTo, returning, throws, watched } from "./mesh.js";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("an array of delegates", () => {
  it("CORE-040 is asked in parallel, and gives one response", async () => {
    const b = gate();
    const c = gate();
    const meeting =
      (mine: typeof b, other: typeof b, answer: string): Librarian =>
      async () => {
        mine.open();
        await other.opened;
        return { answer };
      };

    const response = await meshOf({
      a: passesTo("b", "c"),
      b: meeting(b, c, "B"),
      c: meeting(c, b, "C"),
    }).ask("q");

    expect(response.answer).toMatch(/B[\s\S]*C/);
    expect(response.delegate).toBeUndefined();
    expect(response.partial).not.toBe(true);
  });

  it("CORE-040 may have one item: it is followed as a delegate alone is", async () => {
    const b = watched(answers("B"));

    const response = await meshOf({
      a: async () => ({ delegate: [{ to: "b", query: "q2" }] }),
      b: b.librarian,
    }).ask("q");

    expect(response.answer).toBe("B");
    expect(b.queries).toEqual(["q2"]);
  });

  it("CORE-040 gives each branch its own query and context", async () => {
    const b = watched(answers("B"));
    const c = watched(answers("C"));
    const a: Librarian = async () => ({
      delegate: [
        { to: "b", query: "for b", context: { n: 1 } },
        { to: "c", context: { n: 2 } },
      ],
    });

    await meshOf({ a, b: b.librarian, c: c.librarian }).ask("q", { metadata: { x: 0 } });

    expect([...b.queries, ...c.queries]).toEqual(["for b", "q"]);
    expect(b.contexts[0]?.metadata).toEqual({ x: 0, n: 1 });
    expect(c.contexts[0]?.metadata).toEqual({ x: 0, n: 2 });
  });
});

describe("metadata.missing", () => {
  it("CORE-080 names each branch that failed, in the order asked", async () => {
    const response = meshOf({
      a: passesTo("ok", "hanging", "throwing"),
      ok: answers("fine"),
      hanging: never,
      throwing: throws,
    }).ask("q", { timeoutMs: 1_000 });
    await vi.advanceTimersByTimeAsync(1_000);

    expect(await response).toMatchObject({ answer: "fine", partial: true });
    expect((await response).metadata?.missing).toEqual([
      { to: "hanging", code: "TIMEOUT", reason: "deadline", message: expect.any(String) },
      { to: "throwing", code: "INTERNAL_ERROR", reason: "threw", message: expect.any(String) },
    ]);
  });

  it("CORE-080 is absent when nothing is missing", async () => {
    const response = await meshOf({
      a: passesTo("b", "c"),
      b: answers("B"),
      c: answers("C"),
    }).ask("q");

    expect(response.metadata).not.toHaveProperty("missing");
    expect(response).not.toHaveProperty("partial");
  });

  it("CORE-080 is absent when nothing is missing, even where a librarian made one up", async () => {
    const response = await meshOf({
      a: passesTo("b", "c"),
      b: answers("B"),
      c: returning({ answer: "C", metadata: { missing: "three teeth" } }),
    }).ask("q");

    expect(response.metadata).not.toHaveProperty("missing");
  });

  it("CORE-080 lists a branch that has answer and error, and its answer is merged", async () => {
    const error = { code: "RATE_LIMITED", message: "Too many." } as const;

    const response = await meshOf({
      a: passesTo("b", "c"),
      b: answers("B", { error }),
      c: answers("C"),
    }).ask("q");

    expect(response.answer).toMatch(/B[\s\S]*C/);
    expect(response.partial).toBe(true);
    expect(response.metadata?.missing).toEqual([
      { to: "b", code: "RATE_LIMITED", message: "Too many." },
    ]);
  });
});
