import { checkOptions, type OptionTable, readDefaults } from "@constellation/core/checks";
import { type ThreadStoreOptions, threadStoreOption } from "@constellation/journal";

/** Options of {@link createRestateJournal}. */
export interface RestateJournalOptions {
  /** Address of the server's ingress, such as `http://127.0.0.1:8080`. */
  readonly ingress: string;
  /** Sent with each request to it: `authorization` for Restate Cloud. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Prefix of the names of the services in Restate, which distinguishes the meshes of one server.
   *
   * @default "constellation"
   */
  readonly prefix?: string | undefined;
  /**
   * Time for which outcomes of hops and of runs are kept, in milliseconds: longer than any run may wait.
   *
   * @default 2_592_000_000
   */
  readonly retentionMs?: number | undefined;
  /**
   * Maximum number of times that a hop, or a round of a run, is begun in processes that end meanwhile. Integer, 1 or more.
   *
   * @default 20
   */
  readonly maxAttempts?: number | undefined;
  /**
   * Keeps threads, in a store beside Restate: its state is found by key alone, and threads are listed by user and time.
   * The same store in each process; the journal closes it. Not given: `thread` is refused.
   */
  readonly threads?: ThreadStoreOptions | undefined;
}

const optionTable = {
  ingress: {
    kind: "text",
    form: { pattern: /^https?:\/\/\S+$/u, expected: "an http or https URL" },
    isRequired: true,
  },
  headers: { kind: "object" },
  prefix: {
    kind: "text",
    form: { pattern: /^[A-Za-z][A-Za-z0-9-]{0,40}$/u, expected: "letters, digits and -" },
    default: "constellation",
  },
  retentionMs: { kind: "amount", min: 60_000, default: 2_592_000_000 },
  maxAttempts: { kind: "count", default: 20 },
  threads: threadStoreOption,
} as const satisfies OptionTable<RestateJournalOptions>;

const defaults = readDefaults(optionTable);

/** Options, checked, with defaults. */
export interface RestateSettings {
  readonly ingress: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly prefix: string;
  readonly retentionMs: number;
  readonly maxAttempts: number;
  readonly threads: ThreadStoreOptions | undefined;
}

/** @throws TypeError or RangeError that names the key and the value. */
export function readSettings(options: unknown): RestateSettings {
  const given = checkOptions<RestateJournalOptions>("options", options, optionTable);
  return { headers: {}, ...defaults, ...given } as RestateSettings; // a copy has no `undefined`
}
