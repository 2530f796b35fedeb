import { createRouter } from "@constellation/core";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { failureOf, type RemoteClientSuiteOptions, usage, useRemote } from "./fixture.js";

/** Registers the tests of what a client of a service sends and reads. */
export function itRepliesLikeARemoteClient(options: RemoteClientSuiteOptions): void {
  describe("as a client of a service, it writes, reads and runs tools", () => {
    const remote = useRemote(options);

    it("sends the system text, the prompt and the limit", async () => {
      const ai = await remote.serving(["ok"]);

      await ai.complete({ system: "Be brief.", prompt: "what now?", maxTokens: 77 });

      const body = JSON.stringify(remote.server.requests[0]?.body);
      expect(body).toContain("Be brief.");
      expect(body).toContain("what now?");
      expect(body).toContain("77");
    });

    it("makes a price of what was used", async () => {
      const ai = await remote.serving([{ text: "ok", usage }]);

      const { usage: used } = await ai.complete({ prompt: "q" });

      expect(used).toEqual({ ...usage, costUsd: 0.003 });
    });

    it("names its prices, so that a budget can be reserved before a call", async () => {
      const ai = await remote.serving([]);

      expect(ai.findPrice?.()).toEqual({ inputUsd: 2e-6, outputUsd: 10e-6 });
      expect(ai.findPrice?.("large")).toEqual({ inputUsd: 2e-6, outputUsd: 10e-6 });
      expect(ai.findPrice?.("other")).toBeUndefined();
      expect(ai.findPrice?.("constructor")).toBeUndefined();
    });

    it("says no costs where it has no price", async () => {
      const ai = await remote.serving([{ text: "ok", usage }], { prices: {} });

      expect((await ai.complete({ prompt: "q" })).usage).toEqual(usage);
    });

    it("ends a tool loop before a reply that could go beyond its tokens", async () => {
      const call = { toolCalls: [{ name: "read", input: {} }], usage };
      const ai = await remote.serving([call, call, call]);
      const router = createRouter({ ai, budget: { tokens: 5_000 } });
      router.register({
        id: "reader",
        description: "reads much",
        librarian: async (query, context) => {
          const run = async () => "x".repeat(9_000);
          const tools = [{ name: "read", description: "reads", input: z.object({}), run }];
          const asked = context?.ai?.runTools({ prompt: query, tools, maxTokens: 500 });
          const { code, reason } = await failureOf(asked ?? Promise.resolve());
          return { answer: `${code} ${reason}` };
        },
      });

      expect((await router.ask("read")).answer).toBe("AI_UNAVAILABLE budget-exceeded");
      expect(remote.server.requests).toHaveLength(1);
    });

    it("sums what all replies of a tool loop used, and tells the model only what it may know", async () => {
      const calls = [
        { name: "find", input: { id: "x" } },
        { name: "find", input: { id: 1 } },
        { name: "none", input: {} },
      ];
      const ai = await remote.serving([
        { toolCalls: calls, text: "Let me look.", usage },
        { text: "done", usage },
      ]);
      const run = vi.fn(() => Promise.reject(new Error("password=hunter2")));

      const completion = await ai.runTools({
        prompt: "q",
        tools: [{ name: "find", description: "finds", input: z.object({ id: z.string() }), run }],
      });

      expect(completion).toMatchObject({
        text: "done",
        usage: { inputTokens: 2_000, outputTokens: 200, costUsd: 0.006 },
      });
      expect(run).toHaveBeenCalledTimes(1);
      const reported = JSON.stringify(remote.server.requests[1]?.body);
      expect(reported).toContain("the tool failed");
      expect(reported).toContain("id: Invalid input");
      expect(reported).toContain("unknown tool");
      expect(reported).not.toContain("hunter2");
    });

    it("streams the replies of a tool loop, tool calls in pieces included", async () => {
      const pieces: string[] = [];
      const ai = await remote.serving([
        { text: "Wait. ", toolCalls: [{ name: "find", input: { id: "x" } }] },
        "Done.",
      ]);

      await ai.runTools({
        prompt: "q",
        onText: (text) => pieces.push(text),
        tools: [
          {
            name: "find",
            description: "finds",
            input: z.object({ id: z.string() }),
            run: async (input) => JSON.stringify(input),
          },
        ],
      });

      expect(pieces.join("")).toBe("Wait. Done.");
      expect(JSON.stringify(remote.server.requests[1]?.body)).toContain(String.raw`{\"id\":\"x\"}`);
    });

    it("keeps what a tool loop used when a later reply fails", async () => {
      const ai = await remote.serving([
        { toolCalls: [{ name: "none", input: {} }], usage },
        { status: 400 },
      ]);

      const failure = await failureOf(ai.runTools({ prompt: "q", tools: [] }));

      expect(failure.details?.usage).toEqual({ ...usage, costUsd: 0.003 });
    });

    it("asks in words for a schema that no service can hold a model to", async () => {
      const ai = await remote.serving([{ text: '```json\n{"counts":{"a":1}}\n```' }]);
      const schema = z.object({ counts: z.record(z.string(), z.number()) });

      const { value } = await ai.analyze({ prompt: "q", schema });

      expect(value).toEqual({ counts: { a: 1 } });
      expect(JSON.stringify(remote.server.requests[0]?.body)).toContain(
        "It must fit this JSON schema",
      );
    });

    it("rejects a schema that is not an object, and sends nothing", async () => {
      const ai = await remote.serving([]);

      const failure = await failureOf(ai.analyze({ prompt: "q", schema: z.string() }));

      expect(failure.code).toBe("AI_UNAVAILABLE");
      expect(remote.server.requests).toHaveLength(0);
    });

    it("does not break when a listener throws", async () => {
      const ai = await remote.serving(["one two"]);
      const onText = () => {
        throw new Error("listener");
      };

      expect((await ai.complete({ prompt: "q", onText })).text).toBe("one two");
    });

    it("streams a reply that may take minutes, and no other", async () => {
      const call = { toolCalls: [{ name: "none", input: {} }], usage };
      const ai = await remote.serving(["one two", "one two", { value: {} }, call, "done"]);

      const slow = await ai.complete({ prompt: "q", timeoutMs: 300_000 });
      const quick = await ai.complete({ prompt: "q", timeoutMs: 200_000 });
      const analysed = await ai.analyze({ prompt: "q", timeoutMs: 300_000, schema: z.object({}) });
      const looped = await ai.runTools({ prompt: "q", timeoutMs: 300_000, tools: [] });

      expect([slow.text, quick.text, analysed.value, looped.text]).toEqual([
        "one two",
        "one two",
        {},
        "done",
      ]);
      const streamed = remote.server.requests.map(({ body }) => body.stream === true);
      expect(streamed).toEqual([true, false, true, true, true]);
    });

    it("streams an analysis, and asks the model that the request names", async () => {
      const pieces: string[] = [];
      const ai = await remote.serving([{ value: { city: "Bergen" }, usage }]);

      const { value } = await ai.analyze({
        prompt: "q",
        model: "small",
        schema: z.object({ city: z.string() }),
        onText: (text) => pieces.push(text),
      });

      expect(value).toEqual({ city: "Bergen" });
      expect(pieces.join("")).toBe('{"city":"Bergen"}');
      expect(remote.server.requests[0]?.body.model).toBe("small");
    });
  });
}
