import { getEventListeners } from "node:events";
import { setImmediate } from "node:timers/promises";
import { type AIClient, type AITool, createRouter, MeshError } from "@constellation/core";
import {
  type AIReply,
  aiFailure,
  aiRateLimit,
  aiRefusal,
  aiTruncation,
} from "@constellation/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";

/** A client that plays replies, and what is known of its calls. */
export interface PlayedClient {
  readonly client: AIClient;
  /** Most tokens that each call so far could write, oldest first. */
  maxTokens(): readonly (number | undefined)[];
  close(): Promise<void>;
}

/** Makes a client that plays replies in order, without retries. */
export type PlayClient = (replies: readonly AIReply[]) => Promise<PlayedClient>;

const schema = z.object({ city: z.string(), people: z.coerce.number() });

const weather: AITool = {
  name: "weather",
  description: "gives the weather of a city",
  input: z.object({ city: z.string() }),
  run: async (input) => `sunny in ${(input as { city: string }).city}`, // it has passed the schema
};

const callOfWeather = { name: "weather", input: { city: "Bergen" } };
const usage = { inputTokens: 12, outputTokens: 5 };

/** Registers the tests that every client of a model must pass. */
export function itBehavesLikeAnAIClient(play: PlayClient): void {
  describe("as an AIClient", () => {
    let played: PlayedClient | undefined;
    const playing = async (...replies: readonly AIReply[]): Promise<AIClient> => {
      played = await play(replies);
      return played.client;
    };
    afterEach(async () => {
      await played?.close();
      played = undefined;
    });
    const failureOf = (call: Promise<unknown>): Promise<MeshError> =>
      call.then(
        () => expect.fail("it did not reject"),
        (thrown) => thrown,
      );

    it("completes a prompt, and says why it stopped, which model it was and what it used", async () => {
      const ai = await playing({ text: "Restart the pod.", model: "large", usage });

      expect(await ai.complete({ system: "Be brief.", prompt: "what now?" })).toMatchObject({
        text: "Restart the pod.",
        stopReason: "end",
        model: "large",
        usage,
      });
    });

    it("takes the turns of a conversation", async () => {
      const ai = await playing({ text: "Blue." });

      const { text } = await ai.complete({
        prompt: [
          { role: "user", text: "Name a colour." },
          { role: "assistant", text: "Red." },
          { role: "user", text: "Another." },
        ],
      });

      expect(text).toBe("Blue.");
    });

    it("gives what it writes piece by piece, in order, before it is done", async () => {
      const pieces: string[] = [];
      const ai = await playing({ text: "one two three", usage });

      const completion = await ai.complete({ prompt: "q", onText: (text) => pieces.push(text) });

      expect(pieces.join("")).toBe("one two three");
      expect(completion).toMatchObject({ text: "one two three", stopReason: "end", usage });
    });

    it("gives an analysis as the schema read it", async () => {
      const ai = await playing({ value: { city: "Bergen", people: "290000" }, usage });

      const { value, text, ...rest } = await ai.analyze({ prompt: "q", schema, name: "town" });

      expect(value).toEqual({ city: "Bergen", people: 290_000 });
      expect(JSON.parse(text)).toEqual({ city: "Bergen", people: "290000" });
      expect(rest.usage).toMatchObject(usage);
    });

    it.each<readonly [string, AIReply, string]>([
      ["a value that does not fit", { value: { city: 5 } }, '{"city":5}'],
      ["text that is not JSON", { text: "Bergen" }, "Bergen"],
      ["a refusal", aiRefusal("no"), "no"],
      ["a truncated reply", aiTruncation('{"city":'), '{"city":'],
      ["a reply too long to repeat", { text: "x".repeat(20_000) }, "x".repeat(10_000)],
    ])(
      "rejects an analysis for %s, with the reply and what it used",
      async (_name, reply, text) => {
        const used = { inputTokens: 12, outputTokens: 5_000 };
        const ai = await playing({ ...reply, usage: used });

        const failure = await failureOf(ai.analyze({ prompt: "q", schema }));

        expect(failure).toBeInstanceOf(MeshError);
        expect(failure).toMatchObject({
          code: "AI_UNAVAILABLE",
          details: {
            problem: expect.any(String),
            text,
            stopReason: reply.stopReason ?? "end",
            usage: used,
          },
        });
      },
    );

    it("distinguishes a refusal and a truncation from an end", async () => {
      const ai = await playing(aiRefusal("I will not."), aiTruncation("half a"));

      expect(await ai.complete({ prompt: "q" })).toMatchObject({ stopReason: "refusal" });
      expect(await ai.complete({ prompt: "q" })).toMatchObject({
        text: "half a",
        stopReason: "max-tokens",
      });
    });

    it("runs the tools the model calls, then gives what it wrote", async () => {
      const run = vi.fn(weather.run);
      const ai = await playing({ text: "It is sunny.", toolCalls: [callOfWeather], usage });

      const completion = await ai.runTools({ prompt: "q", tools: [{ ...weather, run }] });

      expect(completion).toMatchObject({ text: "It is sunny.", stopReason: "end" });
      expect(completion.usage.inputTokens).toBeGreaterThanOrEqual(usage.inputTokens);
      expect(run).toHaveBeenCalledExactlyOnceWith(
        { city: "Bergen" },
        { signal: expect.any(AbortSignal) },
      );
    });

    it("continues after wrong input, a missing tool and a tool that throws", async () => {
      const run = vi.fn(() => Promise.reject(new Error("password=hunter2")));
      const ai = await playing({
        text: "I could not.",
        toolCalls: [
          { name: "weather", input: { city: 5 } },
          callOfWeather,
          { name: "missing", input: {} },
        ],
      });

      const { text } = await ai.runTools({ prompt: "q", tools: [{ ...weather, run }] });

      expect(text).toBe("I could not.");
      expect(run).toHaveBeenCalledTimes(1);
    });

    it("stops after as many replies as a tool loop may have", async () => {
      const toolCalls = Array.from({ length: 5 }, () => callOfWeather);
      const ai = await playing({ text: "done", toolCalls });

      const { stopReason } = await ai.runTools({ prompt: "q", tools: [weather], maxTurns: 3 });

      expect(stopReason).toBe("max-turns");
    });

    it.each([
      ["a rate limit", aiRateLimit(), "RATE_LIMITED"],
      ["a failure", aiFailure(), "AI_UNAVAILABLE"],
    ])("rejects with a MeshError for %s", async (_name, reply, code) => {
      const ai = await playing(reply);

      const failure = await failureOf(ai.complete({ prompt: "q" }));

      expect(failure).toBeInstanceOf(MeshError);
      expect(failure.code).toBe(code);
    });

    it("does not begin when its signal has aborted", async () => {
      const ai = await playing({ text: "late" });

      const failure = await failureOf(ai.complete({ prompt: "q", signal: AbortSignal.abort() }));

      expect(failure).toMatchObject({ code: "TIMEOUT", reason: "cancelled" });
    });

    it("ends at once with its signal, for the signal's reason, and lets go of it", async () => {
      const controller = new AbortController();
      const { signal } = controller;
      const ai = await playing({ text: "late", afterMs: Number.POSITIVE_INFINITY });
      const call = failureOf(ai.complete({ prompt: "q", signal }));
      // The call waits for the model by then, or is about to; it must end either way.
      await setImmediate();

      const before = performance.now();
      controller.abort(new MeshError("TIMEOUT", "A race is decided.", { reason: "cancelled" }));
      const failure = await call;

      expect(performance.now() - before).toBeLessThan(20_000);
      expect(failure).toMatchObject({ code: "TIMEOUT", message: "A race is decided." });
      expect(getEventListeners(signal, "abort")).toHaveLength(0);
    });

    it("ends with its signal while a tool ignores it", async () => {
      const controller = new AbortController();
      const ai = await playing({ text: "late", toolCalls: [callOfWeather] });

      const failure = await failureOf(
        ai.runTools({
          prompt: "q",
          signal: controller.signal,
          tools: [
            {
              ...weather,
              run: () => {
                setTimeout(() => controller.abort(), 5);
                return new Promise(() => {});
              },
            },
          ],
        }),
      );

      expect(failure).toMatchObject({ code: "TIMEOUT", reason: "cancelled" });
    });

    it("ends with TIMEOUT when the model takes longer than the request allows", async () => {
      const { signal } = new AbortController();
      const ai = await playing({ text: "late", afterMs: Number.POSITIVE_INFINITY });

      const failure = await failureOf(ai.complete({ prompt: "q", timeoutMs: 60, signal }));

      expect(failure).toMatchObject({ code: "TIMEOUT", reason: "deadline" });
      expect(getEventListeners(signal, "abort")).toHaveLength(0);
    });

    it("keeps to the budget of a run", async () => {
      const ai = await playing(
        { text: "one", usage: { inputTokens: 400, outputTokens: 500 } },
        { text: "two" },
      );
      const router = createRouter({ ai, budget: { tokens: 900 } });
      router.register({
        id: "writer",
        description: "writes twice",
        librarian: async (query, context) => {
          const first = await context?.ai?.complete({ prompt: query });
          const second = await failureOf(
            context?.ai?.complete({ prompt: query }) ?? Promise.resolve(),
          );
          return { answer: `${first?.text}, ${second.code} ${second.reason}` };
        },
      });

      const { answer } = await router.ask("write");

      expect(answer).toBe("one, AI_UNAVAILABLE budget-exceeded");
      expect(played?.maxTokens()).toEqual([expect.any(Number)]);
      expect(played?.maxTokens()[0]).toBeLessThan(900);
    });

    it("charges the budget for an analysis that fails", async () => {
      const ai = await playing({ text: "no JSON", usage: { inputTokens: 400, outputTokens: 500 } });
      const router = createRouter({ ai, budget: { tokens: 900 } });
      router.register({
        id: "reader",
        description: "analyzes twice",
        librarian: async (query, context) => {
          const analyze = () =>
            failureOf(context?.ai?.analyze({ prompt: query, schema }) ?? Promise.resolve());
          const [first, second] = [await analyze(), await analyze()];
          return { answer: `${first.reason}, ${second.reason}` };
        },
      });

      expect((await router.ask("read")).answer).toBe("undefined, budget-exceeded");
    });
  });
}
