import type { AIClient } from "../contract/ai-client.js";
import type { Budget } from "../contract/budget.js";
import type { MergeStrategy } from "../contract/merge-strategy.js";
import {
  refuseUnknownKeys,
  requireAi,
  requireBudget,
  requireDuration,
  requireMerge,
  requireSignal,
  requireText,
} from "../contract/option-checks.js";
import { isTraceContext, type TraceContext } from "../contract/trace-context.js";
import { describeValue, isRecord } from "../contract/unknown-value.js";
import type { User } from "../contract/user.js";

/** What one `ask` may say. */
export interface AskOptions {
  /** Id of the librarian to ask. None given: the router's `entry`, else the only one registered. */
  readonly to?: string | undefined;
  /** Cancels the run, everywhere and at once. */
  readonly signal?: AbortSignal | undefined;
  /** Time for the run, in milliseconds, instead of the router's: 1 to 2147483647, or `Infinity`. */
  readonly timeoutMs?: number | undefined;
  /** Who is asking; goes to every librarian. Copied, with its lists. */
  readonly user?: User | undefined;
  /** Data for the librarians. Copied, one level deep. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** Parent of the run's span; the active span where not given. */
  readonly trace?: TraceContext | undefined;
  /** Model for `context.ai`, instead of the router's. */
  readonly ai?: AIClient | undefined;
  /** Merge strategy for responses that name none, instead of the router's. */
  readonly merge?: MergeStrategy | undefined;
  /** Most that the run may spend on models, instead of the router's. */
  readonly budget?: Budget | undefined;
}

const askKeys: ReadonlySet<string> = new Set<keyof AskOptions>([
  "to",
  "signal",
  "timeoutMs",
  "user",
  "metadata",
  "trace",
  "ai",
  "merge",
  "budget",
]);

/** @throws TypeError or RangeError that names the key and the value. */
export function checkAskOptions(options: unknown): AskOptions {
  if (!isRecord(options)) {
    throw new TypeError(`options: expected an object, got ${describeValue(options)}.`);
  }
  refuseUnknownKeys("options", options, askKeys);
  requireText("to", options.to);
  const { signal, user, metadata, trace } = options;
  requireSignal(signal);
  requireDuration("timeoutMs", options.timeoutMs);
  if (user !== undefined && !(isRecord(user) && typeof user.id === "string" && user.id !== "")) {
    throw new TypeError(`user: expected an object with an id, got ${describeValue(user)}.`);
  }
  if (metadata !== undefined && !isRecord(metadata)) {
    throw new TypeError(`metadata: expected an object, got ${describeValue(metadata)}.`);
  }
  if (trace !== undefined && !isTraceContext(trace)) {
    throw new TypeError(
      `trace: expected traceId (32 hex digits) and spanId (16 hex digits), got ${describeValue(trace)}.`,
    );
  }
  requireAi(options.ai);
  requireMerge(options.merge);
  requireBudget(options.budget);
  return options as AskOptions; // every key was checked above
}
