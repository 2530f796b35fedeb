import { optionField, parseOptions } from "@constellation/authoring";
import { z } from "zod";
import type { ModelPrices } from "../model/meter.js";
import {
  createModelSettings,
  keyField,
  type ModelOptions,
  type ModelSettings,
  modelDefaults,
  modelOptionFields,
} from "../model/model-options.js";

/** Options for `createAnthropicClient`. */
export interface AnthropicClientOptions extends ModelOptions {
  /**
   * API key. It never reaches a log, a span or an error.
   *
   * @default ANTHROPIC_API_KEY
   */
  readonly apiKey?: string | undefined;
  /**
   * Model for requests that do not name one.
   *
   * @default "claude-sonnet-5-5"
   */
  readonly model?: string | undefined;
  /**
   * Prices by model id, in US dollars per million tokens. `usage.costUsd` is calculated from them and
   * counts against a run's budget. Default prices of the cache are Anthropic's usual ones: a tenth of
   * `input` for reading; 1.25 times `input` for writing, or 2 times with `cache: "1h"`. For other models the prices
   * of `@pydantic/genai-prices` apply, a dependency of this package. The cost of a model without any price is not
   * reported.
   */
  readonly prices?: Readonly<Record<string, ModelPrices>> | undefined;
  /**
   * Address of the API. http or https.
   *
   * @default ANTHROPIC_BASE_URL, else Anthropic's
   */
  readonly baseURL?: string | undefined;
  /**
   * How long the API caches the parts that many calls share: tools and `system`. `false` turns caching
   * off.
   *
   * @default "5m"
   */
  readonly cache?: "5m" | "1h" | false | undefined;
  /** How much work the model puts into a reply. Not given: the API's own default. */
  readonly effort?: "low" | "medium" | "high" | "xhigh" | "max" | undefined;
  /** Called before each exchange. Its result becomes `gen_ai.conversation.id` on the model's span. */
  readonly conversationId?: (() => string | undefined) | undefined;
}

/** The defaults named in {@link AnthropicClientOptions} that no environment variable gives. */
export const anthropicDefaults = {
  ...modelDefaults,
  model: "claude-sonnet-5-5",
  cache: "5m",
} as const satisfies AnthropicClientOptions;

/** {@link AnthropicClientOptions}, checked, with defaults. */
export interface AnthropicSettings
  extends ModelSettings,
    Pick<AnthropicClientOptions, "baseURL" | "effort" | "conversationId"> {
  readonly apiKey: string;
  readonly cache: "5m" | "1h" | false;
}

const optionsSchema: z.ZodType<AnthropicClientOptions> = z.strictObject({
  ...modelOptionFields,
  apiKey: keyField.optional(),
  model: optionField.text("the id of a model").optional(),
  baseURL: optionField.httpUrl().optional(),
  cache: z
    .union([z.literal(["5m", "1h"]), z.literal(false)], 'expected "5m", "1h" or false')
    .optional(),
  effort: optionField.oneOf(["low", "medium", "high", "xhigh", "max"]).optional(),
  conversationId: optionField.callback<() => string | undefined>().optional(),
});

const environmentSchema = z.object({ ANTHROPIC_API_KEY: keyField });

/** @throws TypeError or RangeError that names the option and holds no secret. */
export function checkAnthropicOptions(options: unknown): AnthropicSettings {
  const checked = parseOptions(optionsSchema, options, { secrets: ["apiKey"] });
  const { apiKey = keyFromEnvironment(), cache = anthropicDefaults.cache, ...rest } = checked;
  const settings = createModelSettings(rest, rest.model ?? anthropicDefaults.model);
  return {
    ...{ ...rest, ...settings, apiKey, cache },
    priceList: { providerId: "anthropic", isLongCache: cache === "1h" },
    prices: withCachePrices(settings.prices, cache === "1h" ? 2 : 1.25),
  };
}

function keyFromEnvironment(): string {
  const { ANTHROPIC_API_KEY } = process.env;
  if (!ANTHROPIC_API_KEY)
    throw new TypeError("apiKey: not given, and ANTHROPIC_API_KEY is not set.");
  const secrets = ["ANTHROPIC_API_KEY"];
  return parseOptions(environmentSchema, { ANTHROPIC_API_KEY }, { at: "environment", secrets })
    .ANTHROPIC_API_KEY;
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
