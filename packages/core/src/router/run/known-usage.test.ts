import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { AIClient, AIRequest, AIToolRequest } from "../../contract/ai-client.js";
import type { Librarian } from "../../contract/librarian.js";
import { MeshError } from "../../contract/mesh-error.js";
import { createRouter } from "../create-router.js";

/** What a service may report instead of its usage. */
const reports: readonly (readonly [string, unknown])[] = [
  ["nothing", undefined],
  ["null", null],
  ["text", "12 tokens"],
  ["an empty object", {}],
  ["zero", { inputTokens: 0, outputTokens: 0, costUsd: 0 }],
  ["less than nothing", { inputTokens: -1_000, outputTokens: -1_000, costUsd: -1 }],
  ["NaN", { inputTokens: Number.NaN, outputTokens: Number.NaN, costUsd: Number.NaN }],
  ["infinity", { inputTokens: Infinity, outputTokens: Infinity, costUsd: Infinity }],
  ["one token for everything", { inputTokens: 1, outputTokens: 0 }],
  ["more than there can be", { inputTokens: 1e300, outputTokens: 1e300 }],
  ["numbers as text", { inputTokens: "30", outputTokens: "30" }],
];

const prompt = "p".repeat(150);
const text = "t".repeat(150);

/** A client that counts its calls, and replies as a test says. */
function modelThat(
  reply: (request: AIRequest) => Promise<unknown>,
  rest: Partial<AIClient> = {},
): AIClient & { calls: number } {
  const call = async (request: AIRequest) => {
    model.calls++;
    return (await reply(request)) as never;
  };
  const model = { complete: call, analyze: call, runTools: call, ...rest, calls: 0 };
  return model;
}

const reporting = (usage: unknown) => async () => ({
  text,
  value: {},
  stopReason: "end",
  model: "m",
  usage,
});

/** A mesh of one librarian that calls its model up to 50 times. */
async function spend(
  ai: AIClient,
  call: (client: AIClient) => Promise<unknown>,
  budget: { tokens?: number; costUsd?: number } = { tokens: 300 },
) {
  const router = createRouter({ ai, budget });
  const librarian: Librarian = async (_query, context) => {
    for (let calls = 0; calls < 50; calls++) {
      if (context?.ai !== undefined) await call(context.ai).catch(() => undefined);
    }
    return { answer: "done" };
  };
  router.register({ id: "one", description: "asks often", librarian });
  const run = router.start("q");
  await run.response;
  return run.explain();
}

const schema = z.object({ page: z.string().optional() });
const tools: AIToolRequest = {
  prompt,
  tools: [{ name: "find", description: "finds", input: z.object({}), run: async () => text }],
};

describe("a budget, with a service that reports", () => {
  describe.each(reports)("%s", (_name, usage) => {
    it.each<readonly [string, (client: AIClient) => Promise<unknown>]>([
      ["completions", (client) => client.complete({ prompt })],
      ["analyses", (client) => client.analyze({ prompt, schema })],
      ["tool loops", (client) => client.runTools(tools)],
    ])("ends 50 %s, and says that its figures are estimates", async (_method, call) => {
      const model = modelThat(reporting(usage));

      const { spent, usage: used } = await spend(model, call);

      expect(model.calls).toBeLessThanOrEqual(3);
      expect(spent?.tokens).toBeGreaterThanOrEqual(100);
      expect(used).toMatchObject({ estimated: true });
      expect(used?.inputTokens).toBeGreaterThanOrEqual(50);
      expect(used?.outputTokens).toBeGreaterThanOrEqual(50);
    });
  });

  it("what can be: it is taken as it is, and is no estimate", async () => {
    const usage = { inputTokens: 40, outputTokens: 35 };
    const model = modelThat(reporting(usage));

    const record = await spend(model, (client) => client.complete({ prompt, maxTokens: 50 }));

    expect(record.usage).toMatchObject({ inputTokens: 40 * model.calls });
    expect(record.usage).not.toHaveProperty("estimated");
  });

  it("nothing, and replies with nothing", async () => {
    const model = modelThat(async () => undefined);

    await spend(model, (client) => client.complete({ prompt, maxTokens: 10 }));

    expect(model.calls).toBeLessThanOrEqual(6);
  });

  it("nothing of a stream that breaks off", async () => {
    const model = modelThat(async ({ onText }) => {
      onText?.(text);
      throw new MeshError("AI_UNAVAILABLE", "cut off");
    });

    await spend(model, (client) => client.complete({ prompt, onText: () => {} }));

    expect(model.calls).toBeLessThanOrEqual(3);
  });

  it("nothing of a call that is stopped while the model writes", async () => {
    const model = modelThat(
      ({ signal }) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
        }),
    );

    const record = await spend(model, async (client) => {
      const caller = new AbortController();
      const call = client.complete({ prompt, signal: caller.signal });
      caller.abort(new MeshError("TIMEOUT", "left", { reason: "cancelled" }));
      await call;
    });

    expect(model.calls).toBeLessThanOrEqual(6);
    expect(record.usage).toMatchObject({ estimated: true });
  });

  it("nothing of calls that never end: what they reserved stays taken", async () => {
    const model = modelThat(() => new Promise(() => {}));

    const { spent } = await spend(model, async (client) => {
      void client.complete({ prompt, maxTokens: 50 }).catch(() => undefined);
    });

    expect(model.calls).toBe(3);
    expect(spent?.tokens).toBe(300);
  });

  it("nothing, and fails with what is no MeshError", async () => {
    const model = modelThat(() => Promise.reject(new TypeError("x of undefined")));

    await spend(model, (client) => client.complete({ prompt }));

    expect(model.calls).toBeLessThanOrEqual(6);
  });

  it("nothing of a failure: a service that rejects a call does not charge it", async () => {
    const model = modelThat(() => Promise.reject(new MeshError("RATE_LIMITED", "busy")));

    const record = await spend(model, (client) => client.complete({ prompt }));

    expect(model.calls).toBe(50);
    expect(record.spent?.tokens).toBe(0);
    expect(record.usage).not.toHaveProperty("estimated");
  });

  it("nothing of a tool loop: what tools gave is counted each time it is read", async () => {
    const model = modelThat(async (request) => {
      for (const tool of (request as AIToolRequest).tools) {
        for (let turn = 0; turn < 3; turn++) await tool.run({}, { signal: AbortSignal.abort() });
      }
      return { text: "", stopReason: "end", model: "m" };
    });

    const record = await spend(model, (client) => client.runTools(tools), { tokens: 100_000 });

    // 150 bytes of prompt are read 4 times, and 150 of each result 3, 2 and 1 times.
    expect(record.usage?.inputTokens).toBeGreaterThanOrEqual((model.calls * 10 * 150) / 3);
  });

  it.each(reports)("%s: money is counted at the client's price", async (_name, usage) => {
    const price = { inputUsd: 0.001, outputUsd: 0.001 };
    const model = modelThat(reporting(usage), { findPrice: () => price });

    await spend(model, (client) => client.complete({ prompt }), { costUsd: 0.3 });

    expect(model.calls).toBeLessThanOrEqual(3);
  });

  it("no cost, and has no price: the first call takes the money that was reserved", async () => {
    const model = modelThat(reporting({ inputTokens: 50, outputTokens: 50 }));

    await spend(model, (client) => client.complete({ prompt }), { costUsd: 1 });

    expect(model.calls).toBe(1);
  });
});
