import type { AIUsage } from "@constellation/core";
import type { TokenUsage } from "./port.js";

/** US dollars for a million tokens of one model. Each 0 or more. */
export interface ModelPrices {
  readonly input: number;
  readonly output: number;
  /** Tokens that came from a cache. */
  readonly cacheRead?: number | undefined;
  /** Tokens that were put into a cache. */
  readonly cacheWrite?: number | undefined;
}

/** Counts what the exchanges of one call used. */
export interface Meter {
  /** What all exchanges used so far. `undefined` while none was charged, or sent again. */
  readonly usage: AIUsage | undefined;
  /** Begins an exchange. @returns Takes what it has used so far, replacing the earlier count. */
  begin(requested: string): (usage: TokenUsage) => void;
  /** A request is sent again. */
  retried(): void;
}

/** @param prices - By model id. */
export function createMeter(prices: Readonly<Record<string, ModelPrices>>): Meter {
  const exchanges: AIUsage[] = [];
  let retries = 0;
  return {
    get usage() {
      const charged = exchanges.filter((each) => each !== undefined);
      if (retries === 0) return charged.length === 0 ? undefined : charged.reduce(sumOf);
      return { ...charged.reduce(sumOf, nothing), retries };
    },
    retried() {
      retries++;
    },
    begin(requested) {
      const index = exchanges.length;
      return (tokens) => {
        const { model, ...usage } = tokens;
        const price = priceOf(prices, model) ?? priceOf(prices, requested);
        const costUsd = price === undefined ? undefined : costOf(tokens, price);
        exchanges[index] = { ...usage, ...(costUsd !== undefined && { costUsd }) };
      };
    },
  };
}

/** Before anything is charged. */
const nothing: AIUsage = { inputTokens: 0, outputTokens: 0, costUsd: 0 };

function priceOf(
  prices: Readonly<Record<string, ModelPrices>>,
  model: string,
): ModelPrices | undefined {
  return Object.hasOwn(prices, model) ? prices[model] : undefined;
}

function costOf(usage: TokenUsage, prices: ModelPrices): number {
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

function sumOf(one: AIUsage, other: AIUsage): AIUsage {
  const cacheReadTokens = add(one.cacheReadTokens, other.cacheReadTokens);
  const cacheWriteTokens = add(one.cacheWriteTokens, other.cacheWriteTokens);
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    ...(cacheReadTokens !== undefined && { cacheReadTokens }),
    ...(cacheWriteTokens !== undefined && { cacheWriteTokens }),
    // A sum in which one price is unknown is unknown.
    ...(one.costUsd !== undefined &&
      other.costUsd !== undefined && { costUsd: one.costUsd + other.costUsd }),
  };
}

function add(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined ? other : one + (other ?? 0);
}
