import type { AIClient } from "@constellation/core";
import { createPortClient } from "../model/client.js";
import { type AnthropicClientOptions, checkAnthropicOptions } from "./options.js";
import { createAnthropicPort } from "./port.js";

/**
 * Creates a model client for Anthropic's API. It loads and sends nothing before its first call, and
 * needs no closing.
 *
 * @throws TypeError or RangeError at once for a wrong option or a missing key.
 *
 * @example
 * ```ts
 * const router = createRouter({ ai: createAnthropicClient({ model: "claude-haiku-5-5" }) });
 * ```
 */
export function createAnthropicClient(options: AnthropicClientOptions = {}): AIClient {
  const settings = checkAnthropicOptions(options);
  return createPortClient(createAnthropicPort(settings), settings);
}
