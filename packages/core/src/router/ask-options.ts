import type { AIClient, Budget } from "../contract/ai-client.js";
import {
  aiOption,
  budgetOption,
  checkOptions,
  signalOption,
  userOption,
  wrong,
} from "../contract/option-checks.js";
import type { OptionTable } from "../contract/option-table.js";
import { callerOption, type RemoteCaller } from "../contract/remote-call.js";
import type { MergeStrategy } from "../contract/response.js";
import { isTraceContext, type TraceContext } from "../contract/trace-context.js";
import type { User } from "../contract/user.js";

/** Options of one `ask`. */
export interface AskOptions {
  /** Id of the librarian to ask. None given: the router's `entry`, else the only one registered. */
  readonly to?: string | undefined;
  /**
   * Whether `ask` resolves as soon as the run is in the journal, with its id in `metadata.background`. The run continues, in
   * this process or another one: read it from the journal. Needs a `journal`.
   *
   * @default false
   */
  readonly background?: boolean | undefined;
  /**
   * Id of the thread it is asked in, which begins with its first question and belongs to the user who asked it:
   * another user gets `NOT_FOUND`. Follow-up questions are completed where the journal is configured for it. 1 to 200
   * characters. Needs a `journal`.
   */
  readonly thread?: string | undefined;
  /** Cancels the whole run at once. */
  readonly signal?: AbortSignal | undefined;
  /** Time for the run, in milliseconds, instead of the router's: 1 to 2147483647, or `Infinity`. */
  readonly timeoutMs?: number | undefined;
  /**
   * The user on whose behalf to ask. Every librarian can read it, and `allow` of each decides on it. Copied, with its
   * lists.
   */
  readonly user?: User | undefined;
  /** Data for the librarians. Its plain objects and arrays are copied: later changes have no effect. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Whether `metadata` counts as observed, for callers that are trusted systems. Without it `metadata` is a claim, on
   * which librarians that need observed data do not act.
   *
   * @default false
   */
  readonly observed?: boolean | undefined;
  /** Parent of the run's span; the active span where not given. */
  readonly trace?: TraceContext | undefined;
  /**
   * The mesh that calls this one: its path, and what remains of its time, hops and budget. It can only
   * tighten the limits of this run. Adapters read it from a call envelope.
   */
  readonly caller?: RemoteCaller | undefined;
  /** Model for `context.ai`, instead of the router's. */
  readonly ai?: AIClient | undefined;
  /**
   * Identifies the work: a librarian with effects "write" in another process does it once for each key, and repeats
   * its answer for further calls. `transport.outcome` reports its outcome. 1 to 200 characters.
   */
  readonly idempotencyKey?: string | undefined;
  /** Merge strategy for responses that name none, instead of the router's. */
  readonly merge?: MergeStrategy | undefined;
  /** Maximum that the run may spend on models, instead of the router's. */
  readonly budget?: Budget | undefined;
}

const shortText = { pattern: /^.{1,200}$/su, expected: "1 to 200 characters" };

/** The options of {@link AskOptions}. */
export const askTable = {
  to: { kind: "text" },
  background: { kind: "flag", default: false },
  thread: { kind: "text", form: shortText },
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
  idempotencyKey: { kind: "text", form: shortText },
  ai: aiOption,
  merge: { kind: "merge" },
  budget: budgetOption,
} as const satisfies OptionTable<AskOptions>;

/** @throws TypeError or RangeError that names the key and the value. */
export function checkAskOptions(options: unknown): AskOptions {
  return checkOptions<AskOptions>("options", options, askTable);
}
