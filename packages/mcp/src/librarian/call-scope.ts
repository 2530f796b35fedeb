import { AsyncLocalStorage } from "node:async_hooks";

/** A call of a tool that is under way, for the transport below it. */
export interface CallScope {
  /** Aborts when the call is over, however it ended. */
  readonly signal: AbortSignal;
  /** Ends the call: what it waits for will not come. */
  fail(error: unknown): void;
}

/** The call in whose course something happens. */
export const callScope = new AsyncLocalStorage<CallScope>();
