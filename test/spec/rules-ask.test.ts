import type { Context, DelegationOptions, Librarian, Response } from "@constellation/core";
import { describe, expect, it } from "vitest";
import { answers, gate, meshOf, never, passesTo, throws, untilAborted, watched } from "./mesh.js";

/** Waits until everything that can happen without the outside world has happened. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Asks, and answers with what came back. */
function asking(query: string | undefined, options: DelegationOptions) {
  const seen: Response[] = [];
  const librarian: Librarian = async (own, context) => {
    const response = await context?.ask?.(query ?? own, options);
    if (response !== undefined) seen.push(response);
    return { answer: "asked" };
  };
  return { librarian, seen };
}

describe("context.ask", () => {
  it("gives the response of another librarian back", async () => {
    const b = watched(answers("B", { confidence: 0.8, sources: [{ name: "b.md" }] }));
    const a = asking("and now?", { to: "b" });

    const response = await meshOf({ a: a.librarian, b: b.librarian }).ask("q");

    expect(response).toEqual({ answer: "asked" });
    expect(a.seen).toEqual([{ answer: "B", confidence: 0.8, sources: [{ name: "b.md" }] }]);
    expect(b.queries).toEqual(["and now?"]);
  });

  it("follows delegates and fan-outs: what comes back is final", async () => {
    const a = asking(undefined, { to: "b" });

    await meshOf({
      a: a.librarian,
      b: passesTo("c", "d"),
      c: answers("C"),
      d: passesTo("e"),
      e: answers("E"),
    }).ask("q");

    expect(a.seen[0]?.answer).toMatch(/C[\s\S]*E/);
    expect(a.seen[0]).not.toHaveProperty("delegate");
  });

  it("puts the librarian on the path, and merges the context it gives", async () => {
    const b = watched(answers("B"));
    const a = asking("refined", { to: "b", context: { y: 2 } });

    await meshOf({ a: a.librarian, b: b.librarian }).ask("original", {
      user: { id: "u1" },
      metadata: { x: 1 },
    });

    expect(b.contexts[0]).toMatchObject({
      delegationChain: ["a"],
      depth: 1,
      originalQuery: "original",
      user: { id: "u1" },
      metadata: { x: 1, y: 2 },
    });
  });

  it("never rejects for what a librarian does: errors come back as responses", async () => {
    for (const [to, code] of [
      ["throwing", "INTERNAL_ERROR"],
      ["nobody", "DELEGATION_FAILED"],
      ["a", "LOOP_DETECTED"],
    ] as const) {
      const a = asking(undefined, { to });

      const response = await meshOf({ a: a.librarian, throwing: throws }).ask("q");

      expect(response).toEqual({ answer: "asked" });
      expect(a.seen[0]?.error?.code).toBe(code);
    }
  });

  it("obeys the depth limit", async () => {
    const b = watched(answers("B"));
    const a = asking(undefined, { to: "b" });

    await meshOf({ a: a.librarian, b: b.librarian }, { maxDepth: 1 }).ask("q");

    expect(a.seen[0]?.error).toMatchObject({
      code: "MAX_DEPTH_EXCEEDED",
      details: { reason: "depth" },
    });
    expect(b.queries).toEqual([]);
  });

  it("obeys delegatesTo", async () => {
    const b = watched(answers("B"));
    const a = asking(undefined, { to: "b" });

    await meshOf({
      a: { librarian: a.librarian, delegatesTo: ["c"] },
      b: b.librarian,
      c: answers("C"),
    }).ask("q");

    expect(a.seen[0]?.error).toMatchObject({
      code: "UNAUTHORIZED",
      details: { reason: "not-allowed" },
    });
    expect(b.queries).toEqual([]);
  });

  for (const query of [" ", "", 5, undefined]) {
    it(`refuses the query ${JSON.stringify(query) ?? "undefined"} as INVALID_QUERY`, async () => {
      const b = watched(answers("B"));
      let seen: Response | undefined;
      const a: Librarian = async (_query, context) => {
        seen = await context?.ask?.(query as string, { to: "b" });
        return { answer: "asked" };
      };

      await meshOf({ a, b: b.librarian }).ask("q");

      expect(seen?.error?.code).toBe("INVALID_QUERY");
      expect(b.queries).toEqual([]);
    });
  }

  it("ends at its own timeoutMs, before the deadline of the asking librarian", async () => {
    const a = asking(undefined, { to: "never", timeoutMs: 5 });

    const response = await meshOf({ a: a.librarian, never }).ask("q");

    expect(response).toEqual({ answer: "asked" });
    expect(a.seen[0]?.error).toMatchObject({ code: "TIMEOUT", details: { reason: "deadline" } });
  });

  it("may be called several times at once", async () => {
    const a: Librarian = async (query, context) => {
      const all = await Promise.all(
        ["b", "c", "b"].map(async (to) => context?.ask?.(`${query} ${to}`, { to })),
      );
      return { answer: all.map((each) => each?.answer).join() };
    };
    const echo: Librarian = async (query) => ({ answer: query });

    expect((await meshOf({ a, b: echo, c: echo }).ask("q")).answer).toBe("q b,q c,q b");
  });
});

