import {
  type CheckedReply,
  generateChecked,
  promptFence,
  readJsonReply,
} from "@constellation/authoring";
import type { AIAnalysisRequest, AIClient, AIRequest } from "@constellation/core";
import { MeshError } from "@constellation/core";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";

const schema = z.object({ city: z.string() });
const usage = { inputTokens: 1, outputTokens: 1 };

/** A client that replies with texts, reads them as strictly as a client may, and keeps its requests. */
function clientOf(...replies: readonly (string | Error)[]) {
  const requests: AIRequest[] = [];
  const completion = (request: AIRequest) => {
    requests.push(request);
    const reply = replies[requests.length - 1] ?? "";
    if (reply instanceof Error) throw reply;
    return { text: reply, stopReason: "end" as const, usage, model: "test" };
  };
  const ai: AIClient = {
    complete: async (request) => completion(request),
    runTools: async (request) => completion(request),
    async analyze<T>(request: AIAnalysisRequest<T>) {
      const done = completion(request);
      try {
        return { ...done, value: request.schema.parse(JSON.parse(done.text)) };
      } catch {
        const details = { problem: "the reply is not JSON", text: done.text, stopReason: "end" };
        throw new MeshError("AI_UNAVAILABLE", "The reply does not fit.", { details });
      }
    },
  };
  return { ai, requests };
}

const isParis = ({ city }: { readonly city: string }): CheckedReply<string> =>
  city === "Paris" ? { value: city } : { problems: [`${city} is not the capital.`] };
const request = { prompt: "Capital of France?", schema, name: "capital" };

