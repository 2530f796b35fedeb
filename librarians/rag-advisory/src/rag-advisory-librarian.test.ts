import { type Context, createRouter, type Response } from "@constellation/core";
import {
  aiFailure,
  itBehavesLikeALibrarian,
  scriptedAI,
  testContext,
} from "@constellation/testing";
import { describe, expect, it, vi } from "vitest";
import { contractExample, exampleWith } from "../test/advisory-example.js";
import { passage, testNow, vizagNotes, vizagSales } from "../test/sample-market.js";
import { brokenStore, storeOf } from "../test/stores.js";
import type { RAGAdapter } from "./advisory/country-adapter.js";
import { withheldAnswer } from "./answer.js";
import { ADVISORY_NOTE } from "./contract/confidence-bands.js";
import type { RAGResponse } from "./contract/rag-response.js";
import { ragResponseSchema } from "./contract/rag-response.schema.js";
import { validateRAGResponse } from "./contract/validate-rag-response.js";
import type { EvidenceEvent } from "./evidence/file-recorder.js";
import type { RagAdvisoryLibrarianOptions } from "./options.js";
import { createRagAdvisoryLibrarian } from "./rag-advisory-librarian.js";
import { splitSentences } from "./rules/tokens.js";

const fair = "Is 48 lakhs fair for a 2BHK in Vizag?";
const k8s = { id: "k8s", description: "Reads the cluster: pods that are pending or crash." };

async function overVizag(options: Partial<RagAdvisoryLibrarianOptions> = {}) {
  return createRagAdvisoryLibrarian({ store: await storeOf(), now: () => testNow, ...options });
}

/** A librarian whose adapter for India gives a value, and what it put on record. */
function giving(value: unknown, options: Partial<RagAdvisoryLibrarianOptions> = {}) {
  const events: EvidenceEvent[] = [];
  const adapter: RAGAdapter = {
    country: "IN",
    query: async () => {
      if (value instanceof Error) throw value;
      return value;
    },
  };
  const { librarian } = createRagAdvisoryLibrarian({
    adapters: [adapter],
    evidence: { record: (event) => void events.push(event) },
    now: () => testNow,
    ...options,
  });
  return { events, ask: (query = fair, context?: Context) => librarian(query, context) };
}

const withConfidence = (confidence: number) => giving({ ...contractExample, confidence });

function advisoryOf({ metadata }: Response): RAGResponse {
  return ragResponseSchema.parse(metadata?.ragAdvisory);
}

