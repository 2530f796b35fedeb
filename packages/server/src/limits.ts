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
   * Maximum number of requests in progress, runs and mounts together. Where all places are taken, a request
   * of a user (without a token: of an address) with less than an equal share of them waits, up to 10 s, and users
   * take turns; any other is refused at once.
   *
   * @default 64
   */
  readonly concurrency: number;
  /**
   * Maximum number of requests in progress of one user, so that one cannot take every place. Requests
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
   * Longest time for the headers of a request to arrive, in milliseconds. Checked every 2 s.
   *
   * @default 10_000
   */
  readonly headersMs: number;
  /**
   * Longest time for a whole request to arrive, headers and body, in milliseconds. Checked every 2 s.
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
   * Longest time a client may leave a stream unread before it is disconnected, in milliseconds.
   *
   * @default 30_000
   */
  readonly stallMs: number;
  /**
   * Longest time that `close` waits for runs to end, in milliseconds.
   *
   * @default 10_000
   */
  readonly drainMs: number;
}

/** Limits that differ from the defaults. */
export type LimitOptions = { readonly [Key in keyof ServerLimits]?: ServerLimits[Key] | undefined };

/** The defaults named in {@link ServerLimits}. */
export const serverLimits: ServerLimits = {
  bodyBytes: 262_144,
  queryLength: 20_000,
  timeoutMs: 60_000,
  concurrency: 64,
  concurrencyPerUser: 32,
  requestsPerMinute: 300,
  connections: 1_000,
  connectionsPerAddress: 256,
  headersMs: 10_000,
  requestMs: 30_000,
  runs: 200,
  runCharacters: 16_777_216,
  storedRunBytes: 268_435_456,
  storedRunAgeMs: 604_800_000,
  heartbeatMs: 15_000,
  stallMs: 30_000,
  drainMs: 10_000,
};

const count = (min: number, max: number) => optionField.integer(min, max).optional();

/** Checks {@link LimitOptions}. */
export const limitsSchema: z.ZodType<LimitOptions> = z.strictObject(
  {
    bodyBytes: count(1, 1_073_741_824),
    queryLength: count(1, 1_000_000),
    timeoutMs: count(1, maxTimerMs),
    concurrency: count(1, 1_000_000),
    concurrencyPerUser: count(1, 1_000_000),
    requestsPerMinute: z
      .union(
        [z.literal(Number.POSITIVE_INFINITY), z.number().int().min(1)],
        "expected an integer of 1 or more, or Infinity",
      )
      .optional(),
    connections: count(1, 1_000_000),
    connectionsPerAddress: count(1, 1_000_000),
    headersMs: count(10, maxTimerMs),
    requestMs: count(10, maxTimerMs),
    runs: count(1, 100_000),
    runCharacters: count(1, 1_073_741_824),
    storedRunBytes: count(1, 1_099_511_627_776),
    storedRunAgeMs: count(1, 315_360_000_000),
    heartbeatMs: count(10, maxTimerMs),
    stallMs: count(10, maxTimerMs),
    drainMs: count(0, maxTimerMs),
  },
  "expected an object",
);
