import type { ModelPrices } from "../model/meter.js";
import {
  requireCount,
  requireDuration,
  requireFunction,
  requireKey,
  requireOneOf,
  requireOptions,
  requirePrices,
  requireText,
  requireUrl,
} from "../model/option-checks.js";

/** Options for `createAnthropicClient`. */
export interface AnthropicClientOptions {
  /**
   * Key of the API. Never logged, and on no span and in no error.
   *
   * @default ANTHROPIC_API_KEY
   */
  readonly apiKey?: string | undefined;
  /**
   * Model, where a request names none.
   *
   * @default "claude-sonnet-5-5"
   */
  readonly model?: string | undefined;
  /**
   * Prices by model id, in US dollars for a million tokens: they make `usage.costUsd`, and with it
   * the money of a run's budget. Where a price for the cache is not given it is Anthropic's usual
   * one: a tenth of `input` for reading; 1.25 times `input` for writing, twice with `cache: "1h"`.
   * None given: no costs.
   */
  readonly prices?: Readonly<Record<string, ModelPrices>> | undefined;
  /**
   * Address of the API. http or https.
   *
   * @default ANTHROPIC_BASE_URL, else Anthropic's
   */
  readonly baseURL?: string | undefined;
  /**
   * Most tokens of one reply, where a request does not say. Integer, 1 or more.
   *
   * @default 4_096
   */
  readonly maxTokens?: number | undefined;
  /**
   * Most time for a call where a request does not say, retries and tools included. Milliseconds, 1
   * or more, or `Infinity`.
   *
   * @default 600_000
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Most requests after the first one while the API is busy (408, 429, 529 and other 5xx). Each
   * waits as `retry-after` asks; none is sent that would end after the call. Integer, 0 or more.
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
   * How long the API keeps what is the same in many calls, tools and `system`; `false` asks for no
   * caching.
   *
   * @default "5m"
   */
  readonly cache?: "5m" | "1h" | false | undefined;
  /** How much work the model puts into a reply. None given: the API's own default. */
  readonly effort?: "low" | "medium" | "high" | "xhigh" | "max" | undefined;
  /** Asked before each exchange: what it gives is `gen_ai.conversation.id` on the model's span. */
  readonly conversationId?: (() => string | undefined) | undefined;
}

/** The defaults named in {@link AnthropicClientOptions} that no environment variable gives. */
export const anthropicDefaults = {
  model: "claude-sonnet-5-5",
  maxTokens: 4_096,
  timeoutMs: 600_000,
  maxRetries: 2,
  maxReplyBytes: 33_554_432,
  cache: "5m",
} as const satisfies AnthropicClientOptions;

/** {@link AnthropicClientOptions}, checked, with defaults. */
export interface AnthropicSettings {
  readonly apiKey: string;
  readonly model: string;
  readonly prices: Readonly<Record<string, ModelPrices>>;
  readonly baseURL: string | undefined;
  readonly maxTokens: number;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly maxReplyBytes: number;
  readonly cache: "5m" | "1h" | false;
  readonly effort: AnthropicClientOptions["effort"];
  readonly conversationId: (() => string | undefined) | undefined;
}

const keys: readonly string[] = [
  "apiKey",
  "model",
  "prices",
  "baseURL",
  "maxTokens",
  "timeoutMs",
  "maxRetries",
  "maxReplyBytes",
  "cache",
  "effort",
  "conversationId",
] satisfies readonly (keyof AnthropicClientOptions)[];

/** @throws TypeError or RangeError that names the key, and no secret. */
export function checkAnthropicOptions(options: unknown): AnthropicSettings {
  const checked = requireOptions(options, keys);
  requireKey("apiKey", checked.apiKey);
  requireText("model", checked.model);
  requirePrices(checked.prices);
  requireUrl("baseURL", checked.baseURL);
  requireCount("maxTokens", checked.maxTokens, 1);
  requireDuration("timeoutMs", checked.timeoutMs);
  requireCount("maxRetries", checked.maxRetries, 0);
  requireCount("maxReplyBytes", checked.maxReplyBytes, 1_024);
  requireOneOf("cache", checked.cache, ["5m", "1h", false]);
  requireOneOf("effort", checked.effort, ["low", "medium", "high", "xhigh", "max"]);
  requireFunction("conversationId", checked.conversationId);
  const given = checked as AnthropicClientOptions; // every key was checked above
  const apiKey = given.apiKey ?? process.env.ANTHROPIC_API_KEY;
  if (apiKey === undefined || apiKey === "") {
    throw new TypeError("apiKey: none given, and ANTHROPIC_API_KEY is not set.");
  }
  requireKey("ANTHROPIC_API_KEY", apiKey);
  const cache = given.cache ?? anthropicDefaults.cache;
  return {
    apiKey,
    model: given.model ?? anthropicDefaults.model,
    prices: withCachePrices(given.prices ?? {}, cache === "1h" ? 2 : 1.25),
    baseURL: given.baseURL,
    maxTokens: given.maxTokens ?? anthropicDefaults.maxTokens,
    timeoutMs: given.timeoutMs ?? anthropicDefaults.timeoutMs,
    maxRetries: given.maxRetries ?? anthropicDefaults.maxRetries,
    maxReplyBytes: given.maxReplyBytes ?? anthropicDefaults.maxReplyBytes,
    cache,
    effort: given.effort,
    conversationId: given.conversationId,
  };
}

function withCachePrices(
  prices: Readonly<Record<string, ModelPrices>>,
  writeFactor: number,
): Readonly<Record<string, ModelPrices>> {
  return Object.fromEntries(
    Object.entries(prices).map(([model, price]) => [
      model,
      {
        input: price.input,
        output: price.output,
        cacheRead: price.cacheRead ?? price.input / 10,
        cacheWrite: price.cacheWrite ?? price.input * writeFactor,
      },
    ]),
  );
}
