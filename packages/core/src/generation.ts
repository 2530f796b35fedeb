export { generateChecked } from "./generation/generate-checked.js";
export type {
  CheckedReply,
  Generated,
  GenerateOptions,
  GenerationFailure,
} from "./generation/generate-options.js";
export { readJsonReply } from "./generation/read-json-reply.js";
export { neutralizeTemplateTokens } from "./generation/template-tokens.js";
