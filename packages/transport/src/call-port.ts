import type { Claim } from "./claim.js";

/** What one call needs from the calls of this process. @typeParam Call - The call itself. */
export interface CallPort<Call> {
  readonly maxAttempts: number;
  readonly maxPayload: number;
  /**
   * Chooses a process that serves a librarian. @param same - Calls with the same text go to the same process while it
   * is present.
   */
  choose(
    librarian: string,
    excluded: ReadonlySet<string>,
    same?: string | undefined,
  ): string | undefined;
  /** Finds a process that serves a librarian, when none is known. */
  find(librarian: string): Promise<string | undefined>;
  /** Waits a short time for a lost connection. */
  connected(): Promise<boolean>;
  readonly isConnected: boolean;
  /** Current time on the clock of a process, requested when unknown. `undefined`: no answer. */
  clock(node: string): number | undefined | Promise<number | undefined>;
  forgetClock(node: string): void;
  /** Whether one of the processes lists a librarian with effects "write". */
  isWrite(librarian: string): boolean;
  /** Reports a process that was not found. */
  report(node: string): void;
  encode(call: Call, attempt: number, expires: number | undefined, elapsedMs: number): Uint8Array;
  send(call: Call, payload: Uint8Array): void;
  sendTo(call: Call, node: string, header: object, body?: unknown): void;
  readonly canClaim: boolean;
  claim(call: Call, claim: Claim): Promise<Uint8Array | undefined>;
  ended(call: Call): void;
}
