import type { RAGResponse } from "./rag-response.js";

/** Below it an advisory is flagged. */
export const ADVISORY_THRESHOLD = 0.7;
/** Below it an advisory is withheld from the answer and kept for audit. */
export const REVIEW_THRESHOLD = 0.5;
/** From it on an advisory needs no caution. */
const highFrom = 0.9;

/** Goes with the flag. */
export const ADVISORY_NOTE = "This information has lower confidence. Verify with primary sources.";

/** How an advisory may be used: directly, with caution, advisory only, not at all. */
export type ConfidenceBand = "high" | "medium" | "low" | "very-low";

/**
 * The band of a confidence, each from its lower bound on: high from 0.9, medium from 0.7, low from
 * 0.5, else very low.
 */
export function confidenceBand(confidence: number): ConfidenceBand {
  if (confidence >= highFrom) return "high";
  if (confidence >= ADVISORY_THRESHOLD) return "medium";
  return confidence >= REVIEW_THRESHOLD ? "low" : "very-low";
}

/**
 * Flags an advisory whose confidence is below 0.7.
 *
 * @returns A new object: with flag and note below 0.7, without either from 0.7 on. The input stays
 *   as it is.
 */
export function flagLowConfidence<Advisory extends RAGResponse>(response: Advisory): Advisory {
  const { advisory_flag: _flag, advisory_note: _note, ...rest } = response;
  const flagged =
    response.confidence < ADVISORY_THRESHOLD
      ? { ...rest, advisory_flag: "LOW_CONFIDENCE", advisory_note: ADVISORY_NOTE }
      : rest;
  return flagged as unknown as Advisory; // the same fields, but for the two optional ones
}

/** Whether a person should review an advisory before anyone uses it: its confidence is below 0.5. */
export function flagForReview({ confidence }: Pick<RAGResponse, "confidence">): boolean {
  return confidence < REVIEW_THRESHOLD;
}
