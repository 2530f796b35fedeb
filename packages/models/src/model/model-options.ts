import { optionField, withoutUndefined } from "@constellation/authoring";
import { z } from "zod";
import type { PriceList } from "./listed-prices.js";
import type { ModelPrices } from "./meter.js";

/** Options that the clients of all services have. */
export interface ModelOptions {
  /**
   * Prices by model id, in US dollars per million tokens. `usage.costUsd` is calculated from them and
   * counts against a run's budget. For other models the prices of `@pydantic/genai-prices` apply, a dependency of
   * this package. The cost of a model without any price is not reported.
   */
  readonly prices?: Readonly<Record<string, ModelPrices>> | undefined;
  /**
   * Maximum number of tokens of one reply, which a request may lower. Integer, 1 or more. Default: the
   * request's maximum, or 4,096 where the request has none.
   */
  readonly maxTokens?: number | undefined;
  /**
   * The model's context window: maximum number of tokens of a request and its reply together. Integer,
   * 256 or more. A request that leaves no room for a reply is not sent and fails with
   * `AI_UNAVAILABLE`; a reply is limited to the remaining room. Default: the service decides.
   */
  readonly contextTokens?: number | undefined;
  /**
   * Maximum time for a call, including retries and tools, unless the request sets its own.
   * Milliseconds, 1 or more, or `Infinity`.
   *
   * @default 600_000
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Maximum number of retries while the service is busy (408, 429, 529 and other 5xx). Each retry waits
   * as long as `retry-after` asks; one that would be too late for the call is not sent. Integer, 0 or
   * more.
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
   * Models to try, in this order, when a model is rate limited or unknown, or its service fails, breaks
   * off or sends a broken reply. They are not tried after a rejected key or request, when time or budget
   * is spent, or once text was streamed.
   *
   * @default []
   */
  readonly fallbackModels?: readonly string[] | undefined;
  /** A cheaper, faster model for requests with `task: "small"` that do not name a model. */
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

/** Options with those that have a default: they are there. */
export type WithDefaults<Options, Defaults> = Omit<Options, keyof Defaults> & {
  readonly [Key in keyof Defaults & keyof Options]-?: NonNullable<Options[Key]>;
};

/** {@link ModelOptions} with defaults. */
export interface ModelSettings extends WithDefaults<ModelOptions, typeof modelDefaults> {
  readonly model: string;
  /** Where the prices of other models are looked up; `undefined`: they are not known. */
  readonly priceList?: PriceList | undefined;
  readonly contextTokens: number;
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
    // zod's numbers are finite. A time this long is not a limit either.
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
export function createModelSettings(options: ModelOptions, model: string): ModelSettings {
  const contextTokens = Number.POSITIVE_INFINITY;
  return { ...modelDefaults, contextTokens, ...withoutUndefined(options), model };
}
