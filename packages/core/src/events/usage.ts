import type { AIUsage } from "../contract/ai-client.js";
import { isRecord, withoutUndefined } from "../contract/unknown-value.js";

/** The use of models by a hop or a run. `costUsd` is absent where the price of one of its calls is not known. */
export interface UsageRecord extends AIUsage {
  /** Number of calls, failed ones included. */
  readonly modelCalls: number;
}

/**
 * Traffic between a client and its service in one call, in bytes of UTF-8. 0 or more.
 *
 * @beta
 */
export interface CallSize {
  readonly readBytes: number;
  readonly writtenBytes: number;
}

/** Maximum number of tokens that one call can have used, and that a service may report. */
const maxTokens = 1_000_000_000;

/** Maximum number of bytes in one token: no tokenizer makes longer ones. */
const maxBytesPerToken = 64;

/**
 * Reads the usage that a service reports. Tokens that are missing, that are not an amount, or that are
 * too few or too many for what was read and written, are estimated at one for three bytes.
 *
 * @param reported - May be anything.
 * @returns Amounts of 0 or more, with `estimated: true` where a number of tokens is an estimate. A cost
 *   that is not an amount is left out.
 *
 * @beta
 */
export function checkUsage(reported: unknown, { readBytes, writtenBytes }: CallSize): AIUsage {
  const given = isRecord(reported) ? reported : {};
  const inputTokens = plausible(given.inputTokens, readBytes);
  const outputTokens = plausible(given.outputTokens, writtenBytes);
  const isEstimated =
    inputTokens === undefined || outputTokens === undefined || given.estimated === true;
  return {
    ...optionalAmounts(given),
    inputTokens: inputTokens ?? Math.ceil(readBytes / 3),
    outputTokens: outputTokens ?? Math.ceil(writtenBytes / 3),
    ...(isEstimated && { estimated: true }),
  };
}

function plausible(reported: unknown, bytes: number): number | undefined {
  const tokens = amount(reported);
  if (tokens === undefined || tokens > maxTokens) return undefined;
  return tokens * maxBytesPerToken < bytes ? undefined : tokens;
}

/**
 * Adds one call.
 *
 * @param usage - As the client reported it: may be anything. `undefined`: nothing was charged.
 */
export function addCall(sum: UsageRecord | undefined, usage: AIUsage | undefined): UsageRecord {
  return addUsage(sum, { ...readUsage(usage), modelCalls: 1 });
}

/**
 * Adds usage from elsewhere. The total cost is unknown where one of the costs is.
 *
 * @beta
 */
export function addUsage(sum: UsageRecord | undefined, added: UsageRecord): UsageRecord {
  if (sum === undefined) return added;
  return { ...sumUsage(sum, added), modelCalls: sum.modelCalls + added.modelCalls };
}

/**
 * The sum of two usages. The total cost is unknown where one of the costs is.
 *
 * @beta
 */
export function sumUsage(one: AIUsage, other: AIUsage): AIUsage {
  const isPriced = one.costUsd !== undefined && other.costUsd !== undefined;
  return withoutUndefined({
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    cacheReadTokens: plus(one.cacheReadTokens, other.cacheReadTokens),
    cacheWriteTokens: plus(one.cacheWriteTokens, other.cacheWriteTokens),
    costUsd: isPriced ? plus(one.costUsd, other.costUsd) : undefined,
    retries: plus(one.retries, other.retries),
    estimated: one.estimated ?? other.estimated,
  });
}

/** The usage that a client reports, without what is not an amount. */
export function readUsage(reported: AIUsage | undefined): AIUsage {
  if (reported === undefined) return { inputTokens: 0, outputTokens: 0, costUsd: 0 };
  const { inputTokens, outputTokens, estimated } = reported;
  return {
    ...optionalAmounts(reported),
    inputTokens: amount(inputTokens) ?? 0,
    outputTokens: amount(outputTokens) ?? 0,
    ...(estimated === true && { estimated }),
  };
}

function optionalAmounts(
  reported: {
    readonly [Key in keyof AIUsage]?: unknown;
  },
): Partial<AIUsage> {
  return withoutUndefined({
    cacheReadTokens: amount(reported.cacheReadTokens),
    cacheWriteTokens: amount(reported.cacheWriteTokens),
    costUsd: amount(reported.costUsd),
    retries: amount(reported.retries),
  });
}

/** Whether what a client reports is a number of 0 or more, and not infinite. */
export function isAmount(reported: unknown): reported is number {
  return typeof reported === "number" && reported >= 0 && reported < Number.POSITIVE_INFINITY;
}

function amount(reported: unknown): number | undefined {
  return isAmount(reported) ? reported : undefined;
}

function plus(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined ? other : one + (other ?? 0);
}

/** What was used between two sums; estimated where the later sum is. `undefined` where nothing was. */
export function usageSince(
  before: UsageRecord | undefined,
  after: UsageRecord | undefined,
): UsageRecord | undefined {
  if (after === undefined || before === undefined) return after;
  const { inputTokens, outputTokens, costUsd, estimated, modelCalls } = after;
  if (modelCalls === before.modelCalls) return undefined;
  return {
    inputTokens: inputTokens - before.inputTokens,
    outputTokens: outputTokens - before.outputTokens,
    ...(costUsd !== undefined &&
      before.costUsd !== undefined && { costUsd: costUsd - before.costUsd }),
    ...(estimated === true && { estimated }),
    modelCalls: modelCalls - before.modelCalls,
  };
}
