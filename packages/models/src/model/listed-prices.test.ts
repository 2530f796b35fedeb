import type { AIUsage } from "@constellation/core";
import { describe, expect, it } from "vitest";
import { createAnthropicClient } from "../anthropic/client.js";
import { createOpenAICompatibleClient } from "../openai/client.js";
import { findListedCost } from "./listed-prices.js";

type Options = Partial<Parameters<typeof createOpenAICompatibleClient>[0]>;

/** A client of a service that says that it read 1,000 tokens, 400 of them from its cache, and wrote 100. */
function clientAt(baseURL: string, options: Options = {}) {
  const usage = {
    ...{ prompt_tokens: 1_000, completion_tokens: 100 },
    prompt_tokens_details: { cached_tokens: 400 },
  };
  const message = { role: "assistant", content: "Yes." };
  const body = { model: "gpt-4o", choices: [{ message, finish_reason: "stop" }], usage };
  const fetch = async () => Response.json(body);
  return createOpenAICompatibleClient({ baseURL, model: "gpt-4o", apiKey: "k", fetch, ...options });
}

async function usageOf(client: ReturnType<typeof clientAt>): Promise<AIUsage> {
  return (await client.complete({ prompt: "Is it?".repeat(200) })).usage;
}

describe("prices", () => {
  it("come from the list where the service is in it, cached tokens for less", async () => {
    const { costUsd = 0 } = await usageOf(clientAt("https://api.openai.com/v1"));
    const price = clientAt("https://api.openai.com/v1").findPrice?.();
    const uncached = 1_000 * (price?.inputUsd ?? 0) + 100 * (price?.outputUsd ?? 0);

    expect(costUsd).toBeGreaterThan(0);
    expect(costUsd).toBeLessThan(uncached);
  });

  it("of one's own win", async () => {
    const prices = { "gpt-4o": { input: 1_000, output: 10_000, cacheRead: 0 } };
    const client = clientAt("https://api.openai.com/v1", { prices });

    expect((await usageOf(client)).costUsd).toBeCloseTo(0.6 + 1);
    expect(client.findPrice?.()).toEqual({ inputUsd: 0.001, outputUsd: 0.01 });
  });

  it("are not known, which is not 0, for a server of one's own and a model that is not listed", async () => {
    const local = clientAt("http://127.0.0.1:11434/v1");
    const unlisted = clientAt("https://api.openai.com/v1", { model: "our-own-model" });

    expect(await usageOf(local)).not.toHaveProperty("costUsd");
    expect(local.findPrice?.()).toBeUndefined();
    expect(unlisted.findPrice?.()).toBeUndefined();
  });

  it("of Anthropic count what a cache keeps for an hour as more", () => {
    const client = createAnthropicClient({ apiKey: "k", model: "claude-sonnet-4-5" });
    const usage = {
      ...{ model: "claude-sonnet-4-5", inputTokens: 1_000, outputTokens: 10 },
      cacheWriteTokens: 900,
    };
    const short = findListedCost(usage, { providerId: "anthropic" }) ?? 0;

    expect(client.findPrice?.()?.outputUsd).toBeGreaterThan(0);
    expect(short).toBeGreaterThan(0);
    expect(findListedCost(usage, { providerId: "anthropic", isLongCache: true })).toBeGreaterThan(
      short,
    );
  });
});
