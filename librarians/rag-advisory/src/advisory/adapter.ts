import type { Context } from "@constellation/core";
import type { RAGCountry } from "../contract/rag-response.js";
import type { Recorded } from "../evidence/evidence-recorder.js";
import type { Question } from "../question/question.js";

/** What an adapter may read and use while it works on one query. */
export interface RAGAdapterContext {
  /** What was read of the query. */
  readonly question: Question;
  /** The context of the hop: model, deadline, user. */
  readonly context: Context;
  /** Aborts at the deadline or when the caller cancels. Pass it on. */
  readonly signal: AbortSignal;
  /** Records what happened, for audit. */
  readonly record: (event: Recorded) => void;
}

/**
 * Makes the advisories of one country. Every country has one, and all have this interface.
 */
export interface RAGAdapter {
  readonly country: RAGCountry;
  /**
   * Gives the advisory of a query: a value of the locked schema, which is checked. One without sources
   * and of confidence 0 says that nothing was found. Rejecting, or anything else, is a data source
   * that failed. Must stop when `signal` aborts.
   */
  query(query: string, adapterContext: RAGAdapterContext): Promise<unknown>;
}
