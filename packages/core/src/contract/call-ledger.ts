import type { AIPrice } from "./ai-client.js";

/** What a call of a model wants to spend. */
export interface ModelCallRequest {
  /** Tokens that it reads, estimated. Integer, 0 or more. */
  readonly reads: number;
  /** Maximum number of tokens that it writes. Integer, 1 or more. */
  readonly writes: number;
  /** Whether it is a loop of tool calls, which reserves all that is left. */
  readonly isLoop: boolean;
  /** Maximum number of tokens of a loop. Absent: no limit. */
  readonly maxTokens?: number | undefined;
  /** Price of the model, as far as its client knows it. */
  readonly price?: AIPrice | undefined;
}

/** What a call of a model used. */
export interface ModelCallUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** US dollars, where the model reports them. */
  readonly costUsd?: number | undefined;
}

/** What a call of a model may spend. It is charged until `settle` is called. */
export interface ModelCallReservation {
  /** Maximum number of tokens that it writes: 1 or more. */
  readonly writes: number;
  /** Maximum number of tokens of a loop in all. `Infinity`: no limit. */
  readonly maxTokens: number;
  /** US dollars reserved. */
  readonly costUsd: number;
  /** Price at which it was reserved. Absent: not known yet. */
  readonly price?: AIPrice | undefined;
  /**
   * The call has ended: what it used is charged instead of the reservation. Only the first call counts.
   *
   * @param usage - `undefined`: nothing was used.
   */
  settle(usage: ModelCallUsage | undefined): void;
}

/** Hops that were leased. */
export interface HopGrant {
  /** As many as were asked for, or those that were left. */
  readonly hops: number;
  /** The limit of the run, for errors. */
  readonly maxHops: number;
}

/**
 * The hops and the budget of a run, as a process reads them that was called from it. All processes of a tree
 * take from the ledger of the first one, so that calls in parallel get what the tree has left.
 */
export interface CallLedger {
  /** Takes hops for the librarians that are called next. Rejects once the call has ended. */
  leaseHops(count: number): Promise<HopGrant>;
  /**
   * Reserves what a call of a model may spend. Rejects with a MeshError `AI_UNAVAILABLE` (budget-exceeded)
   * where nothing is left, and once the call has ended.
   */
  reserveModelCall(request: ModelCallRequest): Promise<ModelCallReservation>;
}
