import type { ModelFailure } from "./model/ask-model.js";
import type { DelegationStrategy } from "./model/delegation-decision.js";
import type { QueryAnalysis } from "./model/query-analysis.js";

/** Why a query went where it went: `metadata.triage` of the response. */
export interface TriageReport {
  /** What decided: the match of words (and meaning), or a model. */
  readonly method: "ranked" | "model";
  readonly strategy: DelegationStrategy;
  /** How sure, 0 to 1: 0.5 for the match of words, for a model what it says. */
  readonly confidence: number;
  /** In the order asked. */
  readonly targets: readonly TriageTarget[];
  /** The best of the match of words, best first, at most five. */
  readonly candidates: readonly { readonly id: string; readonly score: number }[];
  /** Ids of those who fit equally well: the caller is asked back which of them is meant. */
  readonly tied?: readonly string[] | undefined;
  /**
   * What the comparison by meaning did: `used`; `pending`, its vectors are being
   * made; `failed`, words alone decided.
   */
  readonly meaning?: "used" | "pending" | "failed" | undefined;
  /** Ids of those who fit a part of the query and were one too many. */
  readonly notAsked?: readonly string[] | undefined;
  /** Ids of those that fit the query and are down or have an open circuit breaker. */
  readonly unavailable?: readonly string[] | undefined;
  /** Where a model was asked, failed, and the match of words decided instead. */
  readonly fallback?: ModelFailure | undefined;
  /** The model's, where it gave one. */
  readonly analysis?: QueryAnalysis | undefined;
  readonly reasoning?: string | undefined;
  readonly expectedImprovement?: number | undefined;
  /** What the model said and was not followed. */
  readonly ignored?: readonly string[] | undefined;
}

/** One delegate, what it is asked, and why. */
export interface TriageTarget {
  readonly to: string;
  readonly query: string;
  readonly reason: string;
}
