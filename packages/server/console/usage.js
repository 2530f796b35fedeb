/** @typedef {import("@constellation/core").UsageRecord} UsageRecord */
/** @typedef {import("@constellation/core").AIUsage} AIUsage */

/** What a call that was not charged used. */
const nothing = { inputTokens: 0, outputTokens: 0, costUsd: 0 };

/**
 * Adds a call of a model to what was used before, as records do.
 *
 * @param {UsageRecord | undefined} sum
 * @param {AIUsage} [usage]
 * @returns {UsageRecord}
 */
export function addCall(sum, usage = nothing) {
  if (sum === undefined) return { ...usage, modelCalls: 1 };
  const cacheReadTokens = plus(sum.cacheReadTokens, usage.cacheReadTokens);
  const cacheWriteTokens = plus(sum.cacheWriteTokens, usage.cacheWriteTokens);
  const retries = plus(sum.retries, usage.retries);
  return {
    inputTokens: sum.inputTokens + usage.inputTokens,
    outputTokens: sum.outputTokens + usage.outputTokens,
    ...(cacheReadTokens !== undefined && { cacheReadTokens }),
    ...(cacheWriteTokens !== undefined && { cacheWriteTokens }),
    ...(sum.costUsd !== undefined &&
      usage.costUsd !== undefined && { costUsd: sum.costUsd + usage.costUsd }),
    ...(retries !== undefined && { retries }),
    ...((sum.estimated ?? usage.estimated) && { estimated: /** @type {const} */ (true) }),
    modelCalls: sum.modelCalls + 1,
  };
}

/**
 * @param {number | undefined} one
 * @param {number | undefined} other
 */
function plus(one, other) {
  return one === undefined ? other : one + (other ?? 0);
}