describe("context.ask of a librarian that does not wait", () => {
  it("is cancelled when that librarian has answered", async () => {
    const b = watched(untilAborted);
    const a: Librarian = async (query, context) => {
      void context?.ask?.(query, { to: "b" });
      await settle();
      return { answer: "A" };
    };

    const run = meshOf({ a, b: b.librarian }).start("q");

    expect(await run.response).toEqual({ answer: "A" });
    expect(b.contexts[0]?.signal?.aborted).toBe(true);
    expect(b.contexts[0]?.signal?.reason).toMatchObject({ reason: "cancelled" });
    await run.settled;
  });

  it("is cancelled with all that is below it", async () => {
    const c = watched(untilAborted);
    const a: Librarian = async (query, context) => {
      void context?.ask?.(query, { to: "b" });
      await settle();
      return { delegate: { to: "slow" } };
    };
    const open = gate();
    const slow: Librarian = async () => {
      await open.opened;
      return { answer: "slow" };
    };

    const response = meshOf({ a, b: passesTo("c", "d"), c: c.librarian, d: never, slow }).ask("q");
    await settle();
    await settle();

    expect(c.contexts[0]?.signal?.aborted).toBe(true); // while the run continues
    open.open();
    expect((await response).answer).toBe("slow");
  });

  it("starts nothing when it is called after the end", async () => {
    const b = watched(answers("B"));
    let kept: Context | undefined;
    const a: Librarian = async (_query, context) => {
      kept = context;
      return { answer: "A" };
    };

    await meshOf({ a, b: b.librarian }).ask("q");
    const late = await kept?.ask?.("q", { to: "b" });

    expect(late?.error).toMatchObject({ code: "TIMEOUT", details: { reason: "cancelled" } });
    expect(b.queries).toEqual([]);
  });
});

describe("context.ask with wrong options", () => {
  const wrong: readonly [string, unknown, RegExp][] = [
    ["none", undefined, /options/],
    ["text", "b", /options.*"b"/],
    ["no `to`", {}, /to: .*undefined/],
    ["an empty `to`", { to: "" }, /to: .*""/],
    ["a number as `to`", { to: 5 }, /to: .*5/],
    ["a context that is not an object", { to: "b", context: 7 }, /context: .*7/],
    ["timeoutMs 0", { to: "b", timeoutMs: 0 }, /timeoutMs: .*0/],
    ["timeoutMs as text", { to: "b", timeoutMs: "5s" }, /timeoutMs: .*"5s"/],
    ["a strategy there is not", { to: "b", merge: "loudest" }, /merge: .*"loudest"/],
    ["a budget below 0", { to: "b", budget: { tokens: -1 } }, /budget\.tokens: .*-1/],
    ["an unknown key", { to: "b", timeout: 5 }, /"timeout"/],
  ];
  for (const [what, options, message] of wrong) {
    it(`throws TypeError or RangeError that names the value: ${what}`, async () => {
      let thrown: unknown;
      const a: Librarian = async (query, context) => {
        try {
          await context?.ask?.(query, options as DelegationOptions);
        } catch (error) {
          thrown = error;
        }
        return { answer: "A" };
      };

      await meshOf({ a, b: answers("B") }).ask("q");

      expect(thrown).toSatisfy(
        (error: unknown) => error instanceof TypeError || error instanceof RangeError,
      );
      expect((thrown as Error).message).toMatch(message);
    });
  }
});
