import { readFileSync } from "node:fs";
import { createRouter } from "@constellation/core";
import { SpanKind, trace } from "@opentelemetry/api";
import { InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { dataRows, passage, testNow } from "../../test/sample-market.js";
import { brokenStore, storeOf } from "../../test/stores.js";
import type { RAGCountry } from "../contract/rag-response.js";
import { ragResponseSchema } from "../contract/rag-response.schema.js";
import { validateRAGResponse } from "../contract/validate-rag-response.js";
import { resolvePlaces } from "../question/resolve-places.js";
import { readQuestion } from "../question/understand.js";
import { createRagAdvisoryLibrarian } from "../rag-advisory-librarian.js";
import type { VectorStore } from "../store/vector-store.js";
import { createCountryAdapter } from "./country-adapter.js";
import { tracerVersion } from "./retrieve.js";

const markets: Readonly<
  Record<
    RAGCountry,
    {
      readonly query: string;
      readonly city: string;
      readonly price: number;
      readonly range: string;
    }
  >
> = {
  IN: {
    query: "What does a 2BHK in Vizag cost?",
    city: "Visakhapatnam",
    price: 4_600_000,
    range: "₹46.1-46.2 lakhs",
  },
  US: {
    query: "What does a 2 bedroom condo in Austin cost?",
    city: "Austin",
    price: 460_000,
    range: "$461-462k",
  },
  UK: {
    query: "What does a 2 bed flat in Leeds cost?",
    city: "Leeds",
    price: 230_000,
    range: "£230-231k",
  },
};

async function marketStore(country: RAGCountry): Promise<VectorStore> {
  const { city, price } = markets[country];
  return storeOf([
    ...dataRows(
      [0, 1, 2, 3].map((at) => ({
        date: `2026-0${at + 1}-10`,
        property_type: "apartment",
        bedrooms: 2,
        price: price * (1 + at / 600),
      })),
      { country, city, source: `${city} Register` },
    ),
    passage(`Apartment prices in ${city} rose 3 % in 2026.`, {
      country,
      city,
      source: `${city} Notes`,
    }),
  ]);
}

function ask(
  country: RAGCountry,
  store: VectorStore,
  query = markets[country].query,
): Promise<unknown> {
  const found = resolvePlaces(query);
  if (found.kind !== "one") throw new Error("expected a question about one country");
  const adapter = createCountryAdapter({
    country,
    store: async () => store,
    dataSource: "test",
    recordContent: false,
    isExtractive: true,
    now: () => testNow,
  });
  const question = readQuestion(query, country, found.place);
  return adapter.query(query, {
    question,
    context: {},
    signal: new AbortController().signal,
    record: () => undefined,
  });
}

describe.each(["IN", "US", "UK"] as const)("the adapter of %s", (country) => {
  it("RAG-043: gives an advisory that matches the schema, of its country", async () => {
    const advisory = await ask(country, await marketStore(country));

    expect(() => validateRAGResponse(advisory)).not.toThrow();
    expect(advisory).toMatchObject({ country, sources: [{}, {}] });
  });

  it("RAG-043: matches the schema when it finds nothing", async () => {
    const advisory = await ask(country, await storeOf([]));

    expect(() => validateRAGResponse(advisory)).not.toThrow();
    expect(advisory).toMatchObject({ country, confidence: 0, sources: [] });
  });

  it("RAG-016: writes money as the country does", async () => {
    const advisory = ragResponseSchema.parse(await ask(country, await marketStore(country)));

    expect(advisory.valuation_hint.estimated_range).toBe(markets[country].range);
  });

  it("rejects when the store does", async () => {
    const store = brokenStore(() => Promise.reject(new Error("down")));

    await expect(ask(country, store)).rejects.toThrow("down");
  });
});

describe("the span of a search", () => {
  let exporter: InMemorySpanExporter;
  let provider: NodeTracerProvider;

  beforeEach(() => {
    exporter = new InMemorySpanExporter();
    provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
    provider.register();
  });

  afterEach(async () => {
    await provider.shutdown();
    trace.disable();
  });

  it("names the store and how many passages are looked for, below the librarian's hop", async () => {
    const router = createRouter();
    router.register(createRagAdvisoryLibrarian({ id: "property", store: await marketStore("UK") }));

    await router.ask(markets.UK.query);
    await router.close();

    const spans = exporter.getFinishedSpans();
    const span = spans.find(({ name }) => name === "retrieval property");
    const hop = spans.find(({ name }) => name === "invoke_agent property");
    expect(span).toMatchObject({
      kind: SpanKind.CLIENT,
      attributes: {
        "gen_ai.operation.name": "retrieval",
        "gen_ai.data_source.id": "property",
        "gen_ai.retrieval.top_k": 5,
      },
      instrumentationScope: {
        name: "@constellation/librarian-rag-advisory",
        version: tracerVersion,
      },
    });
    expect(span?.parentSpanContext?.spanId).toBe(hop?.spanContext().spanId);
  });

  it("has the query only where that is asked for, and an error where the store fails", async () => {
    const store = await marketStore("UK");
    await createRagAdvisoryLibrarian({ store }).librarian(markets.UK.query);
    await createRagAdvisoryLibrarian({ store, recordContent: true }).librarian(markets.UK.query);
    await createRagAdvisoryLibrarian({
      store: brokenStore(() => Promise.reject(new Error("down"))),
    }).librarian(markets.UK.query);

    const spans = exporter.getFinishedSpans();
    expect(spans.map(({ attributes }) => attributes["gen_ai.retrieval.query.text"])).toEqual([
      undefined,
      markets.UK.query,
      undefined,
    ]);
    expect(spans[2]?.attributes["error.type"]).toBe("_OTHER");
  });

  it("is made by a tracer of this package's version", () => {
    const { version } = JSON.parse(
      readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
    ) as { version: string };

    expect(tracerVersion).toBe(version);
  });
});
