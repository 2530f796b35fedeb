import { z } from "zod";
import type { RAGMarketContext, RAGRiskSignal } from "../contract/rag-response.js";

/** The part of an advisory that a model may write. Country, times, confidence and dates are ours. */
export interface AdvisoryDraft {
  readonly summary: string;
  readonly market_context: RAGMarketContext;
  readonly risk_signals: readonly RAGRiskSignal[];
  readonly valuation_hint: {
    readonly estimated_range?: string | undefined;
    readonly factors: readonly string[];
    readonly methodology: string;
  };
  /** Names of the sources it rests on. */
  readonly sources: readonly string[];
}

const text = (what: string) => z.string().max(2_000).describe(what);
const name = (what: string) => z.string().max(300).describe(what);

/**
 * Checks the form of a draft: field by field that of the locked schema, with an upper limit for each
 * text and list, because a small model can repeat itself until its tokens are spent.
 */
export const advisoryDraftSchema: z.ZodType<AdvisoryDraft> = z.strictObject({
  summary: text("2 or 3 sentences"),
  market_context: z.strictObject({
    location_insights: text("City or region specific insights"),
    price_trends: text("Historical and current trends"),
    market_conditions: text("Supply, demand and inventory"),
    comparable_properties: text("Similar properties").optional(),
  }) satisfies z.ZodType<RAGMarketContext>,
  risk_signals: z
    .array(
      z.strictObject({
        type: z.enum(["PRICE", "LOCATION", "LEGAL", "MARKET", "REGULATORY"]),
        severity: z.enum(["LOW", "MEDIUM", "HIGH"]),
        description: text("Factual description"),
        source: name("Where this came from"),
      }) satisfies z.ZodType<RAGRiskSignal>,
    )
    .max(16),
  valuation_hint: z.strictObject({
    estimated_range: name("Only where a source states it").optional(),
    factors: z.array(name("Factor considered")).max(16),
    methodology: text("How the valuation was derived"),
  }),
  sources: z
    .array(name("Name of a source"))
    .max(32)
    .describe("Names of the sources used, exactly as given"),
});
