import { describe, expect, it } from "vitest";
import type { AIClient, AIRequest, AIToolRequest } from "../../contract/ai-client.js";
import { MeshError } from "../../contract/mesh-error.js";
import { BudgetLedger } from "./budget-ledger.js";
import { withinBudget } from "./within-budget.js";

/** A model that writes all it may, and remembers what it was asked. */
function greedy(): AIClient & { readonly requests: AIRequest[] } {
  const requests: AIRequest[] = [];
  const reply = async (request: AIRequest) => {
    requests.push(request);
    const usage = { inputTokens: 1, outputTokens: request.maxTokens ?? 0, costUsd: 0.1 };
    return { text: "", stopReason: "end" as const, model: "m", usage };
  };
  return {
    requests,
    complete: reply,
    runTools: reply,
    analyze: async (request) => ({ ...(await reply(request)), value: request.schema.parse({}) }),
  };
}

const loop: AIToolRequest = { prompt: "abc", tools: [], maxTokens: 10 };

describe("withinBudget", () => {
  it("lowers what a call may write to what is left, and refuses when nothing is", async () => {
    const model = greedy();
    const ai = withinBudget(model, new BudgetLedger({ tokens: 100 }));

    await ai.complete({ prompt: "abc", maxTokens: 60 });
    await ai.complete({ prompt: "abc", maxTokens: 60 });

    expect(model.requests.map(({ maxTokens }) => maxTokens)).toEqual([60, 38]);
    await expect(ai.complete({ prompt: "abc" })).rejects.toMatchObject({
      code: "AI_UNAVAILABLE",
      reason: "budget-exceeded",
    });
  });

  it("reserves before it calls, so that two calls at once share what is left", async () => {
    const model = greedy();
    const ai = withinBudget(model, new BudgetLedger({ tokens: 50 }));

    const both = await Promise.allSettled([
      ai.complete({ prompt: "abc", maxTokens: 49 }),
      ai.complete({ prompt: "abc", maxTokens: 49 }),
    ]);

    expect(both.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  });

  it("gives a tool loop all that is left, and no other call anything until it ends", async () => {
    const model = greedy();
    const ledger = new BudgetLedger({ tokens: 500 });
    const ai = withinBudget(model, ledger);

    const running = ai.runTools(loop);
    await expect(ai.complete({ prompt: "abc" })).rejects.toMatchObject({ code: "AI_UNAVAILABLE" });
    await running;

    expect(model.requests[0]).toMatchObject({ maxTotalTokens: 500, maxTokens: 10 });
    expect(ledger.tokensLeft).toBe(489);
  });

  it("sets no limit to a loop where tokens have none", async () => {
    const model = greedy();

    await withinBudget(model, new BudgetLedger({ costUsd: 1 })).runTools(loop);

    expect(model.requests[0]).toMatchObject({ maxTotalTokens: Infinity });
  });

  it("takes what a child spends from its parents too, and never gives it more than they have", async () => {
    const parent = new BudgetLedger({ tokens: 100, costUsd: 0.15 });
    const child = new BudgetLedger({ tokens: 1_000 }, parent);
    const model = greedy();

    await withinBudget(model, child).complete({ prompt: "abc", maxTokens: 500 });

    expect(model.requests[0]?.maxTokens).toBe(99);
    expect(parent.tokensLeft).toBe(0);
    expect(parent.costLeft).toBeCloseTo(0.05);
  });

  it("charges what a failed call used", async () => {
    const ledger = new BudgetLedger({ tokens: 100 });
    const usage = { inputTokens: 20, outputTokens: 5 };
    const failing = greedy();
    const ai = withinBudget(
      {
        ...failing,
        complete: async () => {
          throw new MeshError("AI_UNAVAILABLE", "cut off", { details: { usage } });
        },
      },
      ledger,
    );

    await expect(ai.complete({ prompt: "abc" })).rejects.toMatchObject({ message: "cut off" });

    expect(ledger.tokensLeft).toBe(75);
  });

  describe("with a limit in US dollars", () => {
    /** A model with these prices per token; it writes all it may. */
    function priced(usd: number, rest: Partial<AIClient> = {}) {
      const requests: AIRequest[] = [];
      let running = 0;
      let maxRunning = 0;
      const reply = async (request: AIRequest) => {
        requests.push(request);
        maxRunning = Math.max(maxRunning, ++running);
        await new Promise((resolve) => setImmediate(resolve));
        running--;
        const outputTokens = request.maxTokens ?? 0;
        const usage = { inputTokens: 1, outputTokens, costUsd: (1 + outputTokens) * usd };
        return { text: "", stopReason: "end" as const, model: "m", usage };
      };
      const ai: AIClient = {
        complete: reply,
        runTools: reply,
        analyze: async (request) => ({
          ...(await reply(request)),
          value: request.schema.parse({}),
        }),
        ...rest,
      };
      return { ai, requests, mostRunning: () => maxRunning };
    }
    const calls = (ai: AIClient, count: number) =>
      Promise.allSettled(
        Array.from({ length: count }, () => ai.complete({ prompt: "abc", maxTokens: 10 })),
      );

    it("reserves at the client's price: calls at once cannot spend more than is left", async () => {
      const price = { inputUsd: 0.001, outputUsd: 0.001 };
      const model = priced(0.001, { findPrice: () => price });
      const ledger = new BudgetLedger({ costUsd: 0.0225 });

      const outcomes = await calls(withinBudget(model.ai, ledger), 8);

      expect(outcomes.map(({ status }) => status).slice(0, 3)).toEqual([
        "fulfilled",
        "fulfilled",
        "rejected",
      ]);
      expect(model.mostRunning()).toBe(2);
      expect(ledger.costLeft).toBeGreaterThanOrEqual(0);
    });

    it("lowers what a call may write to what money is left", async () => {
      const price = { inputUsd: 0.001, outputUsd: 0.001 };
      const model = priced(0.001, { findPrice: () => price });

      await calls(withinBudget(model.ai, new BudgetLedger({ costUsd: 0.0065 })), 1);

      expect(model.requests[0]?.maxTokens).toBe(5);
    });

    it("makes the first calls one after another where no price is known, and learns it", async () => {
      const model = priced(0.001);
      const ledger = new BudgetLedger({ costUsd: 0.0225 });

      const outcomes = await calls(withinBudget(model.ai, ledger), 8);

      expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
      expect(model.requests).toHaveLength(2);
      expect(ledger.costLeft).toBeGreaterThanOrEqual(0);
    });

    it("waits for a price no longer than its signal", async () => {
      const never = priced(0, { complete: () => new Promise(() => {}) });
      const ai = withinBudget(never.ai, new BudgetLedger({ costUsd: 1 }));
      const caller = new AbortController();

      void ai.complete({ prompt: "first" });
      const second = ai.complete({ prompt: "second", signal: caller.signal });
      caller.abort();

      await expect(second).rejects.toMatchObject({ code: "TIMEOUT", reason: "cancelled" });
    });

    it("lets calls run at once that report no cost, once the first has ended", async () => {
      const free = priced(0);

      const outcomes = await calls(withinBudget(free.ai, new BudgetLedger({ costUsd: 1 })), 4);

      expect(outcomes.every(({ status }) => status === "fulfilled")).toBe(true);
      expect(free.mostRunning()).toBe(3);
    });

    it.each([{ inputUsd: Number.NaN, outputUsd: 1 }, { inputUsd: -1, outputUsd: 0 }, null, "dear"])(
      "does not take %j for a price",
      async (price) => {
        const model = priced(0.001, { findPrice: () => price as never });
        const ledger = new BudgetLedger({ costUsd: 0.0225 });

        await calls(withinBudget(model.ai, ledger), 8);

        expect(ledger.costLeft).toBeGreaterThanOrEqual(0);
      },
    );
  });
});
