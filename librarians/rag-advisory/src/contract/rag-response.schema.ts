import { z } from "zod";
import {
  type RAGCountry,
  type RAGMarketContext,
  type RAGResponse,
  type RAGRiskSignal,
  type RAGSource,
  type RAGValuationHint,
  ragSchemaVersion,
} from "./rag-response.js";

const share = () => z.number().min(0).max(1);

/** Checks a country; `GB` becomes `UK`. */
const countrySchema: z.ZodType<RAGCountry, RAGCountry | "GB"> = z
  .enum(["IN", "US", "UK", "GB"])
  .transform((country) => (country === "GB" ? "UK" : country));

/** Checks what the market is like. */
export const ragMarketContextSchema: z.ZodType<RAGMarketContext> = z.strictObject({
  location_insights: z.string().describe("City or region specific insights"),
  price_trends: z.string().describe("Historical and current trends"),
  market_conditions: z.string().describe("Supply, demand and inventory"),
  comparable_properties: z.string().optional().describe("Similar properties"),
});

/** Checks one risk signal. */
export const ragRiskSignalSchema: z.ZodType<RAGRiskSignal> = z.strictObject({
  type: z.enum(["PRICE", "LOCATION", "LEGAL", "MARKET", "REGULATORY"]),
  severity: z.enum(["LOW", "MEDIUM", "HIGH"]),
  description: z.string().describe("Factual description"),
  source: z.string().describe("Where this came from"),
});

const valuationHintSchema: z.ZodType<RAGValuationHint> = z.strictObject({
  estimated_range: z.string().optional().describe("Such as ₹45-50 lakhs or $300-400k"),
  factors: z.array(z.string()).describe("Factors considered"),
  methodology: z.string().describe("How the valuation was derived"),
  confidence: share(),
});

const sourceSchema: z.ZodType<RAGSource> = z.strictObject({
  type: z.enum(["GOVERNMENT", "MARKET_DATA", "REGULATORY", "THIRD_PARTY"]),
  name: z.string(),
  url: z.string().optional(),
  date: z.iso.date().describe("ISO 8601 date"),
});

/**
 * Checks the form of an advisory: exact, nothing unknown at any level. What its texts say is checked
 * by `validateRAGResponse`.
 */
export const ragResponseSchema: z.ZodType<RAGResponse> = z.strictObject({
  summary: z.string().describe("2-3 sentence advisory summary"),
  country: countrySchema,
  confidence: share(),
  retrieval_timestamp: z.iso
    .datetime({ offset: true })
    .describe("ISO 8601 timestamp with offset or Z"),
  model_version: z.string().describe("Model identifier"),
  market_context: ragMarketContextSchema,
  risk_signals: z.array(ragRiskSignalSchema),
  valuation_hint: valuationHintSchema,
  sources: z.array(sourceSchema),
  advisory_flag: z.literal("LOW_CONFIDENCE").optional(),
  advisory_note: z.string().optional(),
});

/**
 * The schema as JSON Schema (draft 2020-12), as published in
 * `@constellation/librarian-rag-advisory/schema/rag-response-1.0.0.json`. Built anew at each call.
 */
export function ragJsonSchema(): Readonly<Record<string, unknown>> {
  return {
    $id: `urn:constellation:rag-response:${ragSchemaVersion}`,
    title: `RAGResponse ${ragSchemaVersion}`,
    ...z.toJSONSchema(ragResponseSchema, {
      io: "input",
      // The library's own patterns change with its versions; the published file must not.
      override: ({ jsonSchema }) => {
        if (jsonSchema.format === "date") jsonSchema.pattern = "^\\d{4}-\\d{2}-\\d{2}$";
        if (jsonSchema.format === "date-time") {
          jsonSchema.pattern =
            "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d+)?(?:Z|[+-]\\d{2}:\\d{2})$";
        }
      },
    }),
  };
}
