import type { Context, Librarian, Response } from "@constellation/core";
import { afterEach, beforeEach, describe, expect, expectTypeOf, it, vi } from "vitest";
import { answers, meshOf, never, throws, watched } from "./mesh.js";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("the type Librarian", () => {
  it("CORE-001 is an async function from a query and an optional context to a Response", () => {
    const echo: Librarian = async (query) => ({ answer: query });
    // @ts-expect-error -- a bare response is not a promise of one
    const bare: Librarian = (query: string): Response => ({ answer: query });
    // @ts-expect-error -- the query is text
    const counting: Librarian = async (query: number) => ({ answer: `${query}` });

    expectTypeOf<Librarian>().toEqualTypeOf<
      (query: string, context?: Context) => Promise<Response>
    >();
    expect([echo, bare, counting]).toHaveLength(3);
  });

  it("CORE-004 can be called with the query alone", async () => {
    const greeter: Librarian = async (query, context) => ({
      answer: `${query}, ${context?.user?.id ?? "stranger"}`,
    });

    expect(await greeter("hello")).toEqual({ answer: "hello, stranger" });
  });
});

describe("a librarian behind the router", () => {
  it("CORE-003 gets the query unchanged, as its first parameter", async () => {
    const spy = vi.fn(answers("ok"));

    await meshOf({ spy }).ask(" Pods? \n");

    expect(spy.mock.calls[0]?.[0]).toBe(" Pods? \n");
  });

  it("CORE-007 that throws at once gives INTERNAL_ERROR", async () => {
    const throwing: Librarian = () => {
      throw new Error("boom");
    };

    const response = await meshOf({ throwing }).ask("q");

    expect(response.error).toMatchObject({ code: "INTERNAL_ERROR", details: { reason: "threw" } });
  });

  it("CORE-007 that rejects gives INTERNAL_ERROR", async () => {
    const response = await meshOf({ throws }).ask("q");

    expect(response.error).toMatchObject({ code: "INTERNAL_ERROR", details: { reason: "threw" } });
  });

  it("CORE-008 that has not answered by its deadline gives TIMEOUT, reason deadline", async () => {
    const { librarian, contexts } = watched(never);
    const startedAt = Date.now();

    const response = meshOf({ librarian }).ask("q", { timeoutMs: 50 });
    await vi.advanceTimersByTimeAsync(50);

    expect((await response).error).toMatchObject({
      code: "TIMEOUT",
      details: { reason: "deadline" },
    });
    expect(contexts[0]?.deadline).toBe(startedAt + 50);
  });

  it("CORE-008 has its time to the last millisecond", async () => {
    const ended = vi.fn();

    const response = meshOf({ never }).ask("q", { timeoutMs: 50 }).then(ended);
    await vi.advanceTimersByTimeAsync(49);

    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await response;
  });

  it("CORE-009 is not waited for when the signal aborts: TIMEOUT, reason cancelled", async () => {
    const caller = new AbortController();
    const { librarian, contexts } = watched(never);
    const response = meshOf({ librarian }).ask("q", { signal: caller.signal });

    caller.abort();

    expect((await response).error).toMatchObject({
      code: "TIMEOUT",
      details: { reason: "cancelled" },
    });
    expect(contexts[0]?.signal?.aborted).toBe(true);
  });
});
