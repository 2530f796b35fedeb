import { errorCodes, type MeshLibrarian } from "@constellation/core";
import { describe, expect, it } from "vitest";
import { answers, fails, meshOf, passesTo, throws, watched } from "./mesh.js";

describe("a delegate", () => {
  it("CORE-038 gets its refined query, and without one the query of the delegating librarian", async () => {
    const b = watched(async () => ({ delegate: { to: "c" } }));
    const c = watched(answers("ok"));
    const refining: MeshLibrarian = async () => ({ delegate: { to: "b", query: "q2" } });

    await meshOf({ refining, b: b.librarian, c: c.librarian }).ask("q1");
    await meshOf({ plain: passesTo("b"), b: b.librarian, c: c.librarian }).ask("q1");

    expect(b.queries).toEqual(["q2", "q1"]);
    expect(c.queries).toEqual(["q2", "q1"]);
  });

  it("CORE-039 sees the context it was given as metadata", async () => {
    const b = watched(answers("ok"));
    const a: MeshLibrarian = async () => ({ delegate: { to: "b", context: { reason: "r" } } });

    await meshOf({ a, b: b.librarian }).ask("q");

    expect(b.contexts[0]?.metadata).toMatchObject({ reason: "r" });
  });

  it("has the response of the run to itself: the delegating librarian adds nothing", async () => {
    const response = await meshOf({ a: passesTo("b"), b: answers("B", { confidence: 0.8 }) }).ask(
      "q",
    );

    expect(response).toEqual({ answer: "B", confidence: 0.8 });
  });

  it("keeps the metadata of the librarian that delegated, below that of the one that answered", async () => {
    const routed: MeshLibrarian = async () => ({
      delegate: { to: "b" },
      metadata: { triage: { why: "it fits" }, both: "a" },
    });
    const b = answers("B", { metadata: { both: "b" } });
    const several: MeshLibrarian = async () => ({
      delegate: [{ to: "b" }, { to: "c" }],
      metadata: { triage: { why: "both fit" } },
    });

    const one = await meshOf({ a: routed, b }).ask("q");
    const two = await meshOf({ a: several, b, c: answers("C") }).ask("q");

    expect(one.metadata).toEqual({ triage: { why: "it fits" }, both: "b" });
    expect(two.metadata).toMatchObject({ triage: { why: "both fit" }, both: "b" });
  });

  it("gives the run its error, with nothing in it changed", async () => {
    const error = {
      code: "NOT_FOUND",
      message: "Nothing about that.",
      details: { reason: "no-information", looked: ["a.md"] },
    } as const;

    const response = await meshOf({
      a: passesTo("b"),
      b: passesTo("c"),
      c: async () => ({ error }),
    }).ask("q");

    expect(response).toEqual({ error: expect.objectContaining(error) });
  });

  it("fills in what the librarian left out of its error", async () => {
    const error = { code: "DATA_SOURCE_ERROR", message: "The wiki is down." } as const;
    const own = {
      ...error,
      librarian: "wiki",
      query: "mine",
      recoverable: false,
      suggestion: "No.",
    };

    const router = meshOf({ bare: async () => ({ error }), whole: async () => ({ error: own }) });

    expect(await router.ask("q", { to: "bare" })).toEqual({
      error: {
        ...error,
        librarian: "bare",
        query: "q",
        recoverable: errorCodes.DATA_SOURCE_ERROR.retryable,
        suggestion: errorCodes.DATA_SOURCE_ERROR.suggestion,
      },
    });
    expect(await router.ask("q", { to: "whole" })).toEqual({ error: own });
  });
});