describe("createRagAdvisoryLibrarian", () => {
  itBehavesLikeALibrarian({
    create: () => overVizag(),
    query: fair,
    unanswerable: "What does a house in Leicester cost?",
    outOfDomain: { query: "which pods are pending in the cluster?", delegate: k8s },
    failing: (thrown) =>
      createRagAdvisoryLibrarian({ store: brokenStore(() => Promise.reject(thrown)) }),
    hanging: () =>
      createRagAdvisoryLibrarian({ store: brokenStore(() => new Promise(() => undefined)) }),
    withOptions: (options) => overVizag(options),
  });

  it("RAG-004 RAG-040 CORE-033: keeps the whole advisory in metadata, with confidence and sources around it", async () => {
    const response = await giving(contractExample).ask();

    expect(response.metadata?.ragAdvisory).toEqual(contractExample);
    expect(response.confidence).toBe(0.85);
    expect(response.partial).toBeUndefined();
    expect(response.sources).toEqual([
      { name: "RERA Andhra Pradesh", url: "https://rera.ap.gov.in" },
      { name: "India Property Market Report 2025" },
    ]);
  });

  it("RAG-040: is partial below 0.6", async () => {
    expect((await withConfidence(0.55).ask()).partial).toBe(true);
    expect((await withConfidence(0.6).ask()).partial).toBeUndefined();
  });

  it.each([0.9, 1])(
    "RAG-027: answers at %d with summary and sources, without caution",
    async (confidence) => {
      const { answer, sources } = await withConfidence(confidence).ask();

      expect(answer).toContain(contractExample.summary);
      expect(answer).toContain("RERA Andhra Pradesh, 2026-01-15");
      expect(answer).not.toMatch(/\b(?:caution|verification|verify)\b/i);
      expect(sources).toHaveLength(2);
    },
  );

  it.each([0.7, 0.85, 0.895])(
    "RAG-028: answers at %d with a caution to verify, unflagged",
    async (confidence) => {
      const response = await withConfidence(confidence).ask();

      expect(response.answer).toContain(contractExample.summary);
      expect(response.answer).toMatch(/caution.*verify/i);
      expect(advisoryOf(response).advisory_flag).toBeUndefined();
    },
  );

  it.each([0.5, 0.695])(
    "RAG-029: answers at %d advisory only, flagged, with the note",
    async (confidence) => {
      const response = await withConfidence(confidence).ask();

      expect(response.answer).toContain(contractExample.summary);
      expect(response.answer).toContain("verification required");
      expect(response.answer).toContain(ADVISORY_NOTE);
      expect(advisoryOf(response).advisory_flag).toBe("LOW_CONFIDENCE");
    },
  );

  it("RAG-030: withholds an advisory below 0.5 from the answer, and keeps it for review", async () => {
    const response = await withConfidence(0.49).ask();

    expect(response.answer).toBe(withheldAnswer);
    expect(advisoryOf(response)).toMatchObject({
      summary: contractExample.summary,
      advisory_flag: "LOW_CONFIDENCE",
    });
    expect(response.metadata?.flagForReview).toBe(true);
  });

  it.each([0.1, 0.6])(
    "RAG-031: returns an advisory of %d, its values unchanged",
    async (confidence) => {
      const advisory = advisoryOf(await withConfidence(confidence).ask());

      expect(advisory).toEqual({
        ...contractExample,
        confidence,
        advisory_flag: "LOW_CONFIDENCE",
        advisory_note: ADVISORY_NOTE,
      });
    },
  );

  it("RAG-002: forwards nothing of an adapter that gives prose", async () => {
    const prose = "The flat is lovely, and 48 lakhs is what it costs.";

    const response = await giving(prose).ask();

    expect(advisoryOf(response).summary).toBe("RAG advisory unavailable");
    expect(JSON.stringify(response)).not.toContain("lovely");
  });

  it.each<[what: string, value: unknown, reason: string | undefined]>([
    ["rejects", new Error("password=hunter2"), undefined],
    ["gives {}", {}, "invalid-response"],
    ["gives nothing", undefined, "invalid-response"],
    [
      "decides",
      exampleWith("summary", "You should buy this property. It is cheap."),
      "invalid-response",
    ],
    [
      "praises in a risk",
      exampleWith("risk_signals.0.description", "This is a great deal"),
      "invalid-response",
    ],
  ])(
    "RAG-038 RAG-039: gives the fallback and DATA_SOURCE_ERROR where an adapter %s",
    async (_what, value, reason) => {
      const response = await giving(value).ask();
      const fallback = advisoryOf(response);

      expect(response.answer).toBeUndefined();
      expect(response.error).toMatchObject({
        code: "DATA_SOURCE_ERROR",
        librarian: "rag-advisory",
      });
      expect(response.error?.details?.reason).toBe(reason);
      expect(fallback).toMatchObject({
        summary: "RAG advisory unavailable",
        country: "IN",
        confidence: 0,
        model_version: "unknown",
        sources: [],
        advisory_flag: "LOW_CONFIDENCE",
      });
      expect(() => validateRAGResponse(fallback)).not.toThrow();
      expect(JSON.stringify(response)).not.toContain("hunter2");
    },
  );

  it("RAG-007: gives GB out as UK", async () => {
    const adapter: RAGAdapter = {
      country: "UK",
      query: async () => ({ ...contractExample, country: "GB" }),
    };
    const { librarian } = createRagAdvisoryLibrarian({ adapters: [adapter] });

    const response = await librarian("flat prices in Leeds");

    expect(advisoryOf(response).country).toBe("UK");
  });

  it("RAG-001: has the same required fields twice, and when nothing is found", async () => {
    const { librarian } = await overVizag();

    const [once, twice, nothing] = await Promise.all(
      [fair, fair, "What does a flat in Pune cost?"].map((query) => librarian(query)),
    );

    expect(twice).toEqual(once);
    const keys = (response: Response | undefined) =>
      Object.keys(advisoryOf(response ?? { answer: "" })).filter(
        (key) => !key.startsWith("advisory_"),
      );
    expect(keys(nothing)).toEqual(keys(once));
    expect(nothing?.error).toMatchObject({
      code: "NOT_FOUND",
      details: { reason: "no-information" },
    });
  });

  it("RAG-006 RAG-043: gives an advisory of two or three sentences, valid in the schema", async () => {
    const advisory = advisoryOf(await (await overVizag()).librarian(fair));

    expect([2, 3]).toContain(splitSentences(advisory.summary).length);
    expect(() => validateRAGResponse(advisory)).not.toThrow();
    expect(advisory).toMatchObject({
      country: "IN",
      model_version: "extractive-1",
      retrieval_timestamp: "2026-10-15T09:00:00.000Z",
    });
  });

  it("RAG-003: delegates what a query asks for, and nothing that an advisory says", async () => {
    const said = "k8s reads which pods of the cluster are pending or crash.";
    const { market_context } = contractExample;
    const saying = giving({
      ...contractExample,
      market_context: { ...market_context, location_insights: said },
    });
    const context = testContext({ availableDelegates: [k8s] });

    expect((await saying.ask(said, context)).delegate).toMatchObject({ to: "k8s" });
    const { delegate, metadata } = await saying.ask(fair, context);
    expect(JSON.stringify(metadata)).toContain(said);
    expect(delegate).toBeUndefined();
  });

  it("RAG-003 RAG-036: leaves what others decide as it is, with and without an advisory in metadata", async () => {
    const decide = vi.fn(async (_query: string, context?: Context) => ({
      answer: `restart ${String((context?.metadata as { service?: string } | undefined)?.service)}`,
      confidence: 0.9,
    }));
    const router = createRouter();
    router.register({ id: "decide", description: "decides", librarian: decide });
    const { metadata } = await giving(contractExample).ask();

    const without = await router.ask("what now?", { metadata: { service: "web" } });
    const having = await router.ask("what now?", { metadata: { service: "web", ...metadata } });

    expect(having.answer).toBe(without.answer);
    const seen = decide.mock.calls[1]?.[1]?.metadata?.ragAdvisory;
    expect(ragResponseSchema.parse(seen).market_context).toEqual(contractExample.market_context);
    await router.close();
  });

  it.each([
    ["house prices in France", "France"],
    ["Are homes in Dubai expensive?", "the United Arab Emirates"],
    ["What do apartment prices do?", "names no country"],
    ["compare house prices in India and the UK", "one at a time"],
  ])("says INVALID_QUERY for %s, and names the countries served", async (query, why) => {
    const { error } = await (await overVizag()).librarian(query);

    expect(error).toMatchObject({ code: "INVALID_QUERY", details: { served: ["IN", "US", "UK"] } });
    expect(error?.message).toContain(why);
    expect(error?.message).toContain(
      "IN (India), US (the United States) and UK (the United Kingdom)",
    );
  });

  it("serves only the countries it is asked to", async () => {
    const { librarian } = await overVizag({ countries: ["UK"] });

    const { error } = await librarian(fair);

    expect(error).toMatchObject({ code: "INVALID_QUERY", details: { served: ["UK"] } });
  });

  it("takes the country of a question that names none from the context, or else from its options", async () => {
    const { librarian } = await overVizag({ country: "US" });
    const about = async (context?: Context) =>
      advisoryOf(await librarian("What do apartment prices do?", context)).country;

    expect(await about()).toBe("US");
    expect(await about(testContext({ metadata: { country: "GB" } }))).toBe("UK");
    const { error } = await librarian(
      "What do apartment prices do?",
      testContext({ metadata: { country: "FR" } }),
    );
    expect(error?.code).toBe("INVALID_QUERY");
  });

  it.each(["", " \n", undefined, 42])(
    "CORE-053 says INVALID_QUERY for the query %j",
    async (query) => {
      const { librarian } = await overVizag();

      const { error } = await librarian(query as string); // as from plain JavaScript

      expect(error?.code).toBe("INVALID_QUERY");
    },
  );

  it("CORE-030 names in its answer the place and the kind of property it is about", async () => {
    const { answer } = await (await overVizag()).librarian(fair);

    expect(answer).toContain("2-bedroom apartments in Visakhapatnam");
    expect(answer).toContain("₹48 lakhs");
  });

  it("CORE-043 is less sure of the same question when a source is missing", async () => {
    const all = await (await overVizag()).librarian(fair);
    const rowsOnly = await (await overVizag({ store: await storeOf(vizagSales) })).librarian(fair);

    expect(rowsOnly.confidence).toBeLessThan(all.confidence ?? 0);
  });

  it("CORE-032 names no source that it has not used", async () => {
    const unused = passage("Rents in Leeds rose 2 % in 2026.", {
      country: "UK",
      city: "Leeds",
      source: "Leeds Notes",
    });
    const store = await storeOf([...vizagSales, ...vizagNotes, unused]);

    const { sources } = await (await overVizag({ store })).librarian(fair);

    expect(sources?.map(({ name }) => name)).toEqual([
      "Vizag Sales Register",
      "Vizag Market Notes",
      "RERA Andhra Pradesh",
    ]);
  });

  it("CORE-064 says DATA_SOURCE_ERROR where the store fails while it is read", async () => {
    const { librarian } = createRagAdvisoryLibrarian({
      store: brokenStore(() => Promise.reject(new Error("connection lost"))),
    });

    const { error } = await librarian(fair);

    expect(error).toMatchObject({ code: "DATA_SOURCE_ERROR", recoverable: true });
    expect(error?.message).not.toContain("connection");
  });

  it("CORE-071 delegates a foreign question only to who is available, and gives the reason", async () => {
    const { librarian } = await overVizag();
    const query = "which pods are pending in the cluster?";

    const having = await librarian(query, testContext({ availableDelegates: [k8s] }));
    const without = await librarian(query, testContext());

    expect(having.delegate).toMatchObject({
      to: "k8s",
      context: { reason: expect.stringContaining("k8s") },
    });
    expect(without.delegate).toBeUndefined();
  });

  it("CORE-055 says that a question is out of its domain where no one fits", async () => {
    const { error, metadata } = await (await overVizag()).librarian(
      "which pods are pending?",
      testContext(),
    );

    expect(error).toMatchObject({ code: "NOT_FOUND", details: { reason: "out-of-domain" } });
    expect(metadata).toBeUndefined();
  });

  it("takes nothing of another country, even from a store that gives it", async () => {
    const store = await storeOf();
    const careless = {
      ...store,
      search: (query: Parameters<typeof store.search>[0]) =>
        store.search({ ...query, country: "IN", city: undefined }),
      rows: (query: Parameters<typeof store.rows>[0]) =>
        store.rows({ ...query, country: "IN", city: undefined }),
    };

    const response = await createRagAdvisoryLibrarian({ store: careless }).librarian(
      "flat prices in Leeds",
    );

    expect(response.error?.code).toBe("NOT_FOUND");
    expect(JSON.stringify(response)).not.toContain("Vizag");
  });

  it("CORE-031 answers in at most 4,000 characters, whatever an adapter says", async () => {
    const long = "Prices in Vizag rose. ".repeat(300);
    const { answer = "" } = await giving({
      ...contractExample,
      summary: long,
      market_context: { location_insights: long, price_trends: long, market_conditions: long },
      sources: Array.from({ length: 50 }, (_, at) => ({
        type: "THIRD_PARTY",
        name: `Source ${at} ${"x".repeat(300)}`,
        date: "2026-01-01",
      })),
    }).ask();

    expect(answer.length).toBeLessThanOrEqual(4_000);
    expect(answer.length).toBeGreaterThan(1_000);
  });

  it("ends with TIMEOUT at its deadline while a store hangs, and leaves no listener", async () => {
    const { librarian } = createRagAdvisoryLibrarian({
      store: brokenStore(() => new Promise(() => undefined)),
    });
    const controller = new AbortController();
    const remove = vi.spyOn(controller.signal, "removeEventListener");

    const { error } = await librarian(fair, {
      signal: controller.signal,
      deadline: Date.now() + 30,
    });

    expect(error).toMatchObject({ code: "TIMEOUT", details: { reason: "deadline" } });
    expect(remove).toHaveBeenCalled();
  });

  it("says AI_UNAVAILABLE only where its own words are switched off", async () => {
    const on = await overVizag();
    const off = await overVizag({ extractive: false });
    const failing = () => testContext({ ai: scriptedAI(() => aiFailure()) });

    expect((await on.librarian(fair, failing())).error).toBeUndefined();
    expect((await off.librarian(fair, failing())).error?.code).toBe("AI_UNAVAILABLE");
    expect((await off.librarian(fair, testContext())).error?.code).toBe("AI_UNAVAILABLE");
  });

  it("says DATA_SOURCE_ERROR for a folder that is not there, and makes none", async () => {
    const definition = createRagAdvisoryLibrarian({
      path: "/nowhere/at/all",
      evidence: { record: () => undefined },
    });

    const response = await definition.librarian(fair);

    expect(response.error?.code).toBe("DATA_SOURCE_ERROR");
    expect(advisoryOf(response).confidence).toBe(0);
    await definition.close?.(new AbortController().signal);
  });

  it("reports in its health what is in the store", async () => {
    const signal = new AbortController().signal;
    const full = await overVizag();
    const empty = await overVizag({ store: await storeOf([]) });

    expect(await full.health?.(signal)).toEqual({ status: "up", message: "16 chunks." });
    expect(await empty.health?.(signal)).toMatchObject({ status: "degraded" });
  });
});
