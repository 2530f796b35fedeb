import type { AIUsage } from "@constellation/core";
import { sumUsage } from "@constellation/core/checks";
import { findListedCost, type PriceList } from "./listed-prices.js";
import type { TokenUsage } from "./port.js";

/** Prices of one model in US dollars per million tokens, each 0 or more. */
export interface ModelPrices {
  readonly input: number;
  readonly output: number;
  /** Tokens that came from a cache. */
  readonly cacheRead?: number | undefined;
  /** Tokens that were put into a cache. */
  readonly cacheWrite?: number | undefined;
}

/** Counts the usage of the exchanges of one call. */
export interface Meter {
  /** Usage of all exchanges so far. `undefined` until one was charged or sent again. */
  readonly usage: AIUsage | undefined;
  /** Usage of a stopped call: the request of an exchange that was not charged yet counts as read. */
  readonly usageWhenStopped: AIUsage | undefined;
  /**
   * Begins an exchange.
   *
   * @param reads - Estimated usage of its request alone.
   * @returns A function that records the exchange's usage so far and replaces the earlier count.
   */
  begin(requested: string, reads: TokenUsage): (usage: TokenUsage) => void;
  /** Records that a request is sent again. */
  retried(): void;
}

/**
 * @param prices - By model id; before those that are listed.
 * @param list - The price list for other models.
 */
export function createMeter(
  prices: Readonly<Record<string, ModelPrices>>,
  list?: PriceList,
): Meter {
  const exchanges: { readonly reads: AIUsage; charged: AIUsage | undefined }[] = [];
  let retries = 0;

  function sum(charged: readonly AIUsage[]): AIUsage | undefined {
    if (retries === 0) return charged.length === 0 ? undefined : charged.reduce(sumUsage);
    return { ...charged.reduce(sumUsage, nothing), retries };
  }

  function withCost({ model, ...usage }: TokenUsage, requested: string): AIUsage {
    const price = findPrices(prices, model) ?? findPrices(prices, requested);
    const costUsd =
      price === undefined
        ? list && (listed(model) ?? listed(requested))
        : calculateCost({ model, ...usage }, price);
    return { ...usage, ...(costUsd !== undefined && { costUsd }) };

    function listed(named: string): number | undefined {
      return list && findListedCost({ ...usage, model: named }, list);
    }
  }

  return {
    get usage() {
      return sum(exchanges.flatMap(({ charged }) => charged ?? []));
    },
    get usageWhenStopped() {
      return sum(exchanges.map(({ charged, reads }) => charged ?? reads));
    },
    retried() {
      retries++;
    },
    begin(requested, reads) {
      const exchange: (typeof exchanges)[number] = {
        reads: withCost(reads, requested),
        charged: undefined,
      };
      exchanges.push(exchange);
      return (used) => {
        exchange.charged = withCost(used, requested);
      };
    },
  };
}

/** Before anything is charged. */
const nothing: AIUsage = { inputTokens: 0, outputTokens: 0, costUsd: 0 };

function findPrices(
  prices: Readonly<Record<string, ModelPrices>>,
  model: string,
): ModelPrices | undefined {
  return Object.hasOwn(prices, model) ? prices[model] : undefined;
}

function calculateCost(usage: TokenUsage, prices: ModelPrices): number {
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage;
  const { input, output, cacheRead = input, cacheWrite = input } = prices;
  const fresh = Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens);
  const millionths =
    fresh * input +
    cacheReadTokens * cacheRead +
    cacheWriteTokens * cacheWrite +
    outputTokens * output;
  return millionths / 1e6;
}