describe("generateChecked", () => {
  it("gives the first reply that passes", async () => {
    const { ai } = clientOf('{"city":"Paris"}');
    const generated = await generateChecked(ai, request, { context: {}, check: isParis });

    expect(generated).toMatchObject({ outcome: "valid", value: "Paris", attempts: 1 });
  });

  it("asks again with the reply and all that was wrong with it", async () => {
    const { ai, requests } = clientOf('{"city":"Lyon"}', '{"city":"Paris"}');
    const onInvalid = vi.fn();
    const generated = await generateChecked(ai, request, {
      context: {},
      check: isParis,
      onInvalid,
    });

    expect(generated).toMatchObject({ outcome: "valid", attempts: 2 });
    expect(onInvalid.mock.calls).toEqual([[["Lyon is not the capital."], 1]]);
    expect(requests[1]?.prompt).toMatchObject([
      { role: "user", text: "Capital of France?" },
      { role: "assistant", text: '{"city":"Lyon"}' },
      { role: "user", text: expect.stringContaining("- Lyon is not the capital.") },
    ]);
  });

  it("reports a text of the reply while it is written, and withdraws what does not pass", async () => {
    const reported: unknown[] = [];
    const context = { report: (progress: unknown) => void reported.push(progress) };
    const replies = ['{"city": "Ly', 'on"}', '{"city": "Par', 'is"}'];
    const ai: AIClient = {
      ...clientOf().ai,
      async analyze<T>({ schema: form, onText }: AIAnalysisRequest<T>) {
        const [one = "", other = ""] = replies.splice(0, 2);
        for (const piece of [one, other]) onText?.(piece);
        const text = one + other;
        const value = form.parse(JSON.parse(text));
        return { text, value, stopReason: "end" as const, usage, model: "test" };
      },
    };

    await generateChecked(ai, request, { context, check: isParis, draftText: ["city"] });

    expect(reported).toEqual([
      { text: "Lyon" },
      { text: "", replaces: true },
      { message: "The draft is withdrawn: it did not pass the checks." },
      { text: "Paris" },
    ]);
  });

  it("withdraws what a model did not finish", async () => {
    const report = vi.fn();
    const ai: AIClient = {
      ...clientOf().ai,
      analyze({ onText }) {
        onText?.('{"city": "A city on the Seine, with two islands and\\n');
        return Promise.reject(new MeshError("AI_UNAVAILABLE", "The connection was lost."));
      },
    };

    await generateChecked(ai, request, {
      context: { report },
      check: isParis,
      draftText: ["city"],
    });

    expect(report.mock.calls.flat()).toEqual([
      { text: "A city on the Seine, with two islands and\n" },
      { text: "", replaces: true },
      { message: "The draft is withdrawn: the model did not finish it." },
    ]);
  });

  it.each([
    'Sure! Here it is: {"city":"Paris"}. Anything else?',
    '<think>Is it {"city":"Lyon"}? No.</think>\n{"city":"Paris"}',
    'It is Lyon, {no}.</think>{"city":"Paris"}',
    'Here:\n```json\n{"city":"Paris"}\n```\nDone.',
    '```\n{"city":"Paris"}\n```',
    '[{"city":"Paris"}]',
  ])("reads %j although the client cannot", async (reply) => {
    const { ai, requests } = clientOf(reply);
    const generated = await generateChecked(ai, request, { context: {}, check: isParis });

    expect(generated).toMatchObject({ outcome: "valid", value: "Paris", attempts: 1 });
    expect(requests).toHaveLength(1);
  });

  it("asks again after a reply that cannot be read", async () => {
    const { ai, requests } = clientOf("Paris, of course", '{"city":"Paris"}');
    const generated = await generateChecked(ai, request, { context: {}, check: isParis });

    expect(generated).toMatchObject({ outcome: "valid", attempts: 2 });
    expect(JSON.stringify(requests[1]?.prompt)).toContain("the reply is not JSON");
  });

  it("gives up after the last attempt, with what was wrong", async () => {
    const { ai, requests } = clientOf('{"city":"a"}', '{"city":"b"}', '{"city":"c"}');
    const options = { context: {}, check: isParis, maxAttempts: 3 };

    expect(await generateChecked(ai, request, options)).toEqual({
      outcome: "failed",
      reason: "invalid-reply",
      problems: ["c is not the capital."],
      reply: '{"city":"c"}',
    });
    expect(requests).toHaveLength(3);
  });

  it("fails with the code of the client's error, and asks no more", async () => {
    const { ai, requests } = clientOf(new MeshError("RATE_LIMITED", "slow down"));
    const generated = await generateChecked(ai, request, { context: {}, check: isParis });

    expect(generated).toMatchObject({ outcome: "failed", reason: "RATE_LIMITED", problems: [] });
    expect(requests).toHaveLength(1);
  });

  it("asks only while there is time, and gives each call its share", async () => {
    const { ai, requests } = clientOf('{"city":"a"}', '{"city":"b"}');
    const remains = [9_500, 100];
    const context = { remainingMs: () => remains.shift() ?? 0 };
    const generated = await generateChecked(ai, request, { context, check: isParis });

    expect(generated).toMatchObject({ outcome: "failed", reason: "no-time" });
    expect(requests.map(({ timeoutMs }) => timeoutMs)).toEqual([6_000]);
  });

  it("ends with the caller, although the client does not", async () => {
    const controller = new AbortController();
    const ai = { ...clientOf().ai, analyze: () => new Promise<never>(() => {}) };
    const context = { signal: controller.signal };
    const generated = generateChecked(ai, request, { context, check: isParis });
    controller.abort();

    await expect(generated).rejects.toMatchObject({
      code: "TIMEOUT",
      details: { reason: "cancelled" },
    });
  });

  it("checks plain text, too", async () => {
    const { ai } = clientOf("hello", "Paris");
    const generated = await generateChecked(
      ai,
      { prompt: "Capital?" },
      { context: {}, check: (text) => (text === "Paris" ? { value: 1 } : { problems: ["no"] }) },
    );

    expect(generated).toMatchObject({ outcome: "valid", value: 1, reply: "Paris", attempts: 2 });
  });
});

describe("readJsonReply", () => {
  it("looks for an object in the first 1,000 balanced braces", () => {
    expect(readJsonReply(`${"{a} ".repeat(999)}{"b":1}`)).toEqual({ b: 1 });
    expect(readJsonReply(`${"{a} ".repeat(1_000)}{"b":1}`)).toBeUndefined();
  });

  it("does not mistake a tag in a text of JSON for a thought", () => {
    expect(readJsonReply('{"text":"<think>x</think>"}')).toEqual({ text: "<think>x</think>" });
  });

  it("takes no object out of one that never closes", () => {
    expect(readJsonReply('{"a": {"city":"Paris"}')).toBeUndefined();
    expect(readJsonReply("no JSON")).toBeUndefined();
  });

  it.each(["{", "<think>", "```\n", '{"', "</think>", "[{"])(
    "takes time in line with the length of %j repeated",
    (piece) => {
      const start = process.cpuUsage();
      readJsonReply(piece.repeat(200_000));

      expect(process.cpuUsage(start).user / 1_000).toBeLessThan(3_000);
    },
  );
});

describe("promptFence", () => {
  it("uses a fence that no text closes, the same for all", () => {
    const fenced = promptFence([
      { name: "question", text: "a\n========== end\nb" },
      { name: "log\nof x", text: "c\u202e" },
    ]);
    const fence = "=".repeat(11);

    expect(fenced).toBe(
      `${fence} question\na\n========== end\nb\n${fence}\n\n${fence} log of x\nc\n${fence}`,
    );
  });
});
