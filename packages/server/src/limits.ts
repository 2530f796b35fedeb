import { optionField } from "@constellation/authoring";
import { maxTimerMs } from "@constellation/core";
import { z } from "zod";

/** Limits of a server. */
export interface ServerLimits {
  /**
   * Maximum size of a request body, in bytes.
   *
   * @default 262_144
   */
  readonly bodyBytes: number;
  /**
   * Maximum length of a query, in characters.
   *
   * @default 20_000
   */
  readonly queryLength: number;
  /**
   * Maximum `timeoutMs` of a request, in milliseconds.
   *
   * @default 60_000
   */
  readonly timeoutMs: number;
  /**
   * Maximum number of requests in progress, runs and mounts together. When all slots are taken, a request of a user
   * (without a token: of an address) with less than an equal share of them waits, up to 10 s, and users take turns;
   * any other is refused at once.
   *
   * @default 64
   */
  readonly concurrency: number;
  /**
   * Maximum number of requests in progress of one user, so that one user cannot take every slot. Requests
   * without a user are not counted.
   *
   * @default 32
   */
  readonly concurrencyPerUser: number;
  /**
   * Maximum number of requests a minute of one user, or of one address where no token is required.
   * `Infinity`: no limit.
   *
   * @default 300
   */
  readonly requestsPerMinute: number;
  /**
   * Maximum number of connections at once. A few more are accepted for `/healthz` and `/readyz` alone.
   *
   * @default 1_000
   */
  readonly connections: number;
  /**
   * Maximum number of connections of one address, or of one IPv6 network (/64). Addresses in
   * `trustedProxies` have no such limit.
   *
   * @default 256
   */
  readonly connectionsPerAddress: number;
  /**
   * Maximum time for the headers of a request to arrive, in milliseconds. Checked every 2 s.
   *
   * @default 10_000
   */
  readonly headersMs: number;
  /**
   * Maximum time for a whole request to arrive, headers and body, in milliseconds. Checked every 2 s.
   *
   * @default 30_000
   */
  readonly requestMs: number;
  /**
   * Maximum number of runs kept for `/runs`.
   *
   * @default 200
   */
  readonly runs: number;
  /**
   * Maximum size of all records kept for `/runs`, in characters.
   *
   * @default 16_777_216
   */
  readonly runCharacters: number;
  /**
   * Maximum size of all runs stored in the `journal`, in bytes. The oldest are removed.
   *
   * @default 268_435_456
   */
  readonly storedRunBytes: number;
  /**
   * Age after which a stored run is removed from the `journal`, in milliseconds, up to 10 years.
   *
   * @default 604_800_000
   */
  readonly storedRunAgeMs: number;
  /**
   * Time between two heartbeats on a stream, in milliseconds.
   *
   * @default 15_000
   */
  readonly heartbeatMs: number;
  /**
   * Maximum time a client may leave a stream unread before it is disconnected, in milliseconds.
   *
   * @default 30_000
   */
  readonly stallMs: number;
  /**
   * Maximum time that `close` waits for runs to end, in milliseconds.
   *
   * @default 10_000
   */
  readonly drainMs: number;
}

/** Limits that differ from the defaults. */
export type LimitOptions = { readonly [Key in keyof ServerLimits]?: ServerLimits[Key] | undefined };

/** Default and bounds of each limit. */
const table: Readonly<Record<keyof ServerLimits, LimitRow>> = {
  bodyBytes: { preset: 262_144, max: 1_073_741_824 },
  queryLength: { preset: 20_000, max: 1_000_000 },
  timeoutMs: { preset: 60_000, max: maxTimerMs },
  concurrency: { preset: 64, max: 1_000_000 },
  concurrencyPerUser: { preset: 32, max: 1_000_000 },
  requestsPerMinute: { preset: 300, max: Number.POSITIVE_INFINITY },
  connections: { preset: 1_000, max: 1_000_000 },
  connectionsPerAddress: { preset: 256, max: 1_000_000 },
  headersMs: { preset: 10_000, min: 10, max: maxTimerMs },
  requestMs: { preset: 30_000, min: 10, max: maxTimerMs },
  runs: { preset: 200, max: 100_000 },
  runCharacters: { preset: 16_777_216, max: 1_073_741_824 },
  storedRunBytes: { preset: 268_435_456, max: 1_099_511_627_776 },
  storedRunAgeMs: { preset: 604_800_000, max: 315_360_000_000 },
  heartbeatMs: { preset: 15_000, min: 10, max: maxTimerMs },
  stallMs: { preset: 30_000, min: 10, max: maxTimerMs },
  drainMs: { preset: 10_000, min: 0, max: maxTimerMs },
};

interface LimitRow {
  readonly preset: number;
  /** Not given: 1. */
  readonly min?: number;
  /** `Infinity`: the option may be `Infinity` too. */
  readonly max: number;
}

function fromTable<Value>(of: (row: LimitRow) => Value): Record<keyof ServerLimits, Value> {
  const entries = Object.entries(table).map(([name, row]) => [name, of(row)]);
  return Object.fromEntries(entries) as Record<keyof ServerLimits, Value>; // one for each row
}

/** The defaults named in {@link ServerLimits}. */
export const serverLimits: ServerLimits = fromTable(({ preset }) => preset);

/** Checks {@link LimitOptions}. */
export const limitsSchema: z.ZodType<LimitOptions> = z.strictObject(
  fromTable(({ min = 1, max }) =>
    max === Number.POSITIVE_INFINITY
      ? z
          .union(
            [z.literal(max), z.number().int().min(min)],
            `expected an integer of ${min} or more, or Infinity`,
          )
          .optional()
      : optionField.integer(min, max).optional(),
  ),
  "expected an object",
);
