import type {
  EmbeddingModelV2,
  EmbeddingModelV3,
  EmbeddingModelV4,
  LanguageModelV2,
  LanguageModelV3,
  LanguageModelV4,
} from "@ai-sdk/provider";

/** A language model as providers of the AI SDK make it, such as `openai("gpt-5")` of `@ai-sdk/openai`. */
export type LanguageModel = LanguageModelV2 | LanguageModelV3 | LanguageModelV4;

/** An embedding model as providers of the AI SDK make it. */
export type EmbeddingModel = EmbeddingModelV2<string> | EmbeddingModelV3 | EmbeddingModelV4;
