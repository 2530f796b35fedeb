import { flagLowConfidence } from "./confidence-bands.js";
import type { RAGCountry, RAGResponse } from "./rag-response.js";

/** Summary of the fallback. */
export const unavailableSummary = "RAG advisory unavailable";

/** What an empty advisory says. */
export interface EmptyAdvisoryOptions {
  readonly country: RAGCountry;
  /** Epoch milliseconds. */
  readonly now: number;
  /** @default "RAG advisory unavailable" */
  readonly summary?: string | undefined;
  /** @default "unknown" */
  readonly modelVersion?: string | undefined;
}

/** An advisory without content: valid in the schema, confidence 0, flagged. */
export function emptyAdvisory(options: EmptyAdvisoryOptions): RAGResponse {
  const { country, now, summary = unavailableSummary, modelVersion = "unknown" } = options;
  return flagLowConfidence({
    summary,
    country,
    confidence: 0,
    retrieval_timestamp: new Date(now).toISOString(),
    model_version: modelVersion,
    market_context: { location_insights: "", price_trends: "", market_conditions: "" },
    risk_signals: [],
    valuation_hint: { factors: [], methodology: "", confidence: 0 },
    sources: [],
  });
}
