import type { AICompletion, Context, MeshError } from "@constellation/core";

/**
 * The verdict on a reply: its value, or its problems, one sentence each.
 *
 * @beta
 */
export type CheckedReply<Value> =
  | { readonly value: Value }
  | { readonly problems: readonly string[] };

/**
 * How `generateChecked` asks and checks.
 *
 * @beta
 */
export interface GenerateOptions<Draft, Value> {
  /** Of the hop: its signal and its time bound every call. */
  readonly context: Pick<Context, "signal" | "deadline" | "remainingMs" | "report">;
  /** @param reply - The text the draft was read from. */
  readonly check: (
    draft: Draft,
    reply: string,
  ) => CheckedReply<Value> | Promise<CheckedReply<Value>>;
  /**
   * Maximum number of replies. Integer, 1 or more.
   *
   * @default 2
   */
  readonly maxAttempts?: number | undefined;
  /**
   * Share of the time that remains for each call, above 0 and at most 1. A tenth of the time, at most
   * 500 ms, is kept for what comes after. `request.timeoutMs` is a further bound of each call.
   *
   * @default 2/3, and 1 for the last attempt
   */
  readonly timeShare?: number | undefined;
  /**
   * Minimum remaining time for a call, in milliseconds.
   *
   * @default 250
   */
  readonly minTimeoutMs?: number | undefined;
  /** Writes the turn that asks for a correction. The default lists the problems. */
  readonly correction?: ((problems: readonly string[]) => string) | undefined;
  /**
   * Path of keys to the text of the reply that `context.report` gets while it is written, such as `["answer"]`;
   * empty where the reply is the text. It is withdrawn when the reply turns out not to be valid.
   *
   * @default no report of text
   */
  readonly draftText?: readonly string[] | undefined;
  /**
   * Where `draftText` leads through a list, reports every text, separated by this.
   *
   * @default the first text alone
   */
  readonly draftSeparator?: string | undefined;
  /**
   * Returns text to append after each text at `draftText`, such as its citation. `item` is the object that contains
   * the text, not checked yet; `undefined` where it is not JSON.
   *
   * @default nothing follows
   */
  readonly afterDraftItem?: ((item: unknown) => string) | undefined;
  /** Called for each reply that is not valid. @param attempt - From 1. */
  readonly onInvalid?: ((problems: readonly string[], attempt: number) => void) | undefined;
}

/**
 * A value that passed, or the reason for the failure.
 *
 * @beta
 */
export type Generated<Value> =
  | {
      readonly outcome: "valid";
      readonly value: Value;
      /** The text it was read from. */
      readonly reply: string;
      /** Replies it took, from 1. */
      readonly attempts: number;
      /** The completion; absent where the reply was read from the text of an error. */
      readonly completion?: AICompletion | undefined;
    }
  | GenerationFailure;

/**
 * The reason why `generateChecked` has no value.
 *
 * @beta
 */
export interface GenerationFailure {
  readonly outcome: "failed";
  /** A code of `errorCodes` where the model failed, `no-time`, or `invalid-reply`. */
  readonly reason: string;
  /** The problems of the last reply, if there was one. */
  readonly problems: readonly string[];
  /** The last reply that was not valid. */
  readonly reply?: string | undefined;
  /** The rejection of the client, where the model failed. */
  readonly error?: MeshError | undefined;
}
