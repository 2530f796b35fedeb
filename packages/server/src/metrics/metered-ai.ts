import { type AIClient, type AIUsage, MeshError } from "@constellation/core";

/** The same client, which reports the tokens of each call, also of a call that failed and was charged. */
export function meterAi(ai: AIClient, report: (usage: AIUsage) => void): AIClient {
  async function metered<Reply extends { readonly usage: AIUsage }>(
    call: Promise<Reply>,
  ): Promise<Reply> {
    try {
      const reply = await call;
      reportUsage(reply.usage, report);
      return reply;
    } catch (thrown) {
      if (thrown instanceof MeshError) reportUsage(thrown.details?.usage, report);
      throw thrown;
    }
  }
  return {
    complete: (request) => metered(ai.complete(request)),
    analyze: (request) => metered(ai.analyze(request)),
    runTools: (request) => metered(ai.runTools(request)),
  };
}

/** A counter cannot decrease, and any client may be passed: only positive numbers are counted. */
function reportUsage(usage: unknown, report: (usage: AIUsage) => void): void {
  const { inputTokens, outputTokens } = (usage ?? {}) as Partial<Record<keyof AIUsage, unknown>>;
  report({ inputTokens: countOf(inputTokens), outputTokens: countOf(outputTokens) });
}

function countOf(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}
