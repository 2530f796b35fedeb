import { describe, expect, it } from "vitest";
import { contractExample, exampleWith } from "../../test/advisory-example.js";
import { ragResponseSchema } from "./rag-response.schema.js";
import {
  maxAdvisoryLength,
  parseRAGResponse,
  RAGResponseError,
  validateRAGResponse,
} from "./validate-rag-response.js";

const isValid = (path: string, value: unknown) =>
  ragResponseSchema.safeParse(exampleWith(path, value)).success;
const validity = (path: string, values: readonly unknown[]) =>
  values.map((value) => isValid(path, value));

describe("the locked schema", () => {
  it("RAG-023: takes the example of the contract and gives it back unchanged, without a flag", () => {
    const parsed = parseRAGResponse(contractExample);

    expect(parsed).toEqual(contractExample);
    expect(parsed).not.toHaveProperty("advisory_flag");
  });

  it("RAG-005: needs a summary and the name of a model, as text", () => {
    expect(validity("summary", [undefined, 1])).toEqual([false, false]);
    expect(validity("model_version", [undefined, 1])).toEqual([false, false]);
    expect(validity("model_version", ["llama3:latest", "gpt-4o-mini", "claude-3-sonnet"])).toEqual([
      true,
      true,
      true,
    ]);
  });

  it("RAG-006: takes a summary of one sentence", () => {
    expect(isValid("summary", "Prices in Vizag rose.")).toBe(true);
  });

  it("RAG-007: takes IN, US, UK and GB, which becomes UK, and no other country", () => {
    const countries = ["IN", "US", "UK", "GB"].map(
      (country) => ragResponseSchema.parse(exampleWith("country", country)).country,
    );

    expect(countries).toEqual(["IN", "US", "UK", "UK"]);
    expect(validity("country", ["FR", "", "in", undefined])).toEqual([false, false, false, false]);
  });

  it("RAG-008: needs a confidence from 0 to 1, both included", () => {
    expect(validity("confidence", [0, 1])).toEqual([true, true]);
    expect(validity("confidence", [-0.1, 1.1, Number.NaN, "0.8", undefined])).toEqual(
      Array(5).fill(false),
    );
  });

  it("RAG-009: needs a timestamp with an offset or Z", () => {
    expect(
      validity("retrieval_timestamp", ["2026-01-16T10:30:00+05:30", "2026-01-16T05:00:00Z"]),
    ).toEqual([true, true]);
    expect(
      validity("retrieval_timestamp", [
        "yesterday",
        "2026-13-01T00:00:00Z",
        "2026-01-16T10:30:00",
        undefined,
      ]),
    ).toEqual([false, false, false, false]);
  });

  it.each(["location_insights", "price_trends", "market_conditions"])(
    "RAG-010: needs market_context with %s as text",
    (field) => {
      expect(validity(`market_context.${field}`, [undefined, 5])).toEqual([false, false]);
      expect(isValid("market_context", undefined)).toBe(false);
    },
  );

  it("RAG-011: may have comparable properties, as text", () => {
    expect(validity("market_context.comparable_properties", [undefined, "x", []])).toEqual([
      true,
      true,
      false,
    ]);
  });

  it("RAG-012: needs a list of risk signals, which may be empty", () => {
    expect(validity("risk_signals", [[], {}, undefined])).toEqual([true, false, false]);
  });

  it("RAG-013: knows five types of risk and three severities, in capitals", () => {
    expect(
      validity("risk_signals.0.type", ["PRICE", "LOCATION", "LEGAL", "MARKET", "REGULATORY"]),
    ).toEqual(Array(5).fill(true));
    expect(validity("risk_signals.0.severity", ["LOW", "MEDIUM", "HIGH"])).toEqual(
      Array(3).fill(true),
    );
    expect(validity("risk_signals.0.type", ["price", "CREDIT", undefined])).toEqual(
      Array(3).fill(false),
    );
    expect(validity("risk_signals.0.severity", ["CRITICAL", undefined])).toEqual([false, false]);
  });

  it("RAG-014: needs a description and a source of each risk", () => {
    expect(isValid("risk_signals.0.description", undefined)).toBe(false);
    expect(isValid("risk_signals.0.source", undefined)).toBe(false);
  });

  it("RAG-015: needs a valuation hint with factors, methodology and confidence", () => {
    for (const path of ["", ".factors", ".methodology", ".confidence"]) {
      expect(isValid(`valuation_hint${path}`, undefined)).toBe(false);
    }
    expect(isValid("valuation_hint.confidence", 1.5)).toBe(false);
    expect(isValid("valuation_hint.factors", [])).toBe(true);
  });

  it("RAG-016: may have a range, which comes through as it is written", () => {
    expect(
      validity("valuation_hint.estimated_range", ["₹45-50 lakhs", "$300-400k", undefined, 45]),
    ).toEqual([true, true, true, false]);
    expect(parseRAGResponse(contractExample).valuation_hint.estimated_range).toBe("₹45-50 lakhs");
  });

  it("RAG-017: needs a list of sources, which may be empty", () => {
    expect(validity("sources", [[], undefined])).toEqual([true, false]);
  });

  it("RAG-018: knows four types of source", () => {
    expect(
      validity("sources.0.type", ["GOVERNMENT", "MARKET_DATA", "REGULATORY", "THIRD_PARTY"]),
    ).toEqual(Array(4).fill(true));
    expect(validity("sources.0.type", ["BLOG", undefined])).toEqual([false, false]);
  });

  it("RAG-019: needs a name and a date that exists of each source", () => {
    expect(isValid("sources.0.date", "2026-01-15")).toBe(true);
    expect(validity("sources.0.date", ["15/01/2026", "2026-02-30", undefined])).toEqual(
      Array(3).fill(false),
    );
    expect(isValid("sources.0.name", undefined)).toBe(false);
  });

  it("RAG-020: may have a url of a source, as text", () => {
    expect(validity("sources.0.url", [undefined, "https://rera.ap.gov.in", 5])).toEqual([
      true,
      true,
      false,
    ]);
  });

  it("RAG-021: refuses what it does not know at every level, and takes only the two flags besides", () => {
    const places = ["", "market_context.", "risk_signals.0.", "valuation_hint.", "sources.0."];

    expect(places.map((place) => isValid(`${place}extra`, "x"))).toEqual(Array(5).fill(false));
    expect(isValid("advisory_flag", "LOW_CONFIDENCE")).toBe(true);
    expect(isValid("advisory_note", "Verify.")).toBe(true);
    expect(isValid("advisory_flag", "OK")).toBe(false);
  });
});

