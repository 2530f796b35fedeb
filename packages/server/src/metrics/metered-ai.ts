import { type AIClient, type AIUsage, MeshError } from "@constellation/core";

/** The same client, which tells what each call used, also where it failed and was charged. */
export function meterAi(ai: AIClient, tell: (usage: AIUsage) => void): AIClient {
  async function metered<Reply extends { readonly usage: AIUsage }>(
    call: Promise<Reply>,
  ): Promise<Reply> {
    try {
      const reply = await call;
      told(reply.usage, tell);
      return reply;
    } catch (thrown) {
      if (thrown instanceof MeshError) told(thrown.details?.usage, tell);
      throw thrown;
    }
  }
  return {
    complete: (request) => metered(ai.complete(request)),
    analyze: (request) => metered(ai.analyze(request)),
    runTools: (request) => metered(ai.runTools(request)),
  };
}

/** A counter cannot go down, and a client may be anybody's: only numbers of 0 or more are counted. */
function told(usage: unknown, tell: (usage: AIUsage) => void): void {
  const { inputTokens, outputTokens } = (usage ?? {}) as Partial<Record<keyof AIUsage, unknown>>;
  tell({ inputTokens: countOf(inputTokens), outputTokens: countOf(outputTokens) });
}

function countOf(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}
