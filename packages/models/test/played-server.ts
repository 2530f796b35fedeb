import type { AIReply } from "@constellation/testing";
import type { ModelAnswer } from "../src/testing.js";

/** A reply of a scripted client as the answers of a server: one for each tool call, then the text. */
export function answersOf(reply: AIReply): readonly ModelAnswer[] {
  const { toolCalls = [], error, text, value, stopReason, usage, model, afterMs } = reply;
  if (error !== undefined) {
    const isRateLimit = (error as { code?: unknown }).code === "RATE_LIMITED";
    return [{ status: isRateLimit ? 429 : 500 }];
  }
  const common = { model, afterMs };
  return [
    ...toolCalls.map((call) => ({
      ...common,
      toolCalls: [call],
      usage: { inputTokens: 0, outputTokens: 0 },
    })),
    {
      ...common,
      text,
      value,
      stopReason: stopReason === "max-turns" ? undefined : stopReason,
      usage: usage && { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens },
    },
  ];
}

/** The limit that a request names, whatever it calls it. */
export function maxTokensOf(body: Readonly<Record<string, unknown>>): number | undefined {
  return typeof body.max_tokens === "number" ? body.max_tokens : undefined;
}
