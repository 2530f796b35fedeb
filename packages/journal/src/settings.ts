import type { Budget } from "@constellation/core";
import {
  checkOptions,
  type FieldsOption,
  type OptionTable,
  readDefaults,
} from "@constellation/core/checks";
import { createWriteBody, type WriteBody } from "./redact-body.js";
import type { SharedBudgets } from "./spending.js";
import type { JournalStore } from "./store.js";
import { type ThreadOptions, threadFields } from "./threads.js";

/** Options of {@link createJournal}. */
export interface JournalOptions {
  /** Where it is kept. The journal opens and closes it. */
  readonly store: JournalStore;
  /**
   * Time without a heartbeat after which the runs of a process are taken up by another one, in milliseconds:
   * 1,000 to 600,000. A process whose event loop is blocked for longer loses its runs.
   *
   * @default 15_000
   */
  readonly leaseMs?: number | undefined;
  /**
   * Maximum number of runs that this process takes up at once after others have lost them. Integer, 1 or more.
   *
   * @default 4
   */
  readonly maxRecoveries?: number | undefined;
  /**
   * Maximum number of processes that may lose a run: after that it ends with an error. Integer, 1 or more.
   *
   * @default 3
   */
  readonly maxLosses?: number | undefined;
  /**
   * Maximum size of one recorded result, in characters. A larger one is not kept: a read is done again when its
   * run continues, and a write is `outcome-unknown`. Integer, 1,000 or more.
   *
   * @default 1_048_576
   */
  readonly maxEntryLength?: number | undefined;
  /**
   * Maximum size of all results recorded for a run, in characters. Later ones are not kept. Integer, 1,000 or more.
   *
   * @default 16_777_216
   */
  readonly maxRunLength?: number | undefined;
  /**
   * Time for which runs are kept once they have ended, and documents, in milliseconds, or `Infinity`.
   *
   * @default 2_592_000_000
   */
  readonly maxAgeMs?: number | undefined;
  /** Options of threads: the turns that librarians get, and how follow-ups are completed. */
  readonly threads?: ThreadOptions | undefined;
  /**
   * Maximum that all runs together may spend on models, beside the `budget` of each run. A call that would go beyond
   * it is refused before it is made: `AI_UNAVAILABLE`, reason `budget-exceeded`. A model without a known price counts
   * by its tokens alone.
   */
  readonly budgets?: SharedBudgets | undefined;
  /**
   * Removes secrets from what is kept, which is JSON and must stay JSON. A run that continues has the redacted text.
   * The user of a run, and who may answer what it waits for, are kept whole.
   *
   * @default redactJson of `@constellation/authoring`
   */
  readonly redact?: ((text: string) => string) | undefined;
}

const amounts = {
  kind: "fields",
  fields: { tokens: { kind: "amount" }, costUsd: { kind: "amount" } },
} as const satisfies FieldsOption<OptionTable<Budget>>;

const optionTable = {
  store: {
    kind: "object",
    methods: ["open", "write", "claim", "delete", "close"],
    isRequired: true,
  },
  leaseMs: { kind: "duration", min: 1_000, default: 15_000 },
  maxRecoveries: { kind: "count", default: 4 },
  maxLosses: { kind: "count", default: 3 },
  maxEntryLength: { kind: "count", min: 1_000, default: 1_048_576 },
  maxRunLength: { kind: "count", min: 1_000, default: 16_777_216 },
  maxAgeMs: { kind: "amount", min: 1, default: 2_592_000_000 },
  threads: {
    kind: "fields",
    fields: threadFields,
  },
  budgets: {
    kind: "fields",
    fields: { userPerDay: amounts, thread: amounts, day: amounts },
  },
  redact: { kind: "function" },
} as const satisfies OptionTable<JournalOptions>;

const defaults = readDefaults(optionTable);

/** Options, checked, with defaults. */
export type JournalSettings = Required<{
  readonly [Key in Exclude<keyof JournalOptions, "redact" | "threads" | "budgets">]: NonNullable<
    JournalOptions[Key]
  >;
}> &
  Pick<JournalOptions, "threads" | "budgets"> & { readonly writeBody: WriteBody };

/** @throws TypeError or RangeError that names the key and the value. */
export function readSettings(options: unknown): JournalSettings {
  const given = checkOptions<JournalOptions>("options", options, optionTable);
  const { redact, ...rest } = given;
  return { ...defaults, ...rest, writeBody: createWriteBody(redact) } as JournalSettings; // a copy has no `undefined`
}
