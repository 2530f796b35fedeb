import type { ErrorCode, ErrorReason } from "@constellation/core";

/**
 * A question with what is expected of its response.
 *
 * @beta
 */
export interface EvalCase {
  /** Unique among the cases read together. */
  readonly id: string;
  /** The question, as a person would type it. */
  readonly query: string;
  /** Id of the librarian to ask; Default: the entry of the mesh. */
  readonly to?: string | undefined;
  /** At least one expectation. */
  readonly expect: EvalExpect;
  /** Tags, for which results are also counted. */
  readonly tags?: readonly string[] | undefined;
}

/**
 * What is expected of one response. Each key given is one expectation.
 *
 * @beta
 */
export interface EvalExpect {
  /** Librarians that must have answered, at least or exactly. A librarian that only delegates has not answered. */
  readonly librarians?: ExpectedIds | undefined;
  /** Librarians that must not have been called. */
  readonly notLibrarians?: readonly string[] | undefined;
  /** Librarians that the query must have been forwarded to, at least or exactly, whatever the outcome. */
  readonly delegates?: ExpectedIds | undefined;
  /** Texts that the answer must contain, all of them. */
  readonly mustMention?: readonly Wanted[] | undefined;
  /** Texts that the answer must not contain. Without an answer this fails, unless an error is expected. */
  readonly mustNotMention?: readonly string[] | undefined;
  /** Minimum confidence, 0 to 1. */
  readonly minConfidence?: number | undefined;
  /** Maximum confidence, 0 to 1. A missing confidence passes where an error is expected. */
  readonly maxConfidence?: number | undefined;
  /** Name or url of the sources that must be cited, every one; or a name's part before its `#`. */
  readonly sources?: readonly Wanted[] | undefined;
  /**
   * Ids in the order in which they must have been called, the entry included; others may be between them. With `exactly`, every
   * call and no other.
   */
  readonly order?: ExpectedIds | undefined;
  /** Librarians with `effects: "write"` that must have been called; `{ exactly: [] }` where nothing may be changed. */
  readonly written?: ExpectedIds | undefined;
  /** Maximum number of librarians called. */
  readonly maxHops?: number | undefined;
  /** Maximum wall time of the run, in milliseconds. */
  readonly maxDurationMs?: number | undefined;
  /** Maximum number of tokens of models. */
  readonly maxTokens?: number | undefined;
  /** Maximum cost of models, in US dollars. A call whose price is unknown fails it. */
  readonly maxCostUsd?: number | undefined;
  /** Code of the error that must be there. */
  readonly errorCode?: ErrorCode | undefined;
  /** Reason of the error that must be there. */
  readonly errorReason?: ErrorReason | undefined;
}

/**
 * Ids that must be among those seen; with `exactly`, those and no other. Order does not matter.
 *
 * @beta
 */
export type ExpectedIds = readonly string[] | { readonly exactly: readonly string[] };

/**
 * Text, ignoring case and kinds of white space; or `/pattern/` with the flags
 * `i`, `m`, `s` and `u`. Of a list any one is enough.
 *
 * @beta
 */
export type Wanted = string | readonly string[];

/**
 * Every expectation, in the order in which they are reported.
 *
 * @beta
 */
export const expectationNames = [
  "librarians",
  "notLibrarians",
  "delegates",
  "mustMention",
  "mustNotMention",
  "minConfidence",
  "maxConfidence",
  "sources",
  "order",
  "written",
  "maxHops",
  "maxDurationMs",
  "maxTokens",
  "maxCostUsd",
  "errorCode",
  "errorReason",
] as const satisfies readonly (keyof EvalExpect)[];

/**
 * A key of {@link EvalExpect}.
 *
 * @beta
 */
export type ExpectationName = (typeof expectationNames)[number];
