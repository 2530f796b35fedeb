import { z } from "zod";
import type { RAGMarketContext, RAGRiskSignal } from "../contract/rag-response.js";
import { ragMarketContextSchema, ragRiskSignalSchema } from "../contract/rag-response.schema.js";

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

/** Checks the form of a draft. Field by field that of the locked schema. */
export const advisoryDraftSchema: z.ZodType<AdvisoryDraft> = z.strictObject({
  summary: z.string().describe("2 or 3 sentences"),
  market_context: ragMarketContextSchema,
  risk_signals: z.array(ragRiskSignalSchema),
  valuation_hint: z.strictObject({
    estimated_range: z.string().optional().describe("Only where a source states it"),
    factors: z.array(z.string()),
    methodology: z.string(),
  }),
  sources: z.array(z.string()).describe("Names of the sources used, exactly as given"),
});
