/** Times and limits of a transport. */
export interface TransportTimes {
  /**
   * Time between two signs of life of a call in progress, in milliseconds: 10 to 60,000. A call that ends
   * before the first is due sends nothing but its reply.
   *
   * @default 500
   */
  readonly heartbeatMs?: number | undefined;
  /**
   * Time without a sign of life after which the process that works on a call counts as lost, in
   * milliseconds: 30 to 600,000, and at least three times `heartbeatMs`.
   *
   * @default 2_000
   */
  readonly lostAfterMs?: number | undefined;
  /**
   * Time between two entries of a process in the list of those present, in milliseconds: 50 to 60,000.
   * It counts as gone after three without one.
   *
   * @default 2_000
   */
  readonly presenceMs?: number | undefined;
  /**
   * Maximum number of processes that a read is sent to, one after the other, where they are lost: 1 to 10.
   *
   * @default 3
   */
  readonly maxAttempts?: number | undefined;
}

/** The defaults named in {@link TransportTimes}. */
export const transportDefaults = {
  heartbeatMs: 500,
  lostAfterMs: 2_000,
  presenceMs: 2_000,
  maxAttempts: 3,
} as const satisfies Required<TransportTimes>;

/** Options, checked, with defaults. */
export type TransportSettings = Required<{
  readonly [Key in keyof TransportTimes]-?: number;
}> & {
  /** Name of the mesh: one token of a subject. */
  readonly mesh: string;
  /** Name of this process for those it calls: one token of a subject. */
  readonly caller: string;
};

/** A token of a subject. */
export const tokenForm = /^[\w-]{1,64}$/;
