import { createRouter, type Librarian, type PathEntry } from "@constellation/core";
import { describe, expect, it } from "vitest";
import { testContext } from "../testing.js";
import { decodeCall, encodeCall } from "./call-envelope.js";

const entry = (mesh: string, id: string, isBridge?: true): PathEntry => ({
  mesh,
  id,
  ...(isBridge && { isBridge }),
});

/** Asks a mesh "b" with one librarian "docs", and gives the response and how often it was called. */
async function askFrom(path: readonly PathEntry[], options: object = {}) {
  let calls = 0;
  const librarian: Librarian = async () => {
    calls++;
    return { answer: "so" };
  };
  const router = createRouter({ name: "b", ...options });
  router.register({ id: "docs", description: "answers", librarian });
  return { response: await router.ask("q", { path }), calls };
}

describe("a call from another mesh", () => {
  it("is a loop when it comes back to a librarian of its path, which is not called", async () => {
    const { response, calls } = await askFrom([entry("a", "front"), entry("b", "docs")]);

    expect(response.error).toMatchObject({
      code: "LOOP_DETECTED",
      librarian: "docs",
      details: { path: ["a/front", "b/docs", "b/docs"] },
    });
    expect(calls).toBe(0);
  });

  it("is no loop when another mesh has a librarian of the same id", async () => {
    expect((await askFrom([entry("a", "docs")])).response.answer).toBe("so");
  });

  it("counts towards the depth, without the librarians that only forward", async () => {
    const path = [entry("a", "front"), entry("a", "to-c", true), entry("c", "front")];

    expect((await askFrom(path, { maxDepth: 3 })).response.answer).toBe("so");
    expect((await askFrom(path, { maxDepth: 2 })).response.error).toMatchObject({
      code: "MAX_DEPTH_EXCEEDED",
      details: { reason: "depth", maxDepth: 2 },
    });
  });
});

describe("encodeCall", () => {
  it("carries the whole path, and less time than is left", async () => {
    let envelope: unknown;
    const router = createRouter({ name: "b", timeoutMs: 10_000 });
    router.register({
      id: "bridge",
      description: "asks another mesh",
      librarian: async (_query, context) => {
        envelope = encodeCall(context ?? {});
        return { answer: "so" };
      },
    });

    await router.ask("q", { path: [entry("a", "front")] });

    expect(envelope).toEqual({
      v: 1,
      path: [entry("a", "front"), entry("b", "bridge", true)],
      remainingMs: expect.any(Number),
    });
    const { remainingMs } = decodeCall(envelope);
    expect(remainingMs).toBeLessThanOrEqual(9_750);
    expect(remainingMs).toBeGreaterThan(8_000);
  });

  it("is nothing for a context that no router made", () => {
    expect(encodeCall(testContext())).toBeUndefined();
  });
});

describe("decodeCall", () => {
  const valid = { v: 1, path: [{ mesh: "a", id: "front" }], remainingMs: 500 };

  it("reads an envelope, and ignores what it does not know", () => {
    expect(decodeCall({ ...valid, user: { id: "admin" }, more: 1 })).toEqual({
      path: [{ mesh: "a", id: "front" }],
      remainingMs: 500,
    });
  });

  it.each([
    [{ ...valid, v: 2 }, "v: expected 1"],
    [{ ...valid, path: undefined }, "path: expected an array"],
    [
      { ...valid, path: Array.from({ length: 33 }, () => valid.path[0]) },
      "path: expected an array",
    ],
    [{ ...valid, path: [{ mesh: "a" }] }, "path[0].id"],
    [{ ...valid, path: [{ mesh: 5, id: "x" }] }, "path[0].mesh"],
    [{ ...valid, remainingMs: -1 }, "remainingMs"],
    [{ ...valid, remainingMs: 1.5 }, "remainingMs"],
    [{ ...valid, remainingMs: 1e12 }, "remainingMs"],
    [{ ...valid, remainingMs: "5" }, "remainingMs"],
    [{ ...valid, remainingMs: null }, "remainingMs"],
    [null, "expected an object"],
    ["garbage", "expected an object"],
  ])("refuses %j, naming the field", (envelope, problem) => {
    expect(() => decodeCall(envelope)).toThrow(
      expect.objectContaining({ code: "INVALID_QUERY", message: expect.stringContaining(problem) }),
    );
  });

  it("is TIMEOUT when the caller has no time left", () => {
    expect(() => decodeCall({ ...valid, remainingMs: 0 })).toThrow(
      expect.objectContaining({ code: "TIMEOUT" }),
    );
  });
});
