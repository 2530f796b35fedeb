/** Why a store failed. */
export type StoreErrorReason = "unavailable" | "corrupt" | "locked" | "closed";

/**
 * A store that cannot be read or written. The message names the next step and contains no document
 * texts, passwords or server messages.
 */
export class StoreError extends Error {
  override readonly name = "StoreError";
  readonly reason: StoreErrorReason;

  constructor(reason: StoreErrorReason, message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.reason = reason;
  }
}
