import { z } from "zod";

/** A model's analysis of a query, before delegates are chosen. */
export interface QueryAnalysis {
  /** What the caller wants, in a sentence. */
  readonly intent: string;
  /** Subjects of the query. */
  readonly domains: readonly string[];
  readonly complexity: "simple" | "moderate" | "complex";
  /** Whether it has several subjects that different librarians answer. */
  readonly isMultiDomain: boolean;
  readonly urgency: "normal" | "high" | "critical";
  /** Ids of librarians that could answer, best first. */
  readonly suggestedLibrarians: readonly string[];
  readonly keywords: readonly string[];
  /** Confidence, 0 to 1. */
  readonly analysisConfidence: number;
}

/** Bounded, because a small model can repeat itself until its tokens run out. */
const terms = z.array(z.string().max(200)).max(32);

/** Checks a {@link QueryAnalysis}. */
export const queryAnalysisSchema: z.ZodType<QueryAnalysis> = z.object({
  intent: z.string().max(2_000),
  domains: terms,
  complexity: z.enum(["simple", "moderate", "complex"]),
  isMultiDomain: z.boolean(),
  urgency: z.enum(["normal", "high", "critical"]),
  suggestedLibrarians: terms,
  keywords: terms,
  analysisConfidence: z.number().min(0).max(1),
});
