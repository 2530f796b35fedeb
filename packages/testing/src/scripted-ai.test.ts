import { getEventListeners } from "node:events";
import { cancelledError, createRouter, MeshError } from "@constellation/core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { aiFailure, aiRateLimit, aiRefusal, aiTruncation } from "./ai-script.js";
import { scriptedAI } from "./scripted-ai.js";

const schema = z.object({ city: z.string(), people: z.coerce.number() });

const weather = {
  name: "weather",
  description: "gives the weather",
  input: z.object({ city: z.string() }),
  run: async (input: unknown) => `sunny in ${(input as { city: string }).city}`,
};

describe("scriptedAI", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("plays completions in order, with text, stop reason, model and usage", async () => {
    const ai = scriptedAI(["one", { text: "two", model: "large", usage: { outputTokens: 9 } }]);

    expect(await ai.complete({ system: "1234", prompt: "1234" })).toEqual({
      text: "one",
      stopReason: "end",
      model: "scripted-model",
      usage: { inputTokens: 2, outputTokens: 1 },
    });
    expect(await ai.complete({ prompt: [{ role: "user", text: "12345" }] })).toMatchObject({
      text: "two",
      model: "large",
      usage: { inputTokens: 2, outputTokens: 9 },
    });
    expect(() => ai.assertComplete()).not.toThrow();
  });

  it("makes a reply of each request where the script is a function", async () => {
    const ai = scriptedAI(({ prompt }, method) => `${method}: ${String(prompt)}`);

    expect((await ai.complete({ prompt: "hi" })).text).toBe("complete: hi");
    expect((await ai.complete({ prompt: "ho" })).text).toBe("complete: ho");
    expect(() => ai.assertComplete()).not.toThrow();
  });

  it("records requests and counts usage, money too", async () => {
    const ai = scriptedAI([
      { text: "a", usage: { inputTokens: 10, outputTokens: 5, costUsd: 0.5 } },
      { text: "b", usage: { inputTokens: 1, outputTokens: 1, costUsd: 0.25 } },
    ]);

    await ai.complete({ prompt: "first", maxTokens: 7 });
    await ai.complete({ prompt: "second" });

    expect(ai.calls.map(({ request }) => request.prompt)).toEqual(["first", "second"]);
    expect(ai.calls[0]).toMatchObject({ method: "complete", request: { maxTokens: 7 } });
    expect(ai.usage).toEqual({ inputTokens: 11, outputTokens: 6, costUsd: 0.75 });
  });

  it("streams what it writes", async () => {
    const onText = vi.fn();

    await scriptedAI(["words"]).complete({ prompt: "q", onText });

    expect(onText.mock.calls.flat().join("")).toBe("words");
  });

  it("gives an analysis as the schema read it", async () => {
    const ai = scriptedAI([{ value: { city: "Bergen", people: "290000" } }]);

    const { value, text } = await ai.analyze({ prompt: "q", schema });

    expect(value).toEqual({ city: "Bergen", people: 290_000 });
    expect(JSON.parse(text)).toEqual({ city: "Bergen", people: "290000" });
  });

  it("reads an analysis from text where there is no value", async () => {
    const ai = scriptedAI(['{"city":"Bergen","people":1}']);

    expect((await ai.analyze({ prompt: "q", schema })).value.city).toBe("Bergen");
  });

  it.each([
    ["a value that does not fit", { value: { city: 5 } }, '{"city":5}'],
    ["text that is not JSON", "Bergen", "Bergen"],
    ["a refusal", aiRefusal("no"), "no"],
    ["a truncated reply", aiTruncation('{"city":'), '{"city":'],
    ["a reply too long to repeat", "x".repeat(20_000), "x".repeat(10_000)],
  ])(
    "rejects an analysis with AI_UNAVAILABLE for %s, charging for it",
    async (_name, step, text) => {
      const ai = scriptedAI([step]);

      const failure = await ai.analyze({ prompt: "1234", schema }).catch((thrown) => thrown);

      expect(failure).toBeInstanceOf(MeshError);
      expect(failure).toMatchObject({
        code: "AI_UNAVAILABLE",
        details: { problem: expect.any(String), text, usage: { inputTokens: 1 } },
      });
      expect(ai.usage.inputTokens).toBe(1);
    },
  );

  it("reports a refusal and a truncation in a completion", async () => {
    const ai = scriptedAI([aiRefusal(), aiTruncation("half a")]);

    expect(await ai.complete({ prompt: "q" })).toMatchObject({ stopReason: "refusal" });
    expect(await ai.complete({ prompt: "q" })).toMatchObject({
      text: "half a",
      stopReason: "max-tokens",
    });
  });

  it.each([
    ["a rate limit", aiRateLimit(), "RATE_LIMITED"],
    ["a failure", aiFailure(), "AI_UNAVAILABLE"],
    ["anything else thrown", { error: new Error("key=secret") }, "AI_UNAVAILABLE"],
  ])("rejects with a MeshError for %s, and charges nothing", async (_name, step, code) => {
    const ai = scriptedAI([step]);

    const failure = await ai.complete({ prompt: "q" }).catch((thrown) => thrown);

    expect(failure).toBeInstanceOf(MeshError);
    expect(failure.code).toBe(code);
    expect(failure.message).not.toContain("secret");
    expect(ai.usage.inputTokens).toBe(0);
  });

  it("runs the tools it calls, and says what they gave", async () => {
    const ai = scriptedAI([
      { text: "It is sunny.", toolCalls: [{ name: "weather", input: { city: "Bergen" } }] },
    ]);

    const { text, stopReason } = await ai.runTools({ prompt: "q", tools: [weather] });

    expect({ text, stopReason }).toEqual({ text: "It is sunny.", stopReason: "end" });
    expect(ai.calls[0]?.toolResults).toEqual([
      { name: "weather", ran: true, text: "sunny in Bergen" },
    ]);
  });

  it("keeps wrong input from a tool, and what a tool throws from the model", async () => {
    const run = vi.fn(async () => {
      throw new Error("key=secret");
    });
    const ai = scriptedAI([
      {
        text: "done",
        toolCalls: [
          { name: "weather", input: { city: 5 } },
          { name: "weather", input: { city: "Bergen" } },
          { name: "missing", input: {} },
        ],
      },
    ]);

    await ai.runTools({ prompt: "q", tools: [{ ...weather, run }] });

    expect(run).toHaveBeenCalledTimes(1);
    expect(ai.calls[0]?.toolResults.map(({ ran }) => ran)).toEqual([false, false, false]);
    expect(ai.calls[0]?.toolResults[1]?.text).toBe("the tool failed");
  });

  it("stops after as many replies as a tool loop may have", async () => {
    const toolCalls = Array.from({ length: 5 }, () => ({
      name: "weather",
      input: { city: "Bergen" },
    }));
    const ai = scriptedAI([{ text: "done", toolCalls }]);

    const { stopReason } = await ai.runTools({ prompt: "q", tools: [weather], maxTurns: 3 });

    expect(stopReason).toBe("max-turns");
    expect(ai.calls[0]?.toolResults).toHaveLength(3);
  });

  it("does not play when its signal has aborted", async () => {
    const ai = scriptedAI(["one"]);

    await expect(ai.complete({ prompt: "q", signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: "TIMEOUT",
      reason: "cancelled",
    });

    expect(ai.calls).toHaveLength(1);
    expect(() => ai.assertComplete()).toThrow("1 of 1 steps not played");
  });

  it("ends with its signal while it takes its time, and leaves nothing behind", async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const reply = scriptedAI([{ text: "late", afterMs: 1_000 }]).complete({ prompt: "q", signal });
    await vi.advanceTimersByTimeAsync(10);

    controller.abort(cancelledError());

    await expect(reply).rejects.toMatchObject({ code: "TIMEOUT", reason: "cancelled" });
    await vi.advanceTimersByTimeAsync(0);
    expect(vi.getTimerCount()).toBe(0);
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });

  it("ends with TIMEOUT when the request allows less time than it takes", async () => {
    const ai = scriptedAI([{ text: "late", afterMs: Number.POSITIVE_INFINITY }]);
    const reply = ai.complete({ prompt: "q", timeoutMs: 50 }).catch((thrown) => thrown);

    await vi.advanceTimersByTimeAsync(50);

    expect(await reply).toMatchObject({ code: "TIMEOUT", reason: "deadline" });
  });

  it("reports calls without a step, and a step for another method", async () => {
    const ai = scriptedAI([{ text: "one", only: "analyze" }]);

    await expect(ai.complete({ prompt: "q" })).rejects.toMatchObject({ code: "AI_UNAVAILABLE" });
    await expect(ai.complete({ prompt: "q" })).rejects.toMatchObject({ code: "AI_UNAVAILABLE" });

    expect(() => ai.assertComplete()).toThrow(
      "model: called without a step: complete (step 1 is for analyze), complete (the script has no step left)",
    );
  });

  it("serves as the model of a router, whose budget counts what it used", async () => {
    const ai = scriptedAI([
      { text: "one", usage: { inputTokens: 500, outputTokens: 500 } },
      { text: "two" },
    ]);
    const router = createRouter({ ai, budget: { tokens: 1_000 } });
    router.register({
      id: "writer",
      description: "writes twice",
      librarian: async (query, context) => {
        const first = await context?.ai?.complete({ prompt: query, maxTokens: 900 });
        const second = await context?.ai
          ?.complete({ prompt: query })
          .catch(({ code, reason }: MeshError) => ({ text: `${code} ${reason}` }));
        return { answer: `${first?.text}, ${second?.text}` };
      },
    });

    const { answer } = await router.ask("write");

    expect(answer).toBe("one, AI_UNAVAILABLE budget-exceeded");
    expect(ai.calls).toHaveLength(1);
  });
});
