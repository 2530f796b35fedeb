export { createAnthropicClient } from "./anthropic/client.js";
export { type AnthropicClientOptions, anthropicDefaults } from "./anthropic/options.js";
export type { ModelPrices } from "./model/meter.js";
export { createOpenAICompatibleClient } from "./openai/client.js";
export {
  type OpenAICompatibleClientOptions,
  openAICompatibleDefaults,
} from "./openai/options.js";
