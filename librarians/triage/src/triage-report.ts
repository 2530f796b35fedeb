import type { ModelFailure } from "./model/ask-model.js";
import type { DelegationStrategy } from "./model/delegation-decision.js";
import type { QueryAnalysis } from "./model/query-analysis.js";

/** Explains the delegation of a query: `metadata.triage` of the response. */
export interface TriageReport {
  /** The deciding method: the match of words (and meaning), or a model. */
  readonly method: "ranked" | "model";
  readonly strategy: DelegationStrategy;
  /** Confidence, 0 to 1: 0.5 for the match of words; for a model, as it reports. */
  readonly confidence: number;
  /** Targets in the order of the query. */
  readonly targets: readonly TriageTarget[];
  /** The best of the match of words, best first, at most five. */
  readonly candidates: readonly { readonly id: string; readonly score: number }[];
  /** Ids of librarians that fit equally well; the caller is asked to choose. */
  readonly tied?: readonly string[] | undefined;
  /**
   * Outcome of the comparison by meaning: `used`; `pending`, the embedder is still starting; `failed`,
   * words alone decided.
   */
  readonly meaning?: "used" | "pending" | "failed" | undefined;
  /** Ids of librarians that fit a part of the query but exceed the maximum number. */
  readonly notAsked?: readonly string[] | undefined;
  /** Ids among the targets that fit about as well as another one: both are asked. */
  readonly alternatives?: readonly string[] | undefined;
  /** Ids of librarians with effects that fit, and that the query does not plainly order to do something. */
  readonly offered?: readonly string[] | undefined;
  /** Parts of the query that no librarian takes. */
  readonly untaken?: readonly string[] | undefined;
  /** Ids of librarians that fit the query but are down or have an open circuit breaker. */
  readonly unavailable?: readonly string[] | undefined;
  /** Present when a model was asked and failed, so that the match of words decided. */
  readonly fallback?: ModelFailure | undefined;
  /** Reasoning of the model, if it gave one. */
  readonly analysis?: QueryAnalysis | undefined;
  readonly reasoning?: string | undefined;
  readonly expectedImprovement?: number | undefined;
  /** Parts of the model's reply that were ignored. */
  readonly ignored?: readonly string[] | undefined;
}

/** One delegate, its query, and the reason. */
export interface TriageTarget {
  readonly to: string;
  readonly query: string;
  readonly reason: string;
}
