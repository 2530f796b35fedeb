import type { AIClient } from "./ai-client.js";
import { withoutUndefined } from "./without-undefined.js";

/** A client of the same model, whose calls are others. */
export function withCalls(
  client: AIClient,
  calls: Pick<AIClient, "complete" | "analyze" | "runTools">,
): AIClient {
  const { model, contextTokens, maxTokens } = client;
  return {
    ...calls,
    ...withoutUndefined({ model, contextTokens, maxTokens }),
    ...(client.findPrice !== undefined && { findPrice: (id) => client.findPrice?.(id) }),
  };
}
