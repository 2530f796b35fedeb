export { createAnthropicClient } from "./anthropic/client.js";
export { type AnthropicClientOptions, anthropicDefaults } from "./anthropic/options.js";
export type { ModelPrices } from "./model/meter.js";
