import type { RAGResponse } from "../src/contract/rag-response.js";

/** The valid response that the contract gives as its example. */
export const contractExample: RAGResponse = {
  summary:
    "Advisory analysis for buying a home in Vizag, Andhra Pradesh, India. Market shows steady growth with RERA-compliant properties available in the ₹45-50 lakh range.",
  country: "IN",
  confidence: 0.85,
  retrieval_timestamp: "2026-01-16T10:30:00+05:30",
  model_version: "llama3:latest",
  market_context: {
    location_insights:
      "Vizag is a major port city with growing IT sector. Property demand is steady in residential areas.",
    price_trends: "Prices have increased 8% YoY. Current average: ₹4,500/sqft in prime areas.",
    market_conditions: "Supply-demand balanced. RERA registration required for all transactions.",
    comparable_properties: "Similar 2BHK apartments in area: ₹45-50 lakhs",
  },
  risk_signals: [
    {
      type: "REGULATORY",
      severity: "MEDIUM",
      description: "Ensure RERA registration verified before purchase",
      source: "RERA Andhra Pradesh Portal",
    },
  ],
  valuation_hint: {
    estimated_range: "₹45-50 lakhs",
    factors: ["Location", "RERA compliance", "Market trends"],
    methodology: "Based on comparable properties and market data",
    confidence: 0.8,
  },
  sources: [
    {
      type: "GOVERNMENT",
      name: "RERA Andhra Pradesh",
      url: "https://rera.ap.gov.in",
      date: "2026-01-15",
    },
    { type: "MARKET_DATA", name: "India Property Market Report 2025", date: "2025-12-01" },
  ],
};

/** The example with one place of it, by path, set to a value; `undefined` takes it out. */
export function exampleWith(path: string, value: unknown): unknown {
  const copy: unknown = structuredClone(contractExample);
  const keys = path.split(".");
  const last = keys.pop() ?? "";
  const parent = keys.reduce<unknown>(
    (at, key) => (at as Readonly<Record<string, unknown>>)[key], // a path of the example
    copy,
  ) as Record<string, unknown>;
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return copy;
}
