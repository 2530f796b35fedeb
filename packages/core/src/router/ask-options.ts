import {
  aiOption,
  budgetOption,
  checkOptions,
  signalOption,
  userOption,
  wrong,
} from "../contract/option-checks.js";
import type { OptionTable } from "../contract/option-table.js";
import { callerOption } from "../contract/remote-call.js";
import { isTraceContext } from "../contract/trace-context.js";
import type { RunOptions } from "./run/run-options.js";

/** Options of one `ask`. */
export interface AskOptions extends RunOptions {
  /** Id of the librarian to ask. None given: the router's `entry`, else the only one registered. */
  readonly to?: string | undefined;
  /**
   * Whether `ask` resolves as soon as the run is in the journal, with its id in `metadata.background`. The run continues, in
   * this process or another one: read it from the journal. Needs a `journal`.
   *
   * @default false
   */
  readonly background?: boolean | undefined;
}

/** The options of {@link AskOptions}. */
export const askTable = {
  to: { kind: "text" },
  background: { kind: "flag", default: false },
  signal: signalOption,
  timeoutMs: { kind: "duration" },
  user: userOption,
  metadata: { kind: "object" },
  observed: { kind: "flag", default: false },
  trace: {
    kind: "checked",
    check(at: string, value: unknown) {
      if (isTraceContext(value)) return value;
      const expected = "traceId (32 hex digits) and spanId (16 hex digits)";
      throw new TypeError(wrong(at, expected, value));
    },
  },
  caller: callerOption,
  idempotencyKey: {
    kind: "text",
    form: { pattern: /^.{1,200}$/su, expected: "1 to 200 characters" },
  },
  ai: aiOption,
  merge: { kind: "merge" },
  budget: budgetOption,
} as const satisfies OptionTable<AskOptions>;

/** @throws TypeError or RangeError that names the key and the value. */
export function checkAskOptions(options: unknown): AskOptions {
  return checkOptions<AskOptions>("options", options, askTable);
}
