/** A country that is served. `GB` is accepted on input and becomes `UK`. */
export type RAGCountry = "IN" | "US" | "UK";

/** What a risk is about. */
export type RAGRiskType = "PRICE" | "LOCATION" | "LEGAL" | "MARKET" | "REGULATORY";

/** How much a risk may weigh. */
export type RAGSeverity = "LOW" | "MEDIUM" | "HIGH";

/** Who published a source. */
export type RAGSourceType = "GOVERNMENT" | "MARKET_DATA" | "REGULATORY" | "THIRD_PARTY";

/** What the market is like. Text for people; an empty string where nothing is known. */
export interface RAGMarketContext {
  readonly location_insights: string;
  readonly price_trends: string;
  readonly market_conditions: string;
  readonly comparable_properties?: string | undefined;
}

/** Something that can go wrong, as a source says it. */
export interface RAGRiskSignal {
  readonly type: RAGRiskType;
  readonly severity: RAGSeverity;
  /** Factual. */
  readonly description: string;
  /** Name of the source it came from. */
  readonly source: string;
}

/** What comparable properties cost. */
export interface RAGValuationHint {
  /** In the currency and number words of the country: `₹45-50 lakhs`, `$300-400k`. */
  readonly estimated_range?: string | undefined;
  readonly factors: readonly string[];
  /** How the range was made. */
  readonly methodology: string;
  /** 0 to 1. */
  readonly confidence: number;
}

/** A source that the advisory rests on. */
export interface RAGSource {
  readonly type: RAGSourceType;
  readonly name: string;
  readonly url?: string | undefined;
  /** ISO 8601 date: `2026-01-15`. */
  readonly date: string;
}

/**
 * An advisory on a property or a market: it informs, and never decides. The field names are those of
 * the contract, version {@link ragSchemaVersion}; no other field is allowed.
 */
export interface RAGResponse {
  /** 2 or 3 sentences where it was generated. */
  readonly summary: string;
  readonly country: RAGCountry;
  /** 0 to 1, from the evidence. */
  readonly confidence: number;
  /** ISO 8601 with an offset or `Z`. */
  readonly retrieval_timestamp: string;
  /** The model's name; `extractive-1` without a model, `unknown` where there is no advisory. */
  readonly model_version: string;
  readonly market_context: RAGMarketContext;
  readonly risk_signals: readonly RAGRiskSignal[];
  readonly valuation_hint: RAGValuationHint;
  readonly sources: readonly RAGSource[];
  /** There when `confidence` is below 0.7. */
  readonly advisory_flag?: "LOW_CONFIDENCE" | undefined;
  readonly advisory_note?: string | undefined;
}

/** Version of the contract, of its schema file too. */
export const ragSchemaVersion = "1.0.0";
