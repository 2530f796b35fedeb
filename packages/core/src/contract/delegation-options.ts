import type { DelegationOptions } from "./context.js";
import { readMergeStrategy } from "./merge-strategy.js";
import {
  refuseUnknownKeys,
  requireBudget,
  requireDuration,
  requireMerge,
} from "./option-checks.js";
import { describeValue, isRecord } from "./unknown-value.js";
import { readUserLimits } from "./user-limits.js";

const keys: ReadonlySet<string> = new Set<keyof DelegationOptions>([
  "to",
  "context",
  "user",
  "timeoutMs",
  "merge",
  "budget",
]);

/**
 * Reads options of `context.ask`, each once.
 *
 * @returns A copy that cannot change any more; `context` is copied one level deep.
 * @throws TypeError or RangeError that names the key and the value.
 */
export function checkDelegationOptions(options: unknown): DelegationOptions {
  if (!isRecord(options)) {
    throw new TypeError(`options: expected an object with \`to\`, got ${describeValue(options)}.`);
  }
  refuseUnknownKeys("options", options, keys);
  const { to, context, user, timeoutMs, merge, budget } = options;
  if (typeof to !== "string" || to === "") {
    throw new TypeError(`to: expected the id of a librarian, got ${describeValue(to)}.`);
  }
  if (context !== undefined && !isRecord(context)) {
    throw new TypeError(`context: expected an object, got ${describeValue(context)}.`);
  }
  const limits = readUserLimits(user);
  if ("problem" in limits) throw new TypeError(`user${limits.problem}.`);
  requireDuration("timeoutMs", timeoutMs);
  requireMerge(merge);
  requireBudget(budget);
  return {
    to,
    context: context === undefined ? undefined : { ...context },
    user: limits.part,
    timeoutMs: timeoutMs as number | undefined, // checked above
    merge: readMergeStrategy(merge),
    budget: isRecord(budget) ? { ...budget } : undefined,
  };
}
