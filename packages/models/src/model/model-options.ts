import { optionField } from "@constellation/core/authoring";
import { z } from "zod";
import type { ModelPrices } from "./meter.js";

/** Options that the clients of all services have. */
export interface ModelOptions {
  /**
   * Prices by model id, in US dollars for a million tokens: they make `usage.costUsd`, and with it the
   * cost counted against a run's budget. Not given: no costs.
   */
  readonly prices?: Readonly<Record<string, ModelPrices>> | undefined;
  /**
   * Maximum number of tokens of one reply; a request may ask for fewer, and gets no more. Integer, 1 or
   * more. Not given: what a request asks for, else 4,096.
   */
  readonly maxTokens?: number | undefined;
  /**
   * Maximum number of tokens of a request and its reply together, as the model is configured. Integer,
   * 256 or more. A request that leaves no room for a reply fails with `AI_UNAVAILABLE` and is not
   * sent; a longer reply is limited to the room there is. Not given: the service decides.
   */
  readonly contextTokens?: number | undefined;
  /**
   * Maximum time for a call where a request does not give one, retries and tools included.
   * Milliseconds, 1 or more, or `Infinity`.
   *
   * @default 600_000
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Maximum number of retries while the service is busy (408, 429, 529 and other 5xx). Each waits as
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
   * Models to ask, in this order, when the one asked fails: when it is rate limited, unknown, or its
   * service fails, breaks off or sends a broken reply. Not after a refused key or request, when time or
   * the budget is spent, or once text was streamed.
   *
   * @default []
   */
  readonly fallbackModels?: readonly string[] | undefined;
  /** Model for requests with `task: "small"` that name no model: a cheaper, faster one. */
  readonly smallModel?: string | undefined;
}

/** The defaults named in {@link ModelOptions}. */
export const modelDefaults = {
  prices: {},
  timeoutMs: 600_000,
  maxRetries: 2,
  maxReplyBytes: 33_554_432,
  fallbackModels: [],
} as const satisfies ModelOptions;

/** {@link ModelOptions} with defaults. */
export interface ModelSettings {
  readonly model: string;
  readonly prices: Readonly<Record<string, ModelPrices>>;
  /** `undefined`: what a request asks for. */
  readonly maxTokens: number | undefined;
  readonly contextTokens: number;
  /** Milliseconds, or `Infinity`. */
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly maxReplyBytes: number;
  readonly fallbackModels: readonly string[];
  readonly smallModel: string | undefined;
}

const price = optionField.number(0, Number.MAX_VALUE);

/** The fields of {@link ModelOptions}. */
export const modelOptionFields = {
  prices: z
    .record(
      z.string(),
      z.strictObject({
        input: price,
        output: price,
        cacheRead: price.optional(),
        cacheWrite: price.optional(),
      }),
      "expected an object",
    )
    .optional(),
  maxTokens: optionField.integer(1).optional(),
  contextTokens: optionField.integer(256).optional(),
  timeoutMs: z
    // zod's numbers are finite; so long a time is not a limit either.
    .preprocess(
      (value) => (value === Number.POSITIVE_INFINITY ? Number.MAX_VALUE : value),
      optionField.number(1, Number.MAX_VALUE),
    )
    .optional(),
  maxRetries: optionField.integer(0).optional(),
  maxReplyBytes: optionField.integer(1_024).optional(),
  fallbackModels: optionField.list(optionField.text("the id of a model")).optional(),
  smallModel: optionField.text("the id of a model").optional(),
} as const satisfies Record<keyof ModelOptions, z.ZodType>;

/** A key that can be sent in a header. Never shown. */
export const keyField = optionField.matching(/^[\x21-\x7e]+$/, "a key without spaces");

/** @param options - Checked. */
export function modelSettingsOf(options: ModelOptions, model: string): ModelSettings {
  return {
    model,
    prices: options.prices ?? modelDefaults.prices,
    maxTokens: options.maxTokens,
    contextTokens: options.contextTokens ?? Number.POSITIVE_INFINITY,
    timeoutMs: options.timeoutMs ?? modelDefaults.timeoutMs,
    maxRetries: options.maxRetries ?? modelDefaults.maxRetries,
    maxReplyBytes: options.maxReplyBytes ?? modelDefaults.maxReplyBytes,
    fallbackModels: options.fallbackModels ?? modelDefaults.fallbackModels,
    smallModel: options.smallModel,
  };
}
