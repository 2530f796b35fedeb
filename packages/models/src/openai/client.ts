import type { AIClient } from "@constellation/core";
import { createPortClient } from "../model/client.js";
import { checkOpenAICompatibleOptions, type OpenAICompatibleClientOptions } from "./options.js";
import { createChatPort } from "./port.js";

/**
 * Creates a model client for a server with OpenAI's chat completions, such as vLLM, Ollama, llama.cpp
 * or LiteLLM. It sends nothing before its first call, and needs no closing.
 *
 * @throws TypeError or RangeError at once for a wrong option.
 *
 * @example
 * ```ts
 * const ai = createOpenAICompatibleClient({ baseURL: "http://localhost:11434/v1", model: "qwen3" });
 * const router = createRouter({ ai });
 * ```
 */
export function createOpenAICompatibleClient(options: OpenAICompatibleClientOptions): AIClient {
  const settings = checkOpenAICompatibleOptions(options);
  return createPortClient(createChatPort(settings), settings);
}
