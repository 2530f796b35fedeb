import type { User } from "./user.js";

/** The meaning of a query as numbers, made once for all librarians. */
export interface QueryVector {
  /** Id of the embedder that made it. Vectors of other embedders do not compare with it. */
  readonly embedder: string;
  /** Unit vector. */
  readonly values: Float32Array;
}

/** A probe of a librarian before a query: could it answer this? */
export interface AnswerProbe {
  readonly query: string;
  readonly vector?: QueryVector | undefined;
  /** The user whom the answer would be for, with the rights left on the path: only what this user may read counts. */
  readonly user?: User | undefined;
  /** Aborts at the deadline, and when the caller no longer waits. */
  readonly signal: AbortSignal;
  /** Epoch milliseconds after which the estimate is ignored. */
  readonly deadline: number;
}

/**
 * How well a librarian could answer a query, estimated from its own content. It contains no matched text, and the
 * router rounds the shares down to steps of 0.05, because librarians read it whose users may not read the content.
 */
export interface AnswerEstimate {
  /** Probability that it can answer, 0 to 1. Not comparable across kinds of librarians. */
  readonly chance: number;
  /** Weighted share of the query's words that its best single text contains, 0 to 1. */
  readonly coverage?: number | undefined;
  /** Cosine of the query and its nearest text, 0 to 1. Absent where the query has no vector of its embedder. */
  readonly similarity?: number | undefined;
  /** Number of texts that match. The router rounds it down to 0, 1, 2, 5, 10, 20 or 50. */
  readonly matches?: number | undefined;
  /** Whether the query names something that it has. Decides between librarians that fit about equally well. */
  readonly isNamed?: boolean | undefined;
  /** Changes when the content does: a cache key for estimates. Maximum 64 characters. */
  readonly version?: string | undefined;
}

/**
 * Estimates how well a librarian could answer, from its own content: without side effects, without asking others or a
 * model, within about 20 ms. `undefined` where it has no estimate, such as before its content is read; a rejection
 * means the same.
 */
export type CanAnswer = (
  probe: AnswerProbe,
) => AnswerEstimate | undefined | Promise<AnswerEstimate | undefined>;

/** How `context.probe` asks. */
export interface ProbeOptions {
  /** Ids of librarians that are probed. Default: all that are available. Maximum 64 are. */
  readonly to?: readonly string[] | undefined;
  readonly vector?: QueryVector | undefined;
  /**
   * Maximum time for all of them, in milliseconds: 1 to 1000. An estimate that comes later is left out.
   *
   * @default 20
   */
  readonly timeoutMs?: number | undefined;
}

/**
 * Estimates by id of the librarian. A librarian without an entry is unknown, which does not mean that it cannot
 * answer.
 */
export type AnswerEstimates = ReadonlyMap<string, AnswerEstimate>;
