import type { AIClient } from "@constellation/core";
import { createModelClient } from "../model/client.js";
import { type AnthropicClientOptions, checkAnthropicOptions } from "./options.js";
import { createAnthropicPort } from "./port.js";

/**
 * Creates a model client on Anthropic's API. Nothing is loaded, and nothing sent, before its first
 * call; there is nothing to close.
 *
 * @throws TypeError or RangeError at once for a wrong option, and where there is no key.
 *
 * @example
 * ```ts
 * const router = createRouter({ ai: createAnthropicClient({ model: "claude-haiku-5-5" }) });
 * ```
 */
export function createAnthropicClient(options: AnthropicClientOptions = {}): AIClient {
  const settings = checkAnthropicOptions(options);
  return createModelClient(createAnthropicPort(settings), settings);
}