describe("validateRAGResponse", () => {
  it("RAG-037: throws for what is invalid, naming the field, and returns quietly else", () => {
    expect(() => validateRAGResponse(exampleWith("country", undefined))).toThrow(/country/);
    expect(validateRAGResponse(contractExample)).toBeUndefined();
  });

  it.each([
    "summary",
    "country",
    "confidence",
    "retrieval_timestamp",
    "model_version",
    "market_context",
    "market_context.location_insights",
    "market_context.price_trends",
    "market_context.market_conditions",
    "risk_signals",
    "risk_signals.0.type",
    "risk_signals.0.severity",
    "risk_signals.0.description",
    "risk_signals.0.source",
    "valuation_hint",
    "valuation_hint.factors",
    "valuation_hint.methodology",
    "valuation_hint.confidence",
    "sources",
    "sources.0.type",
    "sources.0.name",
    "sources.0.date",
  ])("RAG-022: names the path where %s is missing", (path) => {
    const invalid = exampleWith(path, undefined);

    expect(() => validateRAGResponse(invalid)).toThrow(RAGResponseError);
    expect(() => validateRAGResponse(invalid)).toThrow(`${path}:`);
  });

  it.each([undefined, null, 42, "Prices rose.", [], {}])("refuses %j", (value) => {
    expect(() => validateRAGResponse(value)).toThrow(RAGResponseError);
  });

  it("refuses an advisory that no one can read", () => {
    const long = exampleWith("summary", "a ".repeat(maxAdvisoryLength));

    expect(() => validateRAGResponse(long)).toThrow(/at most 200000/);
  });

  it.each([
    "summary",
    "market_context.price_trends",
    "risk_signals.0.description",
    "valuation_hint.methodology",
    "valuation_hint.factors.0",
  ])("RAG-032 RAG-033 RAG-034: refuses decision, action and unfactual language in %s", (path) => {
    for (const text of [
      "You should buy this property",
      "Contact this agent",
      "This is a great deal",
    ]) {
      expect(() => validateRAGResponse(exampleWith(path, text))).toThrow(path);
    }
  });

  it("reports the piece that breaks a content rule, and where it stands", () => {
    const value = exampleWith("summary", "Prices rose. This is a great deal.");

    const thrown = catchError(() => validateRAGResponse(value));

    expect(thrown).toMatchObject({
      violations: [{ path: "summary", rule: "unfactual", text: "great deal", start: 23, end: 33 }],
    });
  });

  it("RAG-032 RAG-033 RAG-034: takes what the contract calls right", () => {
    for (const text of [
      "Market conditions suggest favorable pricing",
      "Agent matching services available in this region",
      "Price is 15% below market average for this area",
    ]) {
      expect(() => validateRAGResponse(exampleWith("summary", text))).not.toThrow();
      expect(() =>
        validateRAGResponse(exampleWith("risk_signals.0.description", text)),
      ).not.toThrow();
    }
  });
});

function catchError(call: () => void): unknown {
  try {
    call();
  } catch (thrown) {
    return thrown;
  }
  throw new Error("expected it to throw");
}
