import { z } from "zod";

/** What a model says about a query before anybody is chosen. */
export interface QueryAnalysis {
  /** What the caller wants, in a sentence. */
  readonly intent: string;
  /** Subjects it touches. */
  readonly domains: readonly string[];
  readonly complexity: "simple" | "moderate" | "complex";
  /** Whether it has several subjects that different librarians answer. */
  readonly isMultiDomain: boolean;
  readonly urgency: "normal" | "high" | "critical";
  /** Ids of those who could answer, best first. */
  readonly suggestedLibrarians: readonly string[];
  readonly keywords: readonly string[];
  /** How sure, 0 to 1. */
  readonly analysisConfidence: number;
}

/** Bounded, because a small model can repeat itself until its tokens are spent. */
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
