import { AsyncLocalStorage } from "node:async_hooks";

/** A call of a tool that is under way, for the transport below it. */
export interface CallScope {
  /** Aborts when the call is over, however it ended. */
  readonly signal: AbortSignal;
  /** Ends the call, whose result will not arrive. */
  fail(error: unknown): void;
}

/** The current call of asynchronous code. */
export const callScope = new AsyncLocalStorage<CallScope>();
