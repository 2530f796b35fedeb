import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { createPortClient } from "../model/client.js";
import { type ModelServer, type ModelStep, startMessagesServer } from "../testing.js";
import { createAnthropicClient } from "./client.js";
import { type AnthropicClientOptions, checkAnthropicOptions } from "./options.js";
import { createAnthropicPort } from "./port.js";

const tool = {
  name: "find",
  description: "finds",
  input: z.object({ id: z.string() }),
  run: async () => "found",
};

describe("createAnthropicClient, on the wire", () => {
  let server: ModelServer;
  const serving = async (steps: readonly ModelStep[], options: AnthropicClientOptions = {}) => {
    server = await startMessagesServer(steps);
    return createAnthropicClient({ baseURL: server.url, apiKey: "test", ...options });
  };
  afterEach(async () => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
    await server.close();
  });

  it("marks the system text for the cache, which keeps the tools before it too", async () => {
    const ai = await serving(["ok"]);

    await ai.runTools({ system: "Be brief.", prompt: "q", tools: [tool] });

    expect(server.requests[0]?.body).toMatchObject({
      system: [
        { type: "text", text: "Be brief.", cache_control: { type: "ephemeral", ttl: "5m" } },
      ],
      tools: [{ name: "find", input_schema: { type: "object", required: ["id"] } }],
    });
    expect(JSON.stringify(server.requests[0]?.body.tools)).not.toContain("cache_control");
    expect(JSON.stringify(server.requests[0]?.body.messages)).not.toContain("cache_control");
  });

  it("marks the last tool where there is no system text", async () => {
    const ai = await serving(["ok"], { cache: "1h" });

    await ai.runTools({ prompt: "q", tools: [tool, { ...tool, name: "other" }] });

    const cacheControl = { type: "ephemeral", ttl: "1h" };
    expect(server.requests[0]?.body.tools).toEqual([
      expect.not.objectContaining({ cache_control: cacheControl }),
      expect.objectContaining({ cache_control: cacheControl }),
    ]);
  });

  it("marks nothing when it is not to cache", async () => {
    const ai = await serving(["ok"], { cache: false });

    await ai.complete({ system: "Be brief.", prompt: "q" });

    expect(JSON.stringify(server.requests[0]?.body)).not.toContain("cache_control");
  });

  it("counts what was read from the cache and written to it, at their own prices", async () => {
    const usage = {
      inputTokens: 1_000_000,
      cacheReadTokens: 600_000,
      cacheWriteTokens: 300_000,
      outputTokens: 100_000,
    };
    const ai = await serving([{ text: "ok", usage }], {
      prices: { m: { input: 10, output: 50 } },
      model: "m",
    });

    const { usage: used } = await ai.complete({ prompt: "q" });

    expect(used).toEqual({ ...usage, costUsd: 1 + 0.6 + 3.75 + 5 });
  });

  it("holds the model to a schema, and tells it the limits", async () => {
    const ai = await serving([{ value: { city: "Bergen" } }], { effort: "low" });

    await ai.analyze({ prompt: "q", schema: z.object({ city: z.string().min(3) }) });

    expect(server.requests[0]?.body.output_config).toEqual({
      effort: "low",
      format: {
        type: "json_schema",
        schema: {
          type: "object",
          properties: { city: { type: "string", description: "{minLength: 3}" } },
          required: ["city"],
          additionalProperties: false,
        },
      },
    });
  });

  it("sends a reply of a tool loop back as it came", async () => {
    const ai = await serving([
      { text: "Wait.", toolCalls: [{ name: "find", input: { id: "x" } }] },
      "ok",
    ]);

    await ai.runTools({ prompt: "q", tools: [tool] });

    expect(server.requests[1]?.body.messages).toMatchObject([
      { role: "user", content: "q" },
      {
        role: "assistant",
        content: [
          { type: "text", text: "Wait." },
          { type: "tool_use", name: "find", input: { id: "x" } },
        ],
      },
      { role: "user", content: [{ type: "tool_result", content: "found" }] },
    ]);
  });

  describe("with a turn that the API pauses", () => {
    const paused = (text: string, reason = "pause_turn") => ({
      garbage: JSON.stringify({
        type: "message",
        role: "assistant",
        model: "m",
        content: [{ type: "text", text, citations: null }],
        stop_reason: reason,
        usage: { input_tokens: 10, output_tokens: 5 },
      }),
    });

    it("continues it with what there is, and gives the whole", async () => {
      const ai = await serving([paused("one "), paused("two "), paused("three", "end_turn")]);

      const reply = await ai.complete({ prompt: "q", maxTokens: 100, timeoutMs: 60_000 });

      expect(reply).toMatchObject({
        text: "one two three",
        stopReason: "end",
        usage: { inputTokens: 30, outputTokens: 15 },
      });
      expect(server.requests.map(({ body }) => body.max_tokens)).toEqual([100, 95, 90]);
      expect(server.requests[2]?.body.messages).toMatchObject([
        { role: "user", content: "q" },
        { role: "assistant", content: [{ text: "one " }, { text: "two " }] },
      ]);
    });

    it("ends after four continuations, and does not call that an end", async () => {
      const ai = await serving(Array.from({ length: 9 }, () => paused("more ")));

      const reply = await ai.complete({ prompt: "q", timeoutMs: 60_000 });

      expect(reply).toMatchObject({ text: "more ".repeat(5), stopReason: "max-turns" });
      expect(server.requests).toHaveLength(5);
    });

    it("ends where it has written all it may", async () => {
      const ai = await serving(Array.from({ length: 9 }, () => paused("more ")));

      await ai.complete({ prompt: "q", maxTokens: 10, timeoutMs: 60_000 });

      expect(server.requests).toHaveLength(2);
    });

    it("takes no other reason for an end", async () => {
      const ai = await serving([paused("half", "compaction")]);

      await expect(ai.complete({ prompt: "q", timeoutMs: 60_000 })).rejects.toMatchObject({
        code: "AI_UNAVAILABLE",
        details: { problem: expect.stringContaining('"compaction"'), usage: { outputTokens: 5 } },
      });
    });
  });

  it("streams a long reply even when no one listens", async () => {
    const ai = await serving(["ok"]);

    expect((await ai.complete({ prompt: "q", maxTokens: 64_000 })).text).toBe("ok");

    expect(server.requests[0]?.body.stream).toBe(true);
  });

  it("does not break when the conversation's name cannot be had", async () => {
    const ai = await serving(["ok"], {
      conversationId: () => {
        throw new Error("none");
      },
    });

    expect((await ai.complete({ prompt: "q" })).text).toBe("ok");
  });

  it("logs nothing, whatever the environment says", async () => {
    vi.stubEnv("ANTHROPIC_LOG", "debug");
    const logs = (["debug", "info", "log", "warn", "error"] as const).map((level) =>
      vi.spyOn(console, level),
    );
    const ai = await serving(["ok", { garbage: "data: {oops\n\n" }]);

    await ai.complete({ prompt: "q" });
    await ai.complete({ prompt: "q", onText: () => {} }).catch(() => {});

    expect(logs.flatMap((log) => log.mock.calls)).toEqual([]);
  });
});

describe("createAnthropicPort", () => {
  it("says what to install when the SDK is not there", async () => {
    const settings = checkAnthropicOptions({ apiKey: "test" });
    const missing = () => Promise.reject(new Error("Cannot find package"));
    const ai = createPortClient(createAnthropicPort(settings, missing), settings);

    await expect(ai.complete({ prompt: "q" })).rejects.toMatchObject({
      code: "AI_UNAVAILABLE",
      message: "@anthropic-ai/sdk is not installed.",
      suggestion: "Run: npm install @anthropic-ai/sdk",
    });
  });
});
