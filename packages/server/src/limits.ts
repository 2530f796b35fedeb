import { z } from "zod";

/** Bounds of a server. */
export interface ServerLimits {
  /**
   * Largest body of a request, in bytes.
   *
   * @default 262_144
   */
  readonly bodyBytes: number;
  /**
   * Longest query, in characters.
   *
   * @default 20_000
   */
  readonly queryLength: number;
  /**
   * Longest time a request may ask for in `timeoutMs`, in milliseconds.
   *
   * @default 60_000
   */
  readonly timeoutMs: number;
  /**
   * Most requests that are worked on at once, runs and mounts together.
   *
   * @default 64
   */
  readonly concurrency: number;
  /**
   * Most requests of one user, or of one address where nobody had to say who they are, in a minute.
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
   * Most runs kept for `/runs`.
   *
   * @default 200
   */
  readonly runs: number;
  /**
   * Most characters of records kept for `/runs`, all runs together.
   *
   * @default 16_777_216
   */
  readonly runCharacters: number;
  /**
   * Time between two signs of life on a stream, in milliseconds.
   *
   * @default 15_000
   */
  readonly heartbeatMs: number;
  /**
   * Longest time a client may leave a stream unread before it is cut off, in milliseconds.
   *
   * @default 30_000
   */
  readonly stallMs: number;
  /**
   * Longest time that `close` waits for runs to end by themselves, in milliseconds.
   *
   * @default 10_000
   */
  readonly drainMs: number;
}

/** Bounds that differ from the defaults. */
export type LimitOptions = { readonly [Key in keyof ServerLimits]?: ServerLimits[Key] | undefined };

/** The defaults named in {@link ServerLimits}. */
export const serverLimits: ServerLimits = {
  bodyBytes: 262_144,
  queryLength: 20_000,
  timeoutMs: 60_000,
  concurrency: 64,
  requestsPerMinute: 300,
  connections: 1_000,
  connectionsPerAddress: 256,
  headersMs: 10_000,
  requestMs: 30_000,
  runs: 200,
  runCharacters: 16_777_216,
  heartbeatMs: 15_000,
  stallMs: 30_000,
  drainMs: 10_000,
};

const count = (least: number, most: number) => {
  const error = `expected an integer from ${least} to ${most}`;
  return z.number(error).int(error).min(least, error).max(most, error).optional();
};
const longestTimerMs = 2_147_483_647;

/** Checks {@link LimitOptions}. */
export const limitsSchema: z.ZodType<LimitOptions> = z.strictObject(
  {
    bodyBytes: count(1, 1_073_741_824),
    queryLength: count(1, 1_000_000),
    timeoutMs: count(1, longestTimerMs),
    concurrency: count(1, 1_000_000),
    requestsPerMinute: z
      .union(
        [z.literal(Number.POSITIVE_INFINITY), z.number().int().min(1)],
        "expected an integer of 1 or more, or Infinity",
      )
      .optional(),
    connections: count(1, 1_000_000),
    connectionsPerAddress: count(1, 1_000_000),
    headersMs: count(10, longestTimerMs),
    requestMs: count(10, longestTimerMs),
    runs: count(1, 100_000),
    runCharacters: count(1, 1_073_741_824),
    heartbeatMs: count(10, longestTimerMs),
    stallMs: count(10, longestTimerMs),
    drainMs: count(0, longestTimerMs),
  },
  "expected an object",
);
