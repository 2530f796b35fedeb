import type { AIRequest, MeshLibrarian } from "@constellation/core";
import { MeshError } from "@constellation/core";
import { describe, expect, it } from "vitest";
import { answers, meshOf, type Part, passesTo, scriptedAi, watched } from "./mesh.js";

/** `count` ids: `b1`, `b2`, ... */
function ids(prefix: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${index + 1}`);
}

describe("rule 2, maxFanout", () => {
  it("asks 16 delegates of one response; the 17th and later are listed in missing", async () => {
    const branch = watched(answers("ok"));
    const all = ids("b", 18);
    const mesh = meshOf({
      a: passesTo(...all),
      ...Object.fromEntries(all.map((id) => [id, branch.librarian])),
    });

    const response = await mesh.ask("q");

    expect(branch.queries).toHaveLength(16);
    expect(response.partial).toBe(true);
    expect(response.metadata?.branches).toHaveLength(16);
    expect(response.metadata?.missing).toEqual(
      ["b17", "b18"].map((to) => ({
        to,
        code: "MAX_DEPTH_EXCEEDED",
        reason: "budget-exceeded",
        message: expect.stringContaining("16"),
      })),
    );
  });

  it("asks exactly 16 without a word", async () => {
    const all = ids("b", 16);

    const response = await meshOf({
      a: passesTo(...all),
      ...Object.fromEntries(all.map((id) => [id, answers(id)])),
    }).ask("q");

    expect(response.metadata?.missing).toBeUndefined();
    expect(response.partial).not.toBe(true);
  });

  it("is listed in missing after those that failed, in the order asked", async () => {
    const response = await meshOf(
      { a: passesTo("nobody", "b", "c", "d"), b: answers("B"), c: answers("C"), d: answers("D") },
      { maxFanout: 2 },
    ).ask("q");

    expect(response.answer).toBe("B");
    expect(response.metadata?.missing?.map(({ to, code }) => [to, code])).toEqual([
      ["nobody", "DELEGATION_FAILED"],
      ["c", "MAX_DEPTH_EXCEEDED"],
      ["d", "MAX_DEPTH_EXCEEDED"],
    ]);
  });

  it("leads to an error when no branch has answered", async () => {
    const response = await meshOf(
      { a: passesTo("nobody", "b"), b: answers("B") },
      {
        maxFanout: 1,
      },
    ).ask("q");

    expect(response.answer).toBeUndefined();
    expect(response.error?.code).toBe("DELEGATION_FAILED");
    expect(response.metadata?.missing).toHaveLength(2);
  });
});

describe("rule 2, maxHops", () => {
  it("is 64 for the whole tree: those beyond are not called, and are listed in missing", async () => {
    const branches = ids("b", 16);
    const parts: Record<string, Part> = { a: passesTo(...branches), leaf: answers("leaf") };
    // 1 + 16 + 16 * 4 = 81 hops
    for (const id of branches) parts[id] = passesTo("leaf", "leaf", "leaf", "leaf");

    const run = meshOf(parts).start("q");
    const { partial, metadata } = await run.response;

    expect(run.explain().hops.filter(({ outcome }) => outcome !== "refused")).toHaveLength(64);
    expect(partial).toBe(true);
    expect(metadata?.missing?.length).toBeGreaterThan(0);
    for (const each of metadata?.missing ?? []) {
      expect(each).toMatchObject({ code: "MAX_DEPTH_EXCEEDED", reason: "budget-exceeded" });
    }
  });

  it("of 0 means 0: no librarian is called", async () => {
    const a = watched(answers("A"));

    const response = await meshOf({ a: a.librarian }, { maxHops: 0 }).ask("q");

    expect(response.error).toMatchObject({
      code: "MAX_DEPTH_EXCEEDED",
      details: { reason: "budget-exceeded" },
    });
    expect(a.queries).toEqual([]);
  });

  it("counts each run anew", async () => {
    const router = meshOf({ a: passesTo("b"), b: answers("B") }, { maxHops: 2 });

    expect((await router.ask("q")).answer).toBe("B");
    expect((await router.ask("q")).answer).toBe("B");
  });

  it("counts librarians that context.ask calls", async () => {
    const b = watched(answers("B"));
    const asking: MeshLibrarian = async (query, context) => {
      const responses = [];
      for (let round = 0; round < 3; round++) {
        responses.push(await context?.ask?.(`${query} ${round}`, { to: "b" }));
      }
      return { answer: responses.map((each) => each?.error?.details?.reason ?? "ok").join() };
    };

    const response = await meshOf({ asking, b: b.librarian }, { maxHops: 3 }).ask("q");

    expect(response.answer).toBe("ok,ok,budget-exceeded");
    expect(b.queries).toHaveLength(2);
  });

  it("does not count librarians that were refused", async () => {
    const response = await meshOf(
      { a: passesTo("nobody", "a", "b"), b: answers("B") },
      { maxHops: 2 },
    ).ask("q");

    expect(response.answer).toBe("B");
  });
});

describe("rule 2, maxDepth", () => {
  it("counts the path, entry included, from depth 0 to 4", async () => {
    const depths: unknown[] = [];
    const next =
      (to: string) => async (_query: string, context?: { depth?: number | undefined }) => {
        depths.push(context?.depth);
        return { delegate: { to } };
      };

    await meshOf({ a: next("b"), b: next("c"), c: next("d"), d: next("e"), e: next("f") }).ask("q");

    expect(depths).toEqual([0, 1, 2, 3, 4]);
  });

  it("does not count siblings: a wide tree is not deep", async () => {
    const response = await meshOf(
      { a: passesTo("b", "c", "d"), b: answers("B"), c: answers("C"), d: answers("D") },
      { maxDepth: 2 },
    ).ask("q");

    expect(response.metadata?.missing).toBeUndefined();
  });

  it("refuses one branch that is too deep, and the others answer", async () => {
    const response = await meshOf(
      { a: passesTo("b", "c"), b: passesTo("d"), c: answers("C"), d: answers("D") },
      { maxDepth: 2 },
    ).ask("q");

    expect(response).toMatchObject({
      answer: "C",
      partial: true,
      metadata: { missing: [{ to: "b", code: "MAX_DEPTH_EXCEEDED", reason: "depth" }] },
    });
  });
});

describe("rule 2, the budget for models", () => {
  const thinking =
    (request: Partial<AIRequest> = {}): MeshLibrarian =>
    async (prompt, context) => {
      try {
        const completion = await context?.ai?.complete({ prompt, maxTokens: 100, ...request });
        return { answer: completion?.text ?? "no model" };
      } catch (thrown) {
        return { error: MeshError.from(thrown, "thinking").toInfo() };
      }
    };

  it("of 0 tokens, or of 0 dollars, means 0: the model is not called", async () => {
    const ai = scriptedAi("ok");
    const router = meshOf({ thinking: thinking() }, { ai });

    for (const budget of [{ tokens: 0 }, { costUsd: 0 }]) {
      const response = await router.ask("q", { budget });
      expect(response.error).toMatchObject({
        code: "AI_UNAVAILABLE",
        details: { reason: "budget-exceeded" },
      });
    }
    expect(ai.requests).toEqual([]);
  });

  it("is one for the run: a delegate has what those before it left", async () => {
    const ai = scriptedAi("ok"); // 15 tokens a call
    const first: MeshLibrarian = async (query, context) => {
      await context?.ai?.complete({ prompt: query, maxTokens: 20 });
      return { delegate: { to: "second" } };
    };

    const router = meshOf({ first, second: thinking() }, { ai });
    await router.ask("q", { budget: { tokens: 60 } });

    const [, second] = ai.requests as readonly AIRequest[];
    expect(second?.maxTokens).toBeLessThanOrEqual(45);
  });

  it("is reserved before a call: parallel branches cannot spend it twice", async () => {
    const ai = scriptedAi("ok");

    const router = meshOf({ a: passesTo("b", "c"), b: thinking(), c: thinking() }, { ai });
    await router.ask("q", { budget: { tokens: 120 } });

    const asked = (ai.requests as readonly AIRequest[]).map(({ maxTokens = 0 }) => maxTokens);
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(120);
  });

  it("of a child is never more than its parent has left, whatever it is given", async () => {
    const ai = scriptedAi("ok");
    const asking: MeshLibrarian = async (query, context) =>
      await context.ask(query, { to: "child", budget: { tokens: 1_000_000 } });

    const router = meshOf({ asking, child: thinking() }, { ai });
    await router.ask("q", { budget: { tokens: 50 } });

    expect((ai.requests as readonly AIRequest[])[0]?.maxTokens).toBeLessThanOrEqual(50);
  });

  it("of a child may be less, and then the parent keeps the rest", async () => {
    const ai = scriptedAi("ok");
    const asking: MeshLibrarian = async (query, context) => {
      const child = await context?.ask?.(query, { to: "child", budget: { tokens: 0 } });
      const own = await context?.ai?.complete({ prompt: query, maxTokens: 10 });
      return { answer: `${child?.error?.code}, then ${own?.text}` };
    };

    const response = await meshOf({ asking, child: thinking() }, { ai }).ask("q", {
      budget: { tokens: 100 },
    });

    expect(response.answer).toBe("AI_UNAVAILABLE, then ok");
  });

  it("of ask replaces that of the router's", async () => {
    const router = meshOf(
      { thinking: thinking() },
      { ai: scriptedAi("ok"), budget: { tokens: 0 } },
    );

    expect((await router.ask("q")).error?.code).toBe("AI_UNAVAILABLE");
    expect((await router.ask("q", { budget: { tokens: 1_000 } })).answer).toBe("ok");
  });
});
