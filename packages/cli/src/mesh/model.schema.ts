import { z } from "zod";
import { count, dollars, duration, text } from "./schema-fields.js";

const prices = z
  .record(
    z.string(),
    z.strictObject({
      input: dollars(),
      output: dollars(),
      cacheRead: dollars().optional(),
      cacheWrite: dollars().optional(),
    }),
    "expected prices by model id",
  )
  .meta({ description: "US dollars for a million tokens, by model id." });

const modelShape = {
  maxTokens: count(1, "Maximum number of tokens of one reply.").optional(),
  timeoutMs: duration("Maximum duration of one call, in milliseconds.").optional(),
  maxRetries: count(0, "Maximum number of retries.").optional(),
  maxReplyBytes: count(1_024, "Maximum size of a reply, in bytes.").optional(),
  contextTokens: count(
    256,
    "Maximum number of tokens of a request and its reply together.",
  ).optional(),
  fallbackModels: z
    .array(text("the id of a model"), "expected an array of model ids")
    .meta({ description: "Models to ask when the one asked fails, in this order." })
    .optional(),
  smallModel: text("the id of a model", "Cheaper model for small tasks.").optional(),
  prices: prices.optional(),
};

const anthropicModel = z.strictObject({
  provider: z.literal("anthropic"),
  model: text("the id of a model", "Model id.").optional(),
  baseURL: text("a URL", "Address of the API.").optional(),
  cache: z
    .union([z.literal("5m"), z.literal("1h"), z.literal(false)], 'expected "5m", "1h" or false')
    .meta({ description: "How long the API caches shared prompts." })
    .optional(),
  effort: z
    .enum(["low", "medium", "high", "xhigh", "max"], "expected low, medium, high, xhigh or max")
    .meta({ description: "Effort of the model for a reply." })
    .optional(),
  ...modelShape,
});

const openAICompatibleModel = z.strictObject({
  provider: z.literal("openai-compatible"),
  baseURL: text("a URL", "Address to which `/chat/completions` is added."),
  model: text("the id of a model", "Model id, as the server names it."),
  apiKeyEnv: text("the name of an environment variable")
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "expected the name of an environment variable")
    .meta({ description: "Name of the environment variable that holds the key." })
    .optional(),
  maxTokensField: z
    .enum(["max_tokens", "max_completion_tokens"], "expected max_tokens or max_completion_tokens")
    .meta({ description: "Name of the field that limits a reply." })
    .optional(),
  structuredOutput: z
    .enum(["json-schema", "json-object", "words"], "expected json-schema, json-object or words")
    .meta({ description: "How the server is made to follow a schema." })
    .optional(),
  ...modelShape,
});

/** The model of a mesh file. */
export const modelSchema = z.discriminatedUnion(
  "provider",
  [anthropicModel, openAICompatibleModel],
  {
    error: "expected provider: anthropic or openai-compatible",
  },
);
