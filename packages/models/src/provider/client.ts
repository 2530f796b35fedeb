import type { AIClient } from "@constellation/core";
import { createPortClient } from "../model/client.js";
import { checkProviderOptions, type ModelClientOptions } from "./options.js";
import { createProviderPort } from "./port.js";
import type { LanguageModel } from "./spec.js";

/**
 * Creates a model client from a language model of the AI SDK, of any of its providers. It sends nothing before its first
 * call, and needs no closing.
 *
 * @throws TypeError or RangeError at once for a value that is not a model, or a wrong option.
 *
 * @example
 * ```ts
 * const router = createRouter({ ai: createModelClient(openai("gpt-5")) });
 * ```
 */
export function createModelClient(
  model: LanguageModel,
  options: ModelClientOptions = {},
): AIClient {
  const settings = checkProviderOptions(model, options);
  return createPortClient(createProviderPort(settings), settings);
}