describe("a delegate that may not be asked", () => {
  it("CORE-061 is one already on the chain: LOOP_DETECTED, and it is not called again", async () => {
    const a = watched(passesTo("b"));
    const b = watched(passesTo("a"));

    const response = await meshOf({ a: a.librarian, b: b.librarian }).ask("q");

    expect(response.error).toMatchObject({
      code: "LOOP_DETECTED",
      librarian: "a",
      details: { path: ["a", "b", "a"] },
    });
    expect(response.error?.message).toContain("a -> b -> a");
    expect([a.queries, b.queries]).toEqual([["q"], ["q"]]);
  });

  it("CORE-061 is the one that delegates itself", async () => {
    const a = watched(passesTo("a"));

    const response = await meshOf({ a: a.librarian }).ask("q");

    expect(response.error?.code).toBe("LOOP_DETECTED");
    expect(a.queries).toEqual(["q"]);
  });

  it("CORE-062 is one beyond the depth limit: MAX_DEPTH_EXCEEDED, and it is not called", async () => {
    const c = watched(answers("C"));

    const response = await meshOf(
      { a: passesTo("b"), b: passesTo("c"), c: c.librarian },
      { maxDepth: 2 },
    ).ask("q");

    expect(response.error).toMatchObject({
      code: "MAX_DEPTH_EXCEEDED",
      librarian: "c",
      details: { reason: "depth" },
    });
    expect(c.queries).toEqual([]);
  });

  it("CORE-062 is the sixth, by default", async () => {
    const f = watched(answers("F"));
    const chain = {
      a: passesTo("b"),
      b: passesTo("c"),
      c: passesTo("d"),
      d: passesTo("e"),
      e: passesTo("f"),
    };

    const refused = await meshOf({ ...chain, f: f.librarian }).ask("q");
    const answered = await meshOf({ ...chain, e: answers("E") }).ask("q");

    expect(refused.error?.code).toBe("MAX_DEPTH_EXCEEDED");
    expect(f.queries).toEqual([]);
    expect(answered).toEqual({ answer: "E" });
  });

  it("CORE-060 is one that does not exist: DELEGATION_FAILED, unknown-librarian", async () => {
    const response = await meshOf({ a: passesTo("nobody") }).ask("q");

    expect(response.error).toMatchObject({
      code: "DELEGATION_FAILED",
      details: { reason: "unknown-librarian" },
    });
    expect(response.error?.message).toContain("nobody");
  });
});

describe("an unregistered id", () => {
  it("CORE-079 RES-41: is NOT_FOUND when the caller names it", async () => {
    const response = await meshOf({ a: answers("A") }).ask("q", { to: "nobody" });

    expect(response.error).toMatchObject({
      code: "NOT_FOUND",
      details: { reason: "unknown-librarian" },
    });
    expect(response.error?.message).toContain("nobody");
  });

  it("CORE-079 RES-41: is NOT_FOUND when the router's entry names it", async () => {
    const response = await meshOf({ a: answers("A") }, { entry: "nobody" }).ask("q");

    expect(response.error).toMatchObject({
      code: "NOT_FOUND",
      details: { reason: "unknown-librarian" },
    });
  });

  it("CORE-079 RES-41: is DELEGATION_FAILED when a delegate names it", async () => {
    const response = await meshOf({ a: passesTo("nobody") }).ask("q");

    expect(response.error).toMatchObject({
      code: "DELEGATION_FAILED",
      details: { reason: "unknown-librarian" },
    });
  });

  it("CORE-079 RES-41: is DELEGATION_FAILED when context.ask names it, and throws nothing", async () => {
    const asking: MeshLibrarian = async (query, context) =>
      await context.ask(query, { to: "nobody" });

    const response = await meshOf({ asking }).ask("q");

    expect(response.error).toMatchObject({
      code: "DELEGATION_FAILED",
      details: { reason: "unknown-librarian" },
    });
  });
});

describe("the error of a chain", () => {
  it("CORE-066 names the librarian that failed", async () => {
    const response = await meshOf({ a: passesTo("b"), b: throws }).ask("q");

    expect(response.error?.librarian).toBe("b");
  });

  it("CORE-067 repeats the user's own query, also after a delegate refined it", async () => {
    const a: MeshLibrarian = async () => ({ delegate: { to: "b", query: "q2" } });

    const response = await meshOf({ a, b: throws }).ask("q");

    expect(response.error?.query).toBe("q");
  });

  it("CORE-067 repeats it for an error inside a fan-out too", async () => {
    const a: MeshLibrarian = async () => ({
      delegate: [
        { to: "b", query: "q2" },
        { to: "c", query: "q3" },
      ],
    });

    const response = await meshOf({ a, b: throws, c: fails("NOT_FOUND") }).ask("q");

    expect(response.error?.query).toBe("q");
    expect(response.metadata?.branches?.[0]?.response.error?.query).toBe("q");
  });
});
