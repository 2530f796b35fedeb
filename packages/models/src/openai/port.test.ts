import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { errorCodes } from "@constellation/core";
import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { keepSpans } from "../../../core/test/in-memory-spans.js";
import { type ModelServer, type ModelStep, startChatServer } from "../testing.js";
import { createOpenAICompatibleClient } from "./client.js";
import type { OpenAICompatibleClientOptions } from "./options.js";

const schema = z.object({ city: z.string() });

describe("createOpenAICompatibleClient, on the wire", () => {
  let server: ModelServer | undefined;
  const serving = async (
    steps: readonly ModelStep[],
    options: Partial<OpenAICompatibleClientOptions> = {},
  ) => {
    server = await startChatServer(steps);
    // Replies come whole, as in a call that cannot last minutes.
    const timeoutMs = 60_000;
    return createOpenAICompatibleClient({ baseURL: server.url, model: "m", timeoutMs, ...options });
  };
  afterEach(() => server?.close());

  it("holds the model to a schema", async () => {
    const ai = await serving([{ value: { city: "Bergen" } }]);

    await ai.analyze({ prompt: "q", schema, name: "town" });

    expect(server?.requests[0]?.body).toMatchObject({
      model: "m",
      max_tokens: 4_096,
      messages: [{ role: "user", content: "q" }],
      response_format: {
        type: "json_schema",
        json_schema: { name: "town", schema: { type: "object" } },
      },
    });
    expect(server?.requests[0]?.headers).not.toHaveProperty("authorization");
  });

  it.each([
    ["json-object", { type: "json_object" }],
    ["words", undefined],
  ] as const)("asks in words with structuredOutput %s", async (structuredOutput, format) => {
    const ai = await serving([{ value: { city: "Bergen" } }], { structuredOutput });

    await ai.analyze({ system: "Be brief.", prompt: "q", schema });

    const body = server?.requests[0]?.body;
    expect(body?.response_format).toEqual(format);
    expect(JSON.stringify(body?.messages)).toContain("Be brief.\\n\\nReply with one JSON object");
  });

  it.each(["abort", "error", "insufficient_system_resource", "something_new"])(
    "does not take a reply for whole that ended with %s",
    async (reason) => {
      const choice = { message: { content: "half" }, delta: { content: "half" } };
      const garbage = JSON.stringify({ choices: [{ ...choice, finish_reason: reason }] });
      const ai = await serving([{ garbage }, { garbage: `data: ${garbage}\n\n` }]);

      for (const onText of [undefined, () => {}]) {
        const request = { prompt: "q", ...(onText && { onText }) };
        await expect(ai.complete(request)).rejects.toMatchObject({
          code: "AI_UNAVAILABLE",
          details: { problem: expect.stringContaining(reason), usage: { estimated: true } },
        });
      }
    },
  );

  it.each([
    ["nothing", undefined],
    ["zero", { prompt_tokens: 0, completion_tokens: 0 }],
    ["less than nothing", { prompt_tokens: -500, completion_tokens: -500 }],
    ["too much", { prompt_tokens: 1e300, completion_tokens: 1e300 }],
  ])("estimates what a reply used where the server reports %s", async (_name, usage) => {
    const choices = [{ message: { content: "t".repeat(90) }, finish_reason: "stop" }];
    const ai = await serving([{ garbage: JSON.stringify({ choices, usage }) }]);

    const used = (await ai.complete({ prompt: "p".repeat(90) })).usage;

    expect(used).toMatchObject({ estimated: true });
    expect(used.inputTokens).toBeGreaterThanOrEqual(30);
    expect(used.inputTokens).toBeLessThan(200);
    expect(used.outputTokens).toBeGreaterThanOrEqual(30);
    expect(used.outputTokens).toBeLessThan(100);
  });

  it("counts the requests that it sends again, whether the call succeeds or not", async () => {
    const busy = { status: 503, message: "busy", retryAfterMs: 1 };
    const ai = await serving([busy, { text: "done" }, busy, busy], { maxRetries: 1 });

    const { usage } = await ai.complete({ prompt: "q" });
    const failure = await ai.complete({ prompt: "q" }).catch((thrown: unknown) => thrown);

    expect(usage.retries).toBe(1);
    expect(failure).toMatchObject({
      details: { usage: { inputTokens: 0, outputTokens: 0, costUsd: 0, retries: 1 } },
    });
  });

  it("asks in another way when the server rejects one, and remembers it", async () => {
    const ways: unknown[] = [];
    const step: ModelStep = ({ body }) => {
      const { type } = (body.response_format ?? { type: "words" }) as { type: string };
      ways.push(type);
      return type === "words"
        ? { value: { city: "Bergen" } }
        : { status: 400, message: `no ${type}` };
    };
    const ai = await serving([step, step, step, step, step]);

    const first = await ai.analyze({ prompt: "q", schema });
    const second = await ai.analyze({ prompt: "q", schema });

    expect([first.value, second.value]).toEqual([{ city: "Bergen" }, { city: "Bergen" }]);
    expect(ways).toEqual(["json_schema", "json_object", "words", "words"]);
  });

  it("remembers nothing of a request that is wrong in every way", async () => {
    const ai = await serving([
      ...[1, 2, 3].map(() => ({ status: 400, message: "context too long" })),
      { value: { city: "Bergen" } },
    ]);

    await expect(ai.analyze({ prompt: "q", schema })).rejects.toMatchObject({
      details: { status: 400, problem: "context too long" },
    });
    await ai.analyze({ prompt: "q", schema });

    expect(server?.requests[3]?.body.response_format).toMatchObject({ type: "json_schema" });
  });

  it("puts no text of the service into the status of a span", async () => {
    const spans = keepSpans();
    try {
      const ai = await serving([{ status: 400, message: "the patient Jane Roe is not a token" }]);

      await expect(ai.complete({ prompt: "q" })).rejects.toThrow();

      const span = spans.named("chat m");
      expect(span).toMatchObject({ statusMessage: errorCodes.AI_UNAVAILABLE.meaning });
      expect(JSON.stringify(span)).not.toContain("Jane Roe");
    } finally {
      await spans.close();
    }
  });

  it("marks the span of a reply that does not fit with its prompt and the meaning of the code", async () => {
    const spans = keepSpans();
    try {
      const ai = await serving([{ value: { town: "Bergen" } }]);

      await expect(ai.analyze({ prompt: "q", promptId: "city", schema })).rejects.toThrow();

      expect(spans.named("chat m")).toMatchObject({
        status: "error",
        statusMessage: errorCodes.AI_UNAVAILABLE.meaning,
        attributes: { "error.type": "AI_UNAVAILABLE", "librarian.prompt.id": "city" },
      });
    } finally {
      await spans.close();
    }
  });

  it("gives no reply more tokens than maxTokens, and shows limits to who makes prompts", async () => {
    const ai = await serving(["ok", "ok", "ok"], { maxTokens: 500, contextTokens: 8_192 });

    for (const maxTokens of [undefined, 9, 4_000]) await ai.complete({ prompt: "q", maxTokens });

    expect(server?.requests.map(({ body }) => body.max_tokens)).toEqual([500, 9, 500]);
    expect(ai).toMatchObject({ maxTokens: 500, contextTokens: 8_192 });
  });

  it("names the limit as the server does", async () => {
    const ai = await serving(["ok"], { maxTokensField: "max_completion_tokens" });

    await ai.complete({ prompt: "q", maxTokens: 9 });

    expect(server?.requests[0]?.body).toMatchObject({ max_completion_tokens: 9 });
    expect(server?.requests[0]?.body).not.toHaveProperty("max_tokens");
  });

  it("sends tool calls and their results back", async () => {
    const ai = await serving([{ toolCalls: [{ name: "find", input: { id: "x" } }] }, "ok"]);
    const run = async () => "found";

    await ai.runTools({
      prompt: "q",
      tools: [{ name: "find", description: "finds", input: z.object({ id: z.string() }), run }],
    });

    const [first, second] = server?.requests ?? [];
    expect(first?.body.tools).toMatchObject([
      { type: "function", function: { name: "find", parameters: { type: "object" } } },
    ]);
    expect(second?.body.messages).toMatchObject([
      { role: "user" },
      { role: "assistant", tool_calls: [{ function: { name: "find", arguments: '{"id":"x"}' } }] },
      { role: "tool", content: "found" },
    ]);
  });

  it.each([
    ["a refusal in words", { content: null, refusal: "No." }, "stop", "refusal", "No."],
    ["no usage", { content: "ok" }, "stop", "end", "ok"],
  ])("reads a reply with %s", async (_name, message, reason, stopReason, text) => {
    const garbage = JSON.stringify({ choices: [{ message, finish_reason: reason }] });
    const ai = await serving([{ garbage }]);

    const completion = await ai.complete({ prompt: "q" });

    expect(completion).toMatchObject({ stopReason, text, model: "m" });
    expect(completion.usage.inputTokens).toBeGreaterThan(10);
    expect(completion.usage.outputTokens).toBeGreaterThan(0);
  });

  it("tells the model when the input of a tool is not JSON", async () => {
    const call = { id: "1", function: { name: "find", arguments: "{oops" } };
    const choice = { message: { tool_calls: [call] }, finish_reason: "tool_calls" };
    const ai = await serving([{ garbage: JSON.stringify({ choices: [choice] }) }, "ok"]);
    const run = vi.fn(async () => "");

    await ai.runTools({
      prompt: "q",
      tools: [{ name: "find", description: "finds", input: z.object({}), run }],
    });

    expect(run).not.toHaveBeenCalled();
  });

  it("asks a server that rejects streams for whole replies where no listener needs one", async () => {
    const step: ModelStep = ({ body }) =>
      body.stream === true ? { status: 422, message: "stream_options: unknown" } : "whole";
    const ai = await serving([step, step, step, step], { timeoutMs: 300_000 });

    const first = await ai.complete({ prompt: "q" });
    const second = await ai.complete({ prompt: "q" });

    expect([first.text, second.text]).toEqual(["whole", "whole"]);
    expect(server?.requests.map(({ body }) => body.stream === true)).toEqual([true, false, false]);
    await expect(ai.complete({ prompt: "q", onText: () => {} })).rejects.toMatchObject({
      details: { status: 422 },
    });
  });

  it("sends its requests with a fetch of one's own", async () => {
    const send = vi.fn<typeof fetch>((input, init) => fetch(input, init));
    const ai = await serving(["ok"], { fetch: send });

    await ai.complete({ prompt: "q" });

    expect(send.mock.calls.map(([, init]) => init?.signal instanceof AbortSignal)).toEqual([true]);
  });

  it("asks the next model when no connection is accepted", async () => {
    const send: typeof fetch = (input, init) =>
      String(init?.body).includes('"m"') ? fetch("http://127.0.0.1:1/") : fetch(input, init);
    const ai = await serving(["ok"], { fetch: send, fallbackModels: ["second"] });

    expect(await ai.complete({ prompt: "q" })).toMatchObject({ text: "ok", model: "second" });
  });

  it("takes a whole reply from a server that does not stream", async () => {
    const reply = { choices: [{ message: { content: "whole" }, finish_reason: "stop" }] };
    const plain = createServer((_incoming, outgoing) => {
      outgoing.setHeader("content-type", "application/json");
      outgoing.end(JSON.stringify(reply));
    });
    await new Promise<void>((resolve) => plain.listen(0, "127.0.0.1", resolve));
    const { port } = plain.address() as AddressInfo; // it listens
    const ai = createOpenAICompatibleClient({
      baseURL: `http://127.0.0.1:${port}/v1/`,
      model: "m",
    });
    const onText = vi.fn();

    const { text } = await ai.complete({ prompt: "q", onText });

    expect([text, ...onText.mock.calls.flat()]).toEqual(["whole", "whole"]);
    plain.closeAllConnections();
    plain.close();
  });

  it("fails with the failure that a stream reports", async () => {
    const garbage = 'data: {"error":{"message":"too many","code":429}}\n\n';
    const ai = await serving([{ garbage }], { maxRetries: 0 });

    await expect(ai.complete({ prompt: "q", onText: () => {} })).rejects.toMatchObject({
      code: "RATE_LIMITED",
      details: { status: 429, problem: "too many" },
    });
  });

  it("does not follow the conversation elsewhere", async () => {
    const elsewhere = await startChatServer(["never"]);
    const redirecting = createServer((_incoming, outgoing) => {
      outgoing.writeHead(307, { location: `${elsewhere.url}/chat/completions` }).end();
    });
    await new Promise<void>((resolve) => redirecting.listen(0, "127.0.0.1", resolve));
    const { port } = redirecting.address() as AddressInfo; // it listens
    const ai = createOpenAICompatibleClient({ baseURL: `http://127.0.0.1:${port}`, model: "m" });

    await expect(ai.complete({ prompt: "q" })).rejects.toMatchObject({ code: "AI_UNAVAILABLE" });

    expect(elsewhere.requests).toHaveLength(0);
    await elsewhere.close();
    redirecting.closeAllConnections();
    redirecting.close();
  });

  it("sends nothing that the environment holds for another service", async () => {
    vi.stubEnv("OPENAI_API_KEY", "sk-other");
    vi.stubEnv("OPENAI_ORG_ID", "org-other");
    vi.stubEnv("OPENAI_PROJECT_ID", "project-other");
    vi.stubEnv("OPENAI_CUSTOM_HEADERS", "x-other: other");
    const ai = await serving(["ok"]);

    await ai.complete({ prompt: "q" });
    vi.unstubAllEnvs();

    expect(JSON.stringify(server?.requests[0]?.headers)).not.toContain("other");
    expect(server?.requests[0]?.headers).not.toHaveProperty("authorization");
  });

  it.each([
    [{ model: "m" }, TypeError, "baseURL"],
    [{ baseURL: "http://h" }, TypeError, "model"],
    [{ baseURL: "h", model: "m" }, RangeError, "baseURL"],
    [{ baseURL: "http://h", model: "m", structuredOutput: "yaml" }, RangeError, "structuredOutput"],
    [{ baseURL: "http://h", model: "m", apiKey: "a b-secret" }, RangeError, "apiKey"],
    [{ baseURL: "http://h", model: "m", key: "secret" }, TypeError, "key"],
    [{ baseURL: "http://h", model: "m", fetch: 7 }, TypeError, "fetch"],
  ])("refuses %o at once, naming the option and no secret", (options, kind, key) => {
    const make = () => createOpenAICompatibleClient(options as never); // wrong on purpose

    expect(make).toThrow(kind);
    expect(make).toThrow(key);
    expect(make).not.toThrow("secret");
  });
});
