import { asTool, fromAgent } from "@constellation/agents";
import { createRouter, type MeshLibrarian } from "@constellation/core";
import { generateText, stepCountIs } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { describe, expect, it } from "vitest";

const usage = {
  inputTokens: { total: 100, noCache: 100, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 20, text: 20, reasoning: 0 },
};

/** A model of the AI SDK that asks the tool once, and then writes what the tool gave. */
function scriptedModel(toolName: string) {
  return new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      const result = prompt.flatMap(({ role, content }) => (role === "tool" ? content : [])).at(-1);
      const output = result?.type === "tool-result" ? result.output : undefined;
      const text = output?.type === "text" ? output.value : undefined;
      return {
        content:
          text === undefined
            ? [
                {
                  ...{ type: "tool-call", toolCallId: "call-1", toolName },
                  input: '{"query":"restart billing"}',
                },
              ]
            : [{ type: "text", text: `It says: ${text}` }],
        finishReason: { unified: text === undefined ? "tool-calls" : "stop", raw: undefined },
        ...{ usage, warnings: [] },
      };
    },
  });
}

const docs: MeshLibrarian = async (query, { user }) => ({
  answer: `${user?.id ?? "someone"}: see the runbook for "${query}".`,
  sources: [{ name: "Runbook", url: "https://docs.example.com" }],
});

function meshOf(librarian: MeshLibrarian, options = {}) {
  const router = createRouter(options);
  router.register({ id: "docs", description: "answers from runbooks", librarian });
  return router;
}

describe("asTool", () => {
  it("is a tool of the AI SDK as it is", async () => {
    const router = meshOf(docs);
    const { text } = await generateText({
      model: scriptedModel("mesh"),
      tools: { mesh: asTool(router, { user: { id: "ann" } }) },
      stopWhen: stepCountIs(3),
      prompt: "How do I restart billing?",
    });
    expect(text).toContain('It says: ann: see the runbook for "restart billing".');
    expect(text).toContain("- Runbook (https://docs.example.com)");
    await router.close();
  });

  it("tells the model which librarians there are, and why there is no answer", async () => {
    const router = meshOf(async () => ({
      error: { code: "NOT_FOUND", message: "No runbook covers this.", suggestion: "Ask ops." },
    }));
    const tool = asTool(router);
    expect(tool.description).toContain("- docs: answers from runbooks");
    expect(await tool.execute({ query: "?" })).toBe(
      "There is no answer.\n\nNOT_FOUND: No runbook covers this. Ask ops.",
    );
    expect(await tool.execute({} as never)).toContain("needs { query }");
    await router.close();
  });

  it.each(["abortSignal", "signal"])("cancels its run at the %s of the agent", async (name) => {
    let onAsked: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      onAsked = resolve;
    });
    const router = meshOf(async (_query, { signal }) => {
      onAsked();
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      return { answer: "late" };
    });
    const controller = new AbortController();
    const told = asTool(router).execute({ query: "?" }, {}, { [name]: controller.signal });
    await asked;
    controller.abort();
    expect(await told).toContain("TIMEOUT");
    await router.close();
  });

  it("gives no more text than it may, and refuses wrong options", async () => {
    const router = meshOf(async () => ({ answer: "x".repeat(10_000) }));
    const text = await asTool(router, { maxLength: 300 }).execute({ query: "?" });
    expect(text).toHaveLength(300);
    expect(() => asTool(router, { name: "no spaces" })).toThrow(RangeError);
    expect(() => asTool(router, { maxLength: 1 })).toThrow(RangeError);
    await router.close();
  });
});

describe("fromAgent", () => {
  const agent = fromAgent(
    async (query, { signal }) => {
      const { text, totalUsage } = await generateText({
        model: scriptedModel("lookup"),
        tools: { lookup: asTool(meshOf(docs)) },
        stopWhen: stepCountIs(3),
        ...{ prompt: query, abortSignal: signal },
      });
      return { text, usage: totalUsage };
    },
    { model: "scripted", prices: { input: 10, output: 100 } },
  );

  it("is a librarian whose usage and cost are the run's", async () => {
    const router = meshOf(agent);
    const run = router.start("How?");
    expect((await run.response).answer).toContain("It says");
    expect(run.explain().usage).toMatchObject({
      inputTokens: 200,
      outputTokens: 40,
      modelCalls: 1,
    });
    expect(run.explain().usage?.costUsd).toBeCloseTo(0.006, 10);
    await router.close();
  });

  it("is not asked where the budget of the run is spent", async () => {
    let asked = 0;
    const router = meshOf(
      fromAgent(async (_query, { maxTokens }) => {
        asked++;
        return { text: `at most ${maxTokens}`, usage: { inputTokens: 900, outputTokens: 50 } };
      }),
      { budget: { tokens: 1_000 } },
    );
    expect((await router.ask("How?")).answer).toBe("at most 1000");
    const { error } = await router.ask("How?", { budget: { tokens: 0 } });
    expect(error).toMatchObject({ code: "AI_UNAVAILABLE", details: { reason: "budget-exceeded" } });
    expect(asked).toBe(1);
    await router.close();
  });

  it("sums the usage of LangChain's messages, and estimates what is not reported", async () => {
    const message = { usage_metadata: { input_tokens: 70, output_tokens: 7 } };
    const reply = { text: "done", usage: [message, {}, message] };
    const router = meshOf(fromAgent(async (query) => (query === "own" ? reply : "a plain text")));
    const own = router.start("own");
    await own.response;
    expect(own.explain().usage).toMatchObject({ inputTokens: 140, outputTokens: 14 });
    const plain = router.start("plain");
    expect((await plain.response).answer).toBe("a plain text");
    expect(plain.explain().usage).toMatchObject({ estimated: true });
    await router.close();
  });

  it("stops with its hop, and shows what it writes", async () => {
    let stopped: unknown;
    const router = meshOf(
      fromAgent(async (_query, { signal, onText }) => {
        onText("Working on it");
        await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
        stopped = signal.reason;
        return "late";
      }),
    );
    const run = router.start("How?");
    for await (const event of run.events) if (event.type === "hop:progress") run.cancel();
    await run.settled;
    expect((await run.response).error?.code).toBe("TIMEOUT");
    expect(stopped).toBeInstanceOf(Error);
    await router.close();
  });

  it("fails without the words of what the agent threw", async () => {
    const router = meshOf(
      fromAgent(async () => {
        throw new Error("key sk-secret");
      }),
    );
    const response = await router.ask("How?");
    expect(response.answer).toBeUndefined();
    expect(JSON.stringify(response)).not.toContain("sk-secret");
    await router.close();
  });
});
