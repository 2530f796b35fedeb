import { inspect } from "node:util";
import { type AIClient, createRouter, type Librarian, MeshError } from "@constellation/core";
import { SpanStatusCode } from "@opentelemetry/api";
import { InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import type { ModelServer, ModelServerOptions, ModelStep } from "../src/testing.js";

/** Options that every client of a service has. */
export interface RemoteClientOptions {
  readonly baseURL: string;
  readonly model: string;
  readonly apiKey: string;
  readonly maxRetries?: number;
  readonly prices?: Readonly<Record<string, { readonly input: number; readonly output: number }>>;
}

/** What {@link itBehavesLikeARemoteClient} needs to know of the client under test. */
export interface RemoteClientSuiteOptions {
  create(options: RemoteClientOptions): AIClient;
  start(script: readonly ModelStep[], options?: ModelServerOptions): Promise<ModelServer>;
}

const apiKey = "sk-secret-0123456789abcdef";
const model = "large";
const prices = { large: { input: 2, output: 10 } };
const usage = { inputTokens: 1_000, outputTokens: 100 };

const writer: Librarian = async (query, context) => {
  const completion = await context?.ai?.complete({
    prompt: query,
    signal: context.signal,
    timeoutMs: context.remainingMs?.(),
  });
  return { answer: completion?.text ?? "no model" };
};

/** Registers the tests that every client of a service must pass, against a server that plays it. */
export function itBehavesLikeARemoteClient({ create, start }: RemoteClientSuiteOptions): void {
  describe("as a client of a service", () => {
    const exporter = new InMemorySpanExporter();
    beforeAll(() => {
      const provider = new NodeTracerProvider({
        spanProcessors: [new SimpleSpanProcessor(exporter)],
      });
      provider.register();
    });

    let server: ModelServer;
    const serving = async (
      steps: readonly ModelStep[],
      options: Partial<RemoteClientOptions> = {},
    ): Promise<AIClient> => {
      server = await start(steps, { apiKey });
      return create({ baseURL: server.url, model, apiKey, prices, ...options });
    };
    const failureOf = async (call: Promise<unknown>): Promise<MeshError> => {
      const failure = await call.then(
        () => expect.fail("it did not reject"),
        (thrown) => thrown,
      );
      expect(failure).toBeInstanceOf(MeshError);
      return failure;
    };
    beforeEach(() => exporter.reset());
    afterEach(() => server.close());

    it("sends the system text, the prompt and the limit", async () => {
      const ai = await serving(["ok"]);

      await ai.complete({ system: "Be brief.", prompt: "what now?", maxTokens: 77 });

      const body = JSON.stringify(server.requests[0]?.body);
      expect(body).toContain("Be brief.");
      expect(body).toContain("what now?");
      expect(body).toContain("77");
    });

    it("makes a price of what was used", async () => {
      const ai = await serving([{ text: "ok", usage }]);

      const { usage: used } = await ai.complete({ prompt: "q" });

      expect(used).toEqual({ ...usage, costUsd: 0.003 });
    });

    it("says no costs where it has no price", async () => {
      const ai = await serving([{ text: "ok", usage }], { prices: {} });

      expect((await ai.complete({ prompt: "q" })).usage).toEqual(usage);
    });

    it("sums what all replies of a tool loop used, and tells the model only what it may know", async () => {
      const calls = [
        { name: "find", input: { id: "x" } },
        { name: "find", input: { id: 1 } },
        { name: "none", input: {} },
      ];
      const ai = await serving([
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
      const told = JSON.stringify(server.requests[1]?.body);
      expect(told).toContain("the tool failed");
      expect(told).toContain("id: Invalid input");
      expect(told).toContain("there is no such tool");
      expect(told).not.toContain("hunter2");
    });

    it("streams the replies of a tool loop, tool calls in pieces included", async () => {
      const pieces: string[] = [];
      const ai = await serving([
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
      expect(JSON.stringify(server.requests[1]?.body)).toContain(String.raw`{\"id\":\"x\"}`);
    });

    it("keeps what a tool loop used when a later reply fails", async () => {
      const ai = await serving([
        { toolCalls: [{ name: "none", input: {} }], usage },
        { status: 400 },
      ]);

      const failure = await failureOf(ai.runTools({ prompt: "q", tools: [] }));

      expect(failure.details?.usage).toEqual({ ...usage, costUsd: 0.003 });
    });

    it("asks in words for a schema that no service can hold a model to", async () => {
      const ai = await serving([{ text: '```json\n{"counts":{"a":1}}\n```' }]);
      const schema = z.object({ counts: z.record(z.string(), z.number()) });

      const { value } = await ai.analyze({ prompt: "q", schema });

      expect(value).toEqual({ counts: { a: 1 } });
      expect(JSON.stringify(server.requests[0]?.body)).toContain("It must fit this JSON schema");
    });

    it("rejects a schema that is no object, and sends nothing", async () => {
      const ai = await serving([]);

      const failure = await failureOf(ai.analyze({ prompt: "q", schema: z.string() }));

      expect(failure.code).toBe("AI_UNAVAILABLE");
      expect(server.requests).toHaveLength(0);
    });

    it("does not break when a listener throws", async () => {
      const ai = await serving(["one two"]);
      const onText = () => {
        throw new Error("listener");
      };

      expect((await ai.complete({ prompt: "q", onText })).text).toBe("one two");
    });

    it.each([429, 500, 503, 529])(
      "asks again after status %i, as long as it is asked to wait",
      async (status) => {
        const ai = await serving([{ status, retryAfterMs: 60 }, "ok"]);

        expect((await ai.complete({ prompt: "q", timeoutMs: 5_000 })).text).toBe("ok");

        const [first, second] = server.requests;
        expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(59);
      },
    );

    it("asks again no more often than it may", async () => {
      const busy = { status: 429, retryAfterMs: 1 };
      const ai = await serving([busy, busy, busy, "never"], { maxRetries: 2 });

      expect((await failureOf(ai.complete({ prompt: "q" }))).code).toBe("RATE_LIMITED");

      expect(server.requests).toHaveLength(3);
    });

    it("fails at once when it would have to wait beyond its deadline", async () => {
      const ai = await serving([{ status: 429, retryAfterMs: 30_000 }, "never"]);
      const before = performance.now();

      const failure = await failureOf(ai.complete({ prompt: "q", timeoutMs: 10_000 }));

      expect(failure).toMatchObject({
        code: "RATE_LIMITED",
        details: { status: 429, retryAfterMs: 30_000 },
      });
      expect(performance.now() - before).toBeLessThan(2_000);
      expect(server.requests).toHaveLength(1);
    });

    it("ends at once when it is cancelled while it waits to ask again", async () => {
      const controller = new AbortController();
      const ai = await serving([{ status: 529, retryAfterMs: 20_000 }, "never"]);
      const call = failureOf(ai.complete({ prompt: "q", signal: controller.signal }));
      await vi.waitFor(() => expect(server.requests).toHaveLength(1));
      await new Promise((resolve) => setTimeout(resolve, 50));

      const before = performance.now();
      controller.abort();

      expect(await call).toMatchObject({ code: "TIMEOUT", reason: "cancelled" });
      expect(performance.now() - before).toBeLessThan(50);
    });

    it.each([
      ["a whole reply", false],
      ["a streamed reply", true],
    ])("closes the connection when %s is cancelled", async (_name, isStreamed) => {
      const controller = new AbortController();
      const step = isStreamed
        ? { text: ["a ", "b ", "c "], betweenMs: 5_000, usage }
        : { text: "late", afterMs: Number.POSITIVE_INFINITY };
      const ai = await serving([step]);
      const onText = vi.fn();
      const call = failureOf(
        ai.complete({ prompt: "q", signal: controller.signal, ...(isStreamed && { onText }) }),
      );
      await vi.waitFor(() => expect(server.busy).toBe(1));
      await new Promise((resolve) => setTimeout(resolve, 50));

      controller.abort();

      expect(await call).toMatchObject({ code: "TIMEOUT", reason: "cancelled" });
      await vi.waitFor(() => expect(server.requests[0]?.isClosed).toBe(true));
      expect(server.busy).toBe(0);
    });

    it("keeps what a streamed reply used when it is cancelled", async () => {
      const controller = new AbortController();
      const ai = await serving([{ text: "one two three", betweenMs: 5, usage }]);

      const failure = await failureOf(
        ai.complete({
          prompt: "q",
          signal: controller.signal,
          onText: (text) => text.startsWith("two") && controller.abort(),
        }),
      );

      expect(failure).toMatchObject({ code: "TIMEOUT", reason: "cancelled" });
      expect(failure.details?.usage).toMatchObject({ outputTokens: expect.any(Number) });
    });

    it("keeps what a streamed reply used when time is up", async () => {
      const ai = await serving([{ text: ["one ", "two"], betweenMs: 5_000, usage }]);

      const failure = await failureOf(
        ai.complete({ prompt: "q", timeoutMs: 300, onText: () => {} }),
      );

      expect(failure).toMatchObject({ code: "TIMEOUT", reason: "deadline" });
      expect(failure.details?.usage).toMatchObject({ inputTokens: expect.any(Number) });
    });

    it("closes the connection of a cancelled run, which then settles", async () => {
      const ai = await serving([{ afterMs: Number.POSITIVE_INFINITY }]);
      const router = createRouter({ ai });
      router.register({ id: "writer", description: "writes", librarian: writer });
      const run = router.start("write");
      await vi.waitFor(() => expect(server.busy).toBe(1));

      run.cancel();

      expect((await run.response).error).toMatchObject({ code: "TIMEOUT" });
      await run.settled;
      await vi.waitFor(() => expect(server.requests[0]?.isClosed).toBe(true));
    });

    it("gives the model no more time than its hop has", async () => {
      const ai = await serving([{ afterMs: Number.POSITIVE_INFINITY }]);
      const router = createRouter({ ai, timeoutMs: 400 });
      router.register({ id: "writer", description: "writes", librarian: writer });

      expect((await router.ask("write")).error?.code).toBe("TIMEOUT");

      await vi.waitFor(() => expect(server.requests[0]?.isClosed).toBe(true));
    });

    it("opens its span below the hop's", async () => {
      const ai = await serving(["ok"]);
      const router = createRouter({ ai });
      router.register({ id: "writer", description: "writes", librarian: writer });

      await router.ask("write");

      const finished = exporter.getFinishedSpans();
      const hop = finished.find(({ name }) => name === "invoke_agent writer");
      const [model, ...others] = finished.filter(
        ({ attributes }) => attributes["gen_ai.operation.name"] === "chat",
      );
      expect(others).toEqual([]);
      expect(model?.parentSpanContext?.spanId).toBe(hop?.spanContext().spanId);
    });

    it("gives nothing more to a listener once it is cancelled", async () => {
      const controller = new AbortController();
      const pieces: string[] = [];
      const ai = await serving(["one two three"]);

      await failureOf(
        ai.complete({
          prompt: "q",
          signal: controller.signal,
          onText: (text) => {
            pieces.push(text);
            controller.abort();
          },
        }),
      );
      await new Promise((resolve) => setTimeout(resolve, 20));

      expect(pieces).toEqual(["one "]);
    });

    it.each<readonly [string, ModelStep, boolean]>([
      ["cut before it", { cut: "before" }, false],
      ["cut in the middle of it", { text: "a b c d", cut: "during" }, false],
      ["cut in the middle of its stream", { text: "a b c d", cut: "during" }, true],
      ["no JSON", { garbage: "<html>" }, false],
      ["another JSON", { garbage: '{"a":1}' }, false],
      ["null", { garbage: "null" }, false],
      ["empty", { garbage: "" }, false],
      ["a stream without events", { garbage: "" }, true],
      ["a stream of garbage", { garbage: "event: message_start\ndata: {oops\n\n" }, true],
      ["a stream of other events", { garbage: 'event: x\ndata: {"type":"x"}\n\n' }, true],
    ])("rejects with AI_UNAVAILABLE when the reply is %s", async (_name, step, isStreamed) => {
      const ai = await serving([step], { maxRetries: 0 });

      const failure = await failureOf(
        ai.complete({ prompt: "q", ...(isStreamed && { onText: () => {} }) }),
      );

      expect(failure.code).toBe("AI_UNAVAILABLE");
    });

    it("rejects with AI_UNAVAILABLE when nobody listens", async () => {
      const ai = await serving([]);
      await server.close();

      const failure = await failureOf(ai.complete({ prompt: "q" }));

      expect(failure).toMatchObject({
        code: "AI_UNAVAILABLE",
        details: { problem: "ECONNREFUSED" },
      });
    });

    it("says that the key is refused, and never what it is", async () => {
      const wrong = "sk-wrong-fedcba9876543210";
      const ai = await serving(["never"], { apiKey: wrong });

      const failure = await failureOf(ai.complete({ prompt: "q" }));

      expect(failure).toMatchObject({ code: "AI_UNAVAILABLE", details: { status: 401 } });
      expect(failure.suggestion).toContain("key");
      expect(server.requests).toHaveLength(1);
      const shown = inspect([failure, ai], { depth: 20, showHidden: true });
      expect(shown + JSON.stringify(failure.toInfo()) + String(failure.stack)).not.toContain(wrong);
      expect(JSON.stringify(spans())).not.toContain(wrong);
    });

    it.each([
      ["a refusal of the request", { status: 400, message: `bad ${apiKey} and sk-other-123456` }],
      ["a failure", { status: 500, message: `broke with Bearer ${apiKey}` }],
      ["a rate limit", { status: 429, message: `busy ${apiKey}` }],
      ["a cut connection", { cut: "before" as const }],
      ["garbage", { garbage: `<html>${apiKey}` }],
    ])("holds no key in the error and the span of %s", async (_name, step) => {
      const output = vi.spyOn(process.stdout, "write");
      const errors = vi.spyOn(process.stderr, "write");
      const ai = await serving([step], { maxRetries: 0 });

      const failure = await failureOf(ai.complete({ prompt: "q" }));

      const shown = inspect(failure, { depth: 20, showHidden: true });
      const logged = JSON.stringify([...output.mock.calls, ...errors.mock.calls]);
      expect(
        shown + JSON.stringify(failure.toInfo()) + JSON.stringify(spans()) + logged,
      ).not.toMatch(/0123456789abcdef|sk-other/);
      vi.restoreAllMocks();
    });

    it("opens exactly one span for a call, retries included", async () => {
      const ai = await serving([
        { status: 529, retryAfterMs: 1 },
        { text: "ok", usage },
      ]);

      await ai.complete({ prompt: "private words" });

      const [span, ...others] = spans();
      expect(others).toEqual([]);
      expect(span).toMatchObject({
        kind: "CLIENT",
        attributes: {
          "gen_ai.operation.name": "chat",
          "gen_ai.request.model": model,
          "gen_ai.response.model": model,
          "gen_ai.usage.output_tokens": 100,
          "http.request.resend_count": 1,
          "server.address": "127.0.0.1",
        },
      });
      expect(JSON.stringify(span)).not.toContain("private words");
      expect(server.requests[1]?.headers.traceparent).toContain(span?.traceId);
    });

    it("opens one span for a streamed call, and one for each reply of a tool loop", async () => {
      const ai = await serving(["ok", { toolCalls: [{ name: "none", input: {} }] }, "done"]);

      await ai.complete({ prompt: "q", onText: () => {} });
      expect(spans()).toHaveLength(1);

      await ai.runTools({ prompt: "q", tools: [] });
      expect(spans()).toHaveLength(3);
    });

    it("marks the span of a failure and of a timeout as failed, and that of a cancelled call not", async () => {
      const never = { afterMs: Number.POSITIVE_INFINITY };
      const ai = await serving([{ status: 400 }, never, never]);
      const controller = new AbortController();

      await failureOf(ai.complete({ prompt: "q" }));
      await failureOf(ai.complete({ prompt: "q", timeoutMs: 50 }));
      const cancelled = failureOf(ai.complete({ prompt: "q", signal: controller.signal }));
      await vi.waitFor(() => expect(server.busy).toBeGreaterThan(0));
      controller.abort();
      await cancelled;

      await vi.waitFor(() => expect(spans()).toHaveLength(3));
      expect(spans().map(({ status }) => status)).toEqual(["ERROR", "ERROR", "UNSET"]);
    });

    function spans() {
      return exporter.getFinishedSpans().map((span) => ({
        name: span.name,
        kind: span.kind === 2 ? "CLIENT" : "other",
        traceId: span.spanContext().traceId,
        status: SpanStatusCode[span.status.code],
        message: span.status.message,
        events: span.events,
        attributes: span.attributes,
      }));
    }
  });
}
