import type { AIUsage } from "../contract/ai-client.js";

/** What a hop or a run used of models. `costUsd` is absent where the price of one of its calls is not known. */
export interface UsageRecord extends AIUsage {
  /** Number of calls, failed ones included. */
  readonly modelCalls: number;
}

/**
 * Adds one call.
 *
 * @param usage - As the client reported it: may be anything. `undefined`: nothing was charged.
 */
export function addCall(sum: UsageRecord | undefined, usage: AIUsage | undefined): UsageRecord {
  const call = usageOf(usage);
  if (sum === undefined) return { ...call, modelCalls: 1 };
  const cacheReadTokens = plus(sum.cacheReadTokens, call.cacheReadTokens);
  const cacheWriteTokens = plus(sum.cacheWriteTokens, call.cacheWriteTokens);
  const retries = plus(sum.retries, call.retries);
  return {
    inputTokens: sum.inputTokens + call.inputTokens,
    outputTokens: sum.outputTokens + call.outputTokens,
    ...(cacheReadTokens !== undefined && { cacheReadTokens }),
    ...(cacheWriteTokens !== undefined && { cacheWriteTokens }),
    ...(sum.costUsd !== undefined &&
      call.costUsd !== undefined && { costUsd: sum.costUsd + call.costUsd }),
    ...(retries !== undefined && { retries }),
    modelCalls: sum.modelCalls + 1,
  };
}

/** The usage that a client reports, without what is not an amount. */
export function usageOf(reported: AIUsage | undefined): AIUsage {
  if (reported === undefined) return { inputTokens: 0, outputTokens: 0, costUsd: 0 };
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, costUsd, retries } =
    reported;
  return {
    inputTokens: amount(inputTokens) ?? 0,
    outputTokens: amount(outputTokens) ?? 0,
    ...(amount(cacheReadTokens) !== undefined && { cacheReadTokens }),
    ...(amount(cacheWriteTokens) !== undefined && { cacheWriteTokens }),
    ...(amount(costUsd) !== undefined && { costUsd }),
    ...(amount(retries) !== undefined && { retries }),
  };
}

/** Prints tokens and cost: `1,204 tokens, $0.0031`. Empty where no model was called. */
export function printUsage(usage: UsageRecord | undefined): string {
  if (usage === undefined || usage.modelCalls === 0) return "";
  const tokens = usage.inputTokens + usage.outputTokens;
  const cost = usage.costUsd === undefined ? "" : `, ${printCost(usage.costUsd)}`;
  return `${tokens.toLocaleString("en")} ${tokens === 1 ? "token" : "tokens"}${cost}`;
}

/** Two decimals from a dollar on, below it what is left of four. */
function printCost(usd: number): string {
  if (usd > 0 && usd < 0.0001) return "< $0.0001";
  return `$${usd >= 1 || usd === 0 ? usd.toFixed(2) : usd.toFixed(4)}`;
}

function amount(reported: unknown): number | undefined {
  return typeof reported === "number" && reported >= 0 && reported < Number.POSITIVE_INFINITY
    ? reported
    : undefined;
}

function plus(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined ? other : one + (other ?? 0);
}

/** What was used between two sums. `undefined` where nothing was. */
export function usageSince(
  before: UsageRecord | undefined,
  after: UsageRecord | undefined,
): UsageRecord | undefined {
  if (after === undefined || before === undefined) return after;
  const { inputTokens, outputTokens, costUsd, modelCalls } = after;
  if (modelCalls === before.modelCalls) return undefined;
  return {
    inputTokens: inputTokens - before.inputTokens,
    outputTokens: outputTokens - before.outputTokens,
    ...(costUsd !== undefined &&
      before.costUsd !== undefined && { costUsd: costUsd - before.costUsd }),
    modelCalls: modelCalls - before.modelCalls,
  };
}
