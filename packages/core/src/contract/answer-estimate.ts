import type { User } from "./user.js";

/** The meaning of a query as numbers, made once for all librarians. */
export interface QueryVector {
  /** Id of the embedder that made it. Vectors of other embedders do not compare with it. */
  readonly embedder: string;
  /** Of length 1. */
  readonly values: Float32Array;
}

/** A question to a librarian before a query: could it answer this? */
export interface AnswerProbe {
  readonly query: string;
  readonly vector?: QueryVector | undefined;
  /** Whom the answer would be for, with the rights that the path has left: only what this user may read counts. */
  readonly user?: User | undefined;
  /** Aborts at the deadline, and when the caller no longer waits. */
  readonly signal: AbortSignal;
  /** Epoch milliseconds after which the estimate is ignored. */
  readonly deadline: number;
}

/**
 * How well a librarian could answer a query, as it judges by its own content. Nothing that matched is in it, and the
 * router rounds the shares down to steps of 0.05: it is read by librarians whose users may not read the content.
 */
export interface AnswerEstimate {
  /** How likely it can answer, 0 to 1. Does not compare well with the chance of another kind of librarian. */
  readonly chance: number;
  /** Share of the query's words, by their weight, that it has, best in one place, 0 to 1. */
  readonly coverage?: number | undefined;
  /** Cosine of the query and its nearest text, 0 to 1. Absent where the query has no vector of its embedder. */
  readonly similarity?: number | undefined;
  /** Number of texts that match. The router rounds it down to 0, 1, 2, 5, 10, 20 or 50. */
  readonly matches?: number | undefined;
  /** Whether the query asks about something that it has by its name: where others fit about as well, that decides. */
  readonly isNamed?: boolean | undefined;
  /** Changes when the content does: what estimates may be kept by. Maximum 64 characters. */
  readonly version?: string | undefined;
}

/**
 * Estimates how well a librarian could answer, from its own content: without effect, without asking others or a model,
 * within about 20 ms. `undefined` where it has no estimate, such as before its content is read; a rejection means the same.
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

/** Estimates by the id of the librarian. One that is not in it is unknown, which does not mean that it cannot answer. */
export type AnswerEstimates = ReadonlyMap<string, AnswerEstimate>;
