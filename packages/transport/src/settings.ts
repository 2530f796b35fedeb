/**
 * Times and limits of a transport.
 *
 * @beta
 */
export interface TransportTimes {
  /**
   * Time without a message after which a process that works on a call is pinged, in milliseconds: 10 to 60,000.
   *
   * @default 500
   */
  readonly heartbeatMs?: number | undefined;
  /**
   * Time without an answer after which the process that works on a call counts as lost, in
   * milliseconds: 30 to 600,000, and at least three times `heartbeatMs`.
   *
   * @default 2_000
   */
  readonly lostAfterMs?: number | undefined;
  /**
   * Time between two pings of other processes, each chosen at random, in milliseconds: 50 to 60,000. A process
   * counts as gone after three without an answer.
   *
   * @default 2_000
   */
  readonly presenceMs?: number | undefined;
  /**
   * Maximum number of processes that a read is sent to, one after the other, if they are lost: 1 to 10.
   *
   * @default 3
   */
  readonly maxAttempts?: number | undefined;
}

/**
 * The defaults named in {@link TransportTimes}.
 *
 * @beta
 */
export const transportDefaults = {
  heartbeatMs: 500,
  lostAfterMs: 2_000,
  presenceMs: 2_000,
  maxAttempts: 3,
} as const satisfies Required<TransportTimes>;

/**
 * Options, checked, with defaults.
 *
 * @beta
 */
export type TransportSettings = Required<{
  readonly [Key in keyof TransportTimes]-?: number;
}> & {
  /** Name of the mesh: one token of a subject. */
  readonly mesh: string;
  /** Name of this process for those it calls: one token of a subject. */
  readonly caller: string;
};

/**
 * A token of a subject.
 *
 * @beta
 */
export const tokenForm = /^[\w-]{1,64}$/;
