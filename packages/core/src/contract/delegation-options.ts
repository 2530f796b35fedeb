import type { DelegationOptions } from "./context.js";
import {
  refuseUnknownKeys,
  requireBudget,
  requireDuration,
  requireMerge,
} from "./option-checks.js";
import { describeValue, isRecord } from "./unknown-value.js";

const keys: ReadonlySet<string> = new Set<keyof DelegationOptions>([
  "to",
  "context",
  "timeoutMs",
  "merge",
  "budget",
]);

/** @throws TypeError or RangeError that names the key of `context.ask` options and the value. */
export function checkDelegationOptions(options: unknown): DelegationOptions {
  if (!isRecord(options)) {
    throw new TypeError(`options: expected an object with \`to\`, got ${describeValue(options)}.`);
  }
  refuseUnknownKeys("options", options, keys);
  if (typeof options.to !== "string" || options.to === "") {
    throw new TypeError(`to: expected the id of a librarian, got ${describeValue(options.to)}.`);
  }
  if (options.context !== undefined && !isRecord(options.context)) {
    throw new TypeError(`context: expected an object, got ${describeValue(options.context)}.`);
  }
  requireDuration("timeoutMs", options.timeoutMs);
  requireMerge(options.merge);
  requireBudget(options.budget);
  return options as unknown as DelegationOptions; // every key was checked above
}
