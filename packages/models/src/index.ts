export { createAnthropicClient } from "./anthropic/client.js";
export { type AnthropicClientOptions, anthropicDefaults } from "./anthropic/options.js";
export type { ModelPrices } from "./model/meter.js";
export { createOpenAICompatibleClient } from "./openai/client.js";
export {
  type OpenAICompatibleClientOptions,
  openAICompatibleDefaults,
} from "./openai/options.js";
export { createModelClient } from "./provider/client.js";
export {
  createModelEmbedder,
  type ModelEmbedder,
  type ModelEmbedderOptions,
} from "./provider/embedder.js";
export type { ModelClientOptions } from "./provider/options.js";
export type { EmbeddingModel, LanguageModel } from "./provider/spec.js";
