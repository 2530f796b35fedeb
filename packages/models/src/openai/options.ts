import { optionField, parseOptions, withoutUndefined } from "@constellation/authoring";
import { z } from "zod";
import {
  createModelSettings,
  keyField,
  type ModelOptions,
  type ModelSettings,
  modelDefaults,
  modelOptionFields,
  type WithDefaults,
} from "../model/model-options.js";
import { type StructuredOutput, structuredOutputs } from "../model/output-choice.js";

/** Options for `createOpenAICompatibleClient`. */
export interface OpenAICompatibleClientOptions extends ModelOptions {
  /** Address to which `/chat/completions` is added, such as `http://localhost:11434/v1`. */
  readonly baseURL: string;
  /** Model for requests that do not name one, as the server names it. */
  readonly model: string;
  /** Key, for servers that require one. It never reaches a log, a span or an error. */
  readonly apiKey?: string | undefined;
  /**
   * Name of the server's field for the maximum number of tokens.
   *
   * @default "max_tokens"
   */
  readonly maxTokensField?: "max_tokens" | "max_completion_tokens" | undefined;
  /**
   * How to request JSON that fits a schema: with the schema, as JSON of any shape, or with instructions
   * alone. If the server rejects one way, the client uses the next one from then on. The reply is
   * always checked.
   *
   * @default "json-schema"
   */
  readonly structuredOutput?: StructuredOutput | undefined;
  /**
   * Provider of the model, which is `gen_ai.provider.name` on spans.
   *
   * @default "openai"
   */
  readonly provider?: string | undefined;
  /**
   * Sends the requests, such as one through a proxy, or one that waits longer than 5 minutes for the first
   * piece of a reply. It must stop when `init.signal` aborts, and follow no redirect.
   *
   * @default the `fetch` of Node.js
   */
  readonly fetch?: typeof fetch | undefined;
}

/** The defaults named in {@link OpenAICompatibleClientOptions}. */
export const openAICompatibleDefaults = {
  ...modelDefaults,
  maxTokensField: "max_tokens",
  structuredOutput: "json-schema",
  provider: "openai",
} as const satisfies Partial<OpenAICompatibleClientOptions>;

/** {@link OpenAICompatibleClientOptions}, checked, with defaults. */
export interface OpenAICompatibleSettings
  extends Omit<ModelSettings, keyof OpenAICompatibleClientOptions>,
    WithDefaults<OpenAICompatibleClientOptions, typeof openAICompatibleDefaults> {
  readonly url: URL;
  readonly contextTokens: number;
}

const optionsSchema: z.ZodType<OpenAICompatibleClientOptions> = z.strictObject({
  ...modelOptionFields,
  baseURL: optionField.httpUrl(),
  model: optionField.text("the id of a model"),
  apiKey: keyField.optional(),
  maxTokensField: optionField.oneOf(["max_tokens", "max_completion_tokens"]).optional(),
  structuredOutput: optionField.oneOf(structuredOutputs).optional(),
  provider: optionField.text("a name").optional(),
  fetch: optionField.callback<typeof fetch>().optional(),
});

/** @throws TypeError or RangeError that names the option and holds no secret. */
export function checkOpenAICompatibleOptions(options: unknown): OpenAICompatibleSettings {
  const checked = parseOptions(optionsSchema, options, { secrets: ["apiKey"] });
  const baseURL = withoutEndSlashes(checked.baseURL);
  return {
    ...openAICompatibleDefaults,
    ...withoutUndefined(checked),
    ...createModelSettings(checked, checked.model),
    priceList: { providerApiUrl: baseURL }, // a private server has no listed prices, whatever its model is called
    baseURL,
    url: new URL(`${baseURL}/chat/completions`),
  };
}

function withoutEndSlashes(url: string): string {
  let end = url.length;
  while (url[end - 1] === "/") end--;
  return url.slice(0, end);
}
