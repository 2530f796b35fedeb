import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import type { ModelStep } from "../../src/testing.js";
import { failureOf, type RemoteClientSuiteOptions, useRemote } from "./fixture.js";

/** Registers the tests of which model a client of a service asks. */
export function itChoosesModelsLikeARemoteClient(options: RemoteClientSuiteOptions): void {
  describe("as a client of a service, it chooses the model", () => {
    const remote = useRemote(options);
    const fallbacks = { fallbackModels: ["second", "third"], maxRetries: 0 };
    const askedModels = () => remote.server.requests.map(({ body }) => body.model);

    it.each<readonly [string, ModelStep]>([
      ["is rate limited", { status: 429 }],
      ["is unknown", { status: 404 }],
      ["was too slow for its service", { status: 408 }],
      ["fails", { status: 500 }],
      ["is unavailable", { status: 503 }],
      ["is overloaded", { status: 529 }],
      ["cuts the connection", { cut: "before" }],
      ["breaks off", { text: "a b c d", cut: "during" }],
      ["sends garbage", { garbage: "<html>" }],
    ])("asks the next model when one %s, and the one after it", async (_what, step) => {
      const ai = await remote.serving([step, step, "from the third"], fallbacks);

      const { text, model } = await ai.complete({ prompt: "q" });

      expect([text, model]).toEqual(["from the third", "third"]);
      expect(askedModels()).toEqual(["large", "second", "third"]);
    });

    it.each<readonly [string, ModelStep]>([
      ["the request is rejected", { status: 400 }],
      ["the request is too large", { status: 413 }],
      ["the key is rejected", { status: 401 }],
      ["the key may not use the model", { status: 403 }],
    ])("asks no other model when %s", async (_what, step) => {
      const ai = await remote.serving([step, "never"], fallbacks);

      expect((await failureOf(ai.complete({ prompt: "q" }))).code).toBe("AI_UNAVAILABLE");
      expect(askedModels()).toEqual(["large"]);
    });

    it("asks no other model once the caller left", async () => {
      const ai = await remote.serving([{ afterMs: Number.POSITIVE_INFINITY }, "never"], fallbacks);
      const caller = new AbortController();

      const call = failureOf(ai.complete({ prompt: "q", signal: caller.signal }));
      await vi.waitFor(() => expect(remote.server.requests).toHaveLength(1), 20_000);
      caller.abort();

      expect((await call).details?.reason).toBe("cancelled");
      expect(askedModels()).toEqual(["large"]);
    });

    it("asks no other model once text was streamed, or time is up", async () => {
      const ai = await remote.serving(
        [{ text: "a b c d", cut: "during" }, { afterMs: Number.POSITIVE_INFINITY }, "never"],
        fallbacks,
      );

      const streamed = await failureOf(ai.complete({ prompt: "q", onText: vi.fn() }));
      const late = await failureOf(ai.complete({ prompt: "q", timeoutMs: 300 }));

      expect([streamed.code, late.code]).toEqual(["AI_UNAVAILABLE", "TIMEOUT"]);
      expect(askedModels()).toEqual(["large", "large"]);
    });

    it("stays with a fallback model for the rest of a tool loop", async () => {
      const ai = await remote.serving(
        [{ status: 503 }, { toolCalls: [{ name: "none", input: {} }] }, "done"],
        fallbacks,
      );

      expect((await ai.runTools({ prompt: "q", tools: [] })).text).toBe("done");
      expect(askedModels()).toEqual(["large", "second", "second"]);
    });

    it("asks the small model for small tasks, unless the request names one", async () => {
      const ai = await remote.serving(["one", "two", "three"], { smallModel: "small" });

      await ai.complete({ prompt: "q", task: "small" });
      await ai.complete({ prompt: "q", task: "small", model: "named" });
      await ai.complete({ prompt: "q" });

      expect(askedModels()).toEqual(["small", "named", "large"]);
    });

    it("limits the reply to the room in the context, and sends nothing where there is none", async () => {
      const ai = await remote.serving(["ok"], { contextTokens: 1_000 });

      await ai.complete({ prompt: "x".repeat(1_500) });
      const failure = await failureOf(ai.complete({ prompt: "x".repeat(3_100) }));

      expect(remote.server.requests).toHaveLength(1);
      expect(remote.server.requests[0]?.body.max_tokens).toBeLessThan(505);
      expect(failure).toMatchObject({
        code: "AI_UNAVAILABLE",
        details: { problem: expect.stringContaining("1000 tokens"), stopReason: "context-full" },
      });
    });

    it.each([
      ["after prose", 'Here you are:\n{"city":"Bergen"}\nAnything else?'],
      ["after its thoughts", '<think>{"city": maybe}</think>\n{"city":"Bergen"}'],
      ["in a fence after prose", 'Sure.\n\n```json\n{"city":"Bergen"}\n```\n'],
    ])("reads an object that comes %s", async (_where, text) => {
      const ai = await remote.serving([{ text }]);

      const { value } = await ai.analyze({ prompt: "q", schema: z.object({ city: z.string() }) });

      expect(value).toEqual({ city: "Bergen" });
    });
  });
}
