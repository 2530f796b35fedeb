import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { createRouter } from "@constellation/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { itBehavesLikeAnAIClient } from "../../test/ai-client-suite.js";
import { answersOf, maxTokensOf } from "../../test/played-server.js";
import type { RemoteClientOptions } from "../../test/remote/fixture.js";
import { itBehavesLikeARemoteClient } from "../../test/remote/suite.js";
import { startChatServer } from "../testing.js";
import { createModelClient } from "./client.js";
import { createModelEmbedder } from "./embedder.js";
import type { LanguageModel } from "./spec.js";

/** A provider of the AI SDK, which speaks chat completions. */
function createClient({
  baseURL,
  apiKey,
  model,
  fallbackModels = [],
  smallModel,
  ...rest
}: Omit<RemoteClientOptions, "apiKey"> & { readonly apiKey?: string }) {
  const provider = createOpenAICompatible({
    ...{ name: "openai", baseURL, includeUsage: true, supportsStructuredOutputs: true },
    fetch: (input, init) => fetch(input, { ...init, redirect: "manual" }),
    ...(apiKey !== undefined && { apiKey }),
  });
  return createModelClient(provider(model), {
    ...rest,
    fallbackModels: fallbackModels.map((id) => provider(id)),
    findModel: provider,
    ...(smallModel !== undefined && { smallModel: provider(smallModel) }),
  });
}

describe("createModelClient with a provider of the AI SDK", () => {
  itBehavesLikeAnAIClient(async (replies) => {
    const server = await startChatServer(replies.flatMap(answersOf));
    return {
      client: createClient({ baseURL: server.url, model: "large", maxRetries: 0 }),
      maxTokens: () => server.requests.map(({ body }) => maxTokensOf(body)),
      close: server.close,
    };
  });

  itBehavesLikeARemoteClient({ create: createClient, start: startChatServer, isIndirect: true });
});

/** A model that writes what a test says, without a service. */
function scriptedModel(parts: readonly LanguageModelV4StreamPart[]) {
  const calls: LanguageModelV4CallOptions[] = [];
  const model: LanguageModel = {
    ...{ specificationVersion: "v4", provider: "scripted", modelId: "m", supportedUrls: {} },
    doGenerate: () => Promise.reject(new Error("not used")),
    async doStream(options: LanguageModelV4CallOptions) {
      calls.push(options);
      return { stream: ReadableStream.from(parts) as ReadableStream<LanguageModelV4StreamPart> };
    },
  };
  return { calls, model };
}

const finish: LanguageModelV4StreamPart = {
  type: "finish",
  finishReason: { unified: "stop", raw: undefined },
  usage: {
    inputTokens: { total: 1_000, noCache: 400, cacheRead: 500, cacheWrite: 100 },
    outputTokens: { total: 10, text: 10, reasoning: 0 },
  },
};
const ok: LanguageModelV4StreamPart = { type: "text-delta", id: "1", delta: '{"ok":true}' };

describe("createModelClient", () => {
  it("is the model of a mesh, within its budget, with the prices of the cache", async () => {
    const { model } = scriptedModel([ok, finish]);
    const prices = { m: { input: 10, output: 100, cacheRead: 1, cacheWrite: 20 } };
    const ai = createModelClient(model, { prices });
    const router = createRouter({ ai, budget: { tokens: 6_000 } });
    router.register({
      ...{ id: "docs", description: "answers" },
      librarian: async (query, context) => {
        const { text } = (await context.ai?.complete({ prompt: query })) ?? { text: "no model" };
        return { answer: text };
      },
    });

    const run = router.start("ready?");
    expect((await run.response).answer).toBe('{"ok":true}');
    expect(run.explain().usage).toMatchObject({ inputTokens: 1_000, cacheReadTokens: 500 });
    // 400 at 10, 500 at 1, 100 at 20 and 10 at 100 dollars for a million
    expect(run.explain().usage?.costUsd).toBeCloseTo(0.0075, 10);
    const { error } = await router.ask("ready?", { budget: { tokens: 2 } });
    expect(error?.code ?? "none").not.toBe("none");
    await router.close();
  });

  it("asks in words where its provider does not pass the schema on, and remembers that", async () => {
    const warning = { type: "unsupported" as const, feature: "responseFormat" };
    const replies = [
      [{ type: "stream-start" as const, warnings: [warning] }, { ...ok, delta: "Sure!" }, finish],
      [ok, finish],
      [ok, finish],
    ];
    const asked: unknown[] = [];
    const model: LanguageModel = {
      ...scriptedModel([]).model,
      specificationVersion: "v4",
      async doStream(options: LanguageModelV4CallOptions) {
        asked.push(options.responseFormat);
        const parts = replies.shift() ?? [];
        return { stream: ReadableStream.from(parts) as ReadableStream<LanguageModelV4StreamPart> };
      },
    } as LanguageModel;
    const ai = createModelClient(model);
    const request = { prompt: "ready?", schema: z.object({ ok: z.boolean() }) };

    expect((await ai.analyze(request)).value).toEqual({ ok: true });
    expect((await ai.analyze(request)).value).toEqual({ ok: true });

    expect(asked).toMatchObject([{ schema: {} }, { type: "json" }, { type: "json" }]);
    expect(asked[2]).not.toHaveProperty("schema");
  });

  it("reads models of versions 2 and 3 as well", async () => {
    const model = {
      ...{ specificationVersion: "v2", provider: "old", modelId: "m", supportedUrls: {} },
      doGenerate: async () => ({
        content: [{ type: "text", text: "Ready." }],
        finishReason: "stop",
        usage: { inputTokens: 3, outputTokens: 2, totalTokens: 5 },
        warnings: [],
      }),
    } as unknown as LanguageModel;
    const ai = createModelClient({ ...model, doStream: () => Promise.reject() } as LanguageModel, {
      timeoutMs: 60_000,
    });
    const { text, usage } = await ai.complete({ prompt: "?" });
    expect([text, usage]).toEqual(["Ready.", { inputTokens: 3, outputTokens: 2 }]);
  });

  it("refuses what is not a model, and wrong options", () => {
    expect(() => createModelClient("gpt-5" as never)).toThrow("model: expected a language model");
    const { model } = scriptedModel([]);
    expect(() => createModelClient(model, { smallModel: 7 } as never)).toThrow("smallModel");
    expect(() => createModelClient(model, { colour: 7 } as never)).toThrow("colour");
  });
});

describe("createModelEmbedder", () => {
  it("gives one vector per text, in requests that the model takes", async () => {
    const requests: string[][] = [];
    const embedder = createModelEmbedder(
      {
        ...{ specificationVersion: "v4", provider: "scripted", modelId: "e" },
        ...{ maxEmbeddingsPerCall: 2, supportsParallelCalls: false },
        async doEmbed({ values }: { readonly values: string[] }) {
          requests.push(values);
          return { embeddings: values.map((text) => [text.length, 1]), warnings: [] };
        },
      },
      { dimensions: 2 },
    );

    const vectors = await embedder.embed(["a", "bb", "ccc"]);

    expect(embedder.id).toBe("scripted/e/2");
    expect(vectors.map(([length]) => length)).toEqual([1, 2, 3]);
    expect(requests).toEqual([["a", "bb"], ["ccc"]]);
    const aborted = AbortSignal.abort(new Error("no longer needed"));
    await expect(embedder.embed(["a"], { signal: aborted })).rejects.toThrow("no longer needed");
  });
});
