import type { ModelPrices } from "../model/meter.js";
import {
  requireCount,
  requireDuration,
  requireKey,
  requireOneOf,
  requireOptions,
  requirePrices,
  requireText,
  requireUrl,
} from "../model/option-checks.js";

/** Options for `createOpenAICompatibleClient`. */
export interface OpenAICompatibleClientOptions {
  /** Address to which `/chat/completions` is added, such as `http://localhost:11434/v1`. */
  readonly baseURL: string;
  /** Model, where a request names none, as the server names it. */
  readonly model: string;
  /** Key, for servers that want one. Never logged, and on no span and in no error. */
  readonly apiKey?: string | undefined;
  /** Prices by model id, in US dollars for a million tokens. None given: no costs. */
  readonly prices?: Readonly<Record<string, ModelPrices>> | undefined;
  /**
   * Most tokens of one reply, where a request does not say. Integer, 1 or more.
   *
   * @default 4_096
   */
  readonly maxTokens?: number | undefined;
  /**
   * What the server calls that limit.
   *
   * @default "max_tokens"
   */
  readonly maxTokensField?: "max_tokens" | "max_completion_tokens" | undefined;
  /**
   * Most time for a call where a request does not say, retries and tools included. Milliseconds, 1
   * or more, or `Infinity`.
   *
   * @default 600_000
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Most requests after the first one while the server is busy (408, 429 and 5xx). Each waits as
   * `retry-after` asks; none is sent that would end after the call. Integer, 0 or more.
   *
   * @default 2
   */
  readonly maxRetries?: number | undefined;
  /**
   * Maximum size of a reply, in bytes: 1,024 or more. A larger one fails with `AI_UNAVAILABLE`.
   *
   * @default 33_554_432
   */
  readonly maxReplyBytes?: number | undefined;
  /**
   * How the server is made to keep to a schema: by it, by JSON of any shape, or by words alone. The
   * reply is checked in each case.
   *
   * @default "json-schema"
   */
  readonly structuredOutput?: "json-schema" | "json-object" | "words" | undefined;
  /**
   * Who serves the model: `gen_ai.provider.name` on spans.
   *
   * @default "openai"
   */
  readonly provider?: string | undefined;
}

/** The defaults named in {@link OpenAICompatibleClientOptions}. */
export const openAICompatibleDefaults = {
  maxTokens: 4_096,
  maxTokensField: "max_tokens",
  timeoutMs: 600_000,
  maxRetries: 2,
  maxReplyBytes: 33_554_432,
  structuredOutput: "json-schema",
  provider: "openai",
} as const satisfies Partial<OpenAICompatibleClientOptions>;

/** {@link OpenAICompatibleClientOptions}, checked, with defaults. */
export interface OpenAICompatibleSettings {
  readonly baseURL: string;
  readonly url: URL;
  readonly model: string;
  readonly apiKey: string | undefined;
  readonly prices: Readonly<Record<string, ModelPrices>>;
  readonly maxTokens: number;
  readonly maxTokensField: "max_tokens" | "max_completion_tokens";
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly maxReplyBytes: number;
  readonly structuredOutput: "json-schema" | "json-object" | "words";
  readonly provider: string;
}

const keys: readonly string[] = [
  "baseURL",
  "model",
  "apiKey",
  "prices",
  "maxTokens",
  "maxTokensField",
  "timeoutMs",
  "maxRetries",
  "maxReplyBytes",
  "structuredOutput",
  "provider",
] satisfies readonly (keyof OpenAICompatibleClientOptions)[];

/** @throws TypeError or RangeError that names the key, and no secret. */
export function checkOpenAICompatibleOptions(options: unknown): OpenAICompatibleSettings {
  const checked = requireOptions(options, keys);
  for (const key of ["baseURL", "model"]) {
    if (checked[key] === undefined) throw new TypeError(`${key}: expected text, got undefined.`);
  }
  requireUrl("baseURL", checked.baseURL);
  requireText("model", checked.model);
  requireKey("apiKey", checked.apiKey);
  requirePrices(checked.prices);
  requireCount("maxTokens", checked.maxTokens, 1);
  requireOneOf("maxTokensField", checked.maxTokensField, ["max_tokens", "max_completion_tokens"]);
  requireDuration("timeoutMs", checked.timeoutMs);
  requireCount("maxRetries", checked.maxRetries, 0);
  requireCount("maxReplyBytes", checked.maxReplyBytes, 1_024);
  requireOneOf("structuredOutput", checked.structuredOutput, [
    "json-schema",
    "json-object",
    "words",
  ]);
  requireText("provider", checked.provider);
  const { baseURL, prices = {}, ...given } = checked as unknown as OpenAICompatibleClientOptions; // checked above
  const base = baseURL.replace(/(?<!\/)\/+$/, "");
  return {
    baseURL: base,
    url: new URL(`${base}/chat/completions`),
    model: given.model,
    apiKey: given.apiKey,
    prices,
    maxTokens: given.maxTokens ?? openAICompatibleDefaults.maxTokens,
    maxTokensField: given.maxTokensField ?? openAICompatibleDefaults.maxTokensField,
    timeoutMs: given.timeoutMs ?? openAICompatibleDefaults.timeoutMs,
    maxRetries: given.maxRetries ?? openAICompatibleDefaults.maxRetries,
    maxReplyBytes: given.maxReplyBytes ?? openAICompatibleDefaults.maxReplyBytes,
    structuredOutput: given.structuredOutput ?? openAICompatibleDefaults.structuredOutput,
    provider: given.provider ?? openAICompatibleDefaults.provider,
  };
}
