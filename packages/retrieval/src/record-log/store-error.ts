/** Why a store failed. */
export type StoreErrorReason = "unavailable" | "corrupt" | "locked" | "closed";

/**
 * A store that cannot be read or written. The message says what to do next and holds no texts, no
 * passwords and nothing a server said.
 */
export class StoreError extends Error {
  override readonly name = "StoreError";
  readonly reason: StoreErrorReason;

  constructor(reason: StoreErrorReason, message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.reason = reason;
  }
}
