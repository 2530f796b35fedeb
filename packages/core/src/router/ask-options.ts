import {
  refuseUnknownKeys,
  requireAi,
  requireBudget,
  requireDuration,
  requireMerge,
  requireSignal,
  requireText,
} from "../contract/option-checks.js";
import { requireRemoteCaller } from "../contract/remote-call.js";
import { isTraceContext } from "../contract/trace-context.js";
import { describeValue, isRecord } from "../contract/unknown-value.js";
import { requireUser } from "./list-options.js";
import type { RunOptions } from "./run/run-options.js";

/** Options of one `ask`. */
export interface AskOptions extends RunOptions {
  /** Id of the librarian to ask. None given: the router's `entry`, else the only one registered. */
  readonly to?: string | undefined;
}

const askKeys: ReadonlySet<string> = new Set<keyof AskOptions>([
  "to",
  "signal",
  "timeoutMs",
  "user",
  "metadata",
  "trace",
  "caller",
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
  requireUser(user);
  if (metadata !== undefined && !isRecord(metadata)) {
    throw new TypeError(`metadata: expected an object, got ${describeValue(metadata)}.`);
  }
  if (trace !== undefined && !isTraceContext(trace)) {
    throw new TypeError(
      `trace: expected traceId (32 hex digits) and spanId (16 hex digits), got ${describeValue(trace)}.`,
    );
  }
  requireRemoteCaller(options.caller);
  requireAi(options.ai);
  requireMerge(options.merge);
  requireBudget(options.budget);
  return options as AskOptions; // every key was checked above
}
