import { describe, expect, it } from "vitest";
import { contractExample } from "../../test/advisory-example.js";
import {
  ADVISORY_NOTE,
  ADVISORY_THRESHOLD,
  confidenceBand,
  flagForReview,
  flagLowConfidence,
} from "./confidence-bands.js";
import { emptyAdvisory } from "./empty-advisory.js";
import { validateRAGResponse } from "./validate-rag-response.js";

const withConfidence = (confidence: number) => ({ ...contractExample, confidence });

describe("flagLowConfidence", () => {
  it("RAG-024: flags below 0.7, and from 0.7 on it does not", () => {
    const flags = [0.69, 0.6999, 0.7, 0.85].map(
      (confidence) => flagLowConfidence(withConfidence(confidence)).advisory_flag,
    );

    expect(ADVISORY_THRESHOLD).toBe(0.7);
    expect(flags).toEqual(["LOW_CONFIDENCE", "LOW_CONFIDENCE", undefined, undefined]);
  });

  it("RAG-025: gives the note with the flag, and only then", () => {
    expect(flagLowConfidence(withConfidence(0.5)).advisory_note).toBe(
      "This information has lower confidence. Verify with primary sources.",
    );
    expect(flagLowConfidence(withConfidence(0.8))).not.toHaveProperty("advisory_note");
  });

  it("RAG-026: gives a flagged copy, and leaves its input as it is", () => {
    const input = Object.freeze(withConfidence(0.5));

    expect(flagLowConfidence(input)).toEqual({
      ...input,
      advisory_flag: "LOW_CONFIDENCE",
      advisory_note: ADVISORY_NOTE,
    });
    expect(input).not.toHaveProperty("advisory_flag");
  });

  it("takes a flag away that the confidence does not call for", () => {
    const flagged = flagLowConfidence(withConfidence(0.5));

    expect(flagLowConfidence({ ...flagged, confidence: 0.8 })).toEqual(withConfidence(0.8));
  });
});

describe("confidenceBand", () => {
  it("RAG-027 RAG-028 RAG-029 RAG-030: has half-open bands, without gaps", () => {
    const bands = [1, 0.9, 0.895, 0.89, 0.7, 0.695, 0.69, 0.5, 0.49, 0].map(confidenceBand);

    expect(bands).toEqual([
      "high",
      "high",
      "medium",
      "medium",
      "medium",
      "low",
      "low",
      "low",
      "very-low",
      "very-low",
    ]);
  });
});

describe("flagForReview", () => {
  it("RAG-030: is true below 0.5 only", () => {
    expect([0.49, 0.5, 0.9].map((confidence) => flagForReview({ confidence }))).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe("emptyAdvisory", () => {
  it("RAG-038: keeps the schema, says that there is none, and is flagged", () => {
    const fallback = emptyAdvisory({ country: "UK", now: 0 });

    expect(() => validateRAGResponse(fallback)).not.toThrow();
    expect(fallback).toMatchObject({
      summary: "RAG advisory unavailable",
      country: "UK",
      confidence: 0,
      model_version: "unknown",
      risk_signals: [],
      sources: [],
      advisory_flag: "LOW_CONFIDENCE",
    });
  });
});
