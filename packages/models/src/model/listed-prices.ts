import type { AIPrice } from "@constellation/core";
import { calcPrice, type PriceOptions } from "@pydantic/genai-prices";
import type { TokenUsage } from "./port.js";

/** The service whose price list applies to a client, by its id or its address. */
export interface PriceList extends Pick<PriceOptions, "providerId" | "providerApiUrl"> {
  /** Whether cached parts stay for an hour, which costs more. */
  readonly isLongCache?: boolean | undefined;
}

/**
 * Calculates what an exchange costs by the listed prices, which come with the package: nothing is fetched.
 *
 * @returns US dollars; `undefined` for a model or a service that is not listed.
 */
export function findListedCost(
  { model, inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: TokenUsage,
  { isLongCache = false, ...service }: PriceList,
): number | undefined {
  const cost = calculate(
    {
      // Cached tokens are part of the tokens read.
      input_tokens: Math.max(inputTokens, (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0)),
      output_tokens: outputTokens,
      cache_read_tokens: cacheReadTokens,
      cache_write_tokens: cacheWriteTokens,
      ...(isLongCache && { cache_write_1h_tokens: cacheWriteTokens }),
    },
    model,
    service,
  );
  return cost?.total_price;
}

/** The listed price of a token, without surcharges for long prompts. @returns `undefined` where it is not listed. */
export function findListedPrice(model: string, { isLongCache: _, ...service }: PriceList) {
  const cost = calculate({ input_tokens: 1_000, output_tokens: 1_000 }, model, service);
  if (cost === undefined) return undefined;
  const price: AIPrice = {
    inputUsd: cost.input_price / 1_000,
    outputUsd: cost.output_price / 1_000,
  };
  return price;
}

function calculate(usage: Parameters<typeof calcPrice>[0], model: string, service: PriceOptions) {
  try {
    return calcPrice(usage, model, service) ?? undefined;
  } catch {
    return undefined; // an odd number of tokens has no price
  }
}
