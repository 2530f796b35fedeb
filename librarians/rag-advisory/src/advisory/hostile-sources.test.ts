import { createAnalyzer } from "@constellation/retrieval";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { roundsOf } from "../../../../packages/authoring/test/rounds.js";
import { contractExample } from "../../test/advisory-example.js";
import { dataRows, passage, testNow } from "../../test/sample-market.js";
import { storeOf } from "../../test/stores.js";
import { validateRAGResponse } from "../contract/validate-rag-response.js";
import { countries } from "../country/countries.js";
import { resolvePlaces } from "../question/resolve-places.js";
import { readQuestion } from "../question/understand.js";
import { createRagAdvisoryLibrarian } from "../rag-advisory-librarian.js";
import { splitSentences } from "../rules/tokens.js";
import { readDataRow } from "./data-row.js";
import { writeAdvisory } from "./write-advisory.js";

const analyzer = createAnalyzer();

/** Text of sources as bad as it comes: orders, praise, markup, numbers and noise, in any order. */
const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "You should buy.",
        "Contact the agent.",
        "A great deal!",
        "Prices in Vizag rose 8 % in 2026.",
        "Buy now; sell the rest.",
        "excellent",
        "(Call us)",
        "# Buy",
        "| a | b |",
        "- Invest",
        "\n\n",
        "<script>alert(1)</script>",
        "[x](javascript:alert(1))",
        "₹45-50 lakhs",
        "flood risk",
        "\u202eelttes\u202c",
        "asha@example.com",
      ),
      fc.string({ unit: "grapheme", maxLength: 40 }),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(" "));

const name = fc.oneof(
  text,
  fc.constantFrom("You should buy", "Contact Realty", "Dream Home", "Register", ""),
);
const cell = fc.oneof(
  fc.double(),
  fc.integer({ min: -5, max: 100_000_000 }),
  fc.constantFrom("₹45 lakhs", "n/a", "1e400", "2026-13-45", "You should buy", ""),
);

describe("an advisory from hostile sources", () => {
  it("keeps the schema and the content rules, whatever the sources say", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ text, source: name, city: name }), { maxLength: 5 }),
        fc.array(
          fc.record({
            price: cell,
            rent: cell,
            area_sqft: cell,
            date: cell,
            bedrooms: cell,
            days_on_market: cell,
          }),
          { maxLength: 8 },
        ),
        name,
        fc.constantFrom(
          "Is 48 lakhs fair for a 2BHK in Vizag?",
          "flood risk for flats in India",
          "rent of a flat in Vizag",
          "property prices in India",
        ),
        (passages, rows, city, query) => {
          const found = resolvePlaces(query);
          if (found.kind !== "one") throw new Error("expected one country");
          const chunks = passages.map((given) => ({
            chunk: passage(given.text, {
              source: given.source,
              city: given.city,
              document: given.source,
            }),
            closeness: 0.8,
          }));
          const { advisory } = writeAdvisory({
            question: readQuestion(query, found.country, found.place),
            retrieved: {
              passages: chunks.slice(0, 3),
              surroundings: chunks.slice(3),
              rows: dataRows(rows, { city, source: city, date: "soon" }).map(readDataRow),
            },
            conventions: countries.IN,
            analyzer,
            now: testNow,
          });
          expect(() => validateRAGResponse(advisory)).not.toThrow();
          if (advisory.sources.length > 0) {
            expect([2, 3]).toContain(splitSentences(advisory.summary).length);
          }
          expect(JSON.stringify(advisory)).not.toMatch(/NaN|Infinity|undefined|<script/);
        },
      ),
      { seed: 43, numRuns: roundsOf(150) },
    );
  });

  it("has no link, image or invisible character of a source, its name or its city in the answer", async () => {
    const marked =
      "\u200b[![Vizag](https://evil.example/?q=1)](//evil.example/2)\u202e\u2028[a]: //evil.example/3";
    const { librarian } = createRagAdvisoryLibrarian({
      store: await storeOf([
        passage(
          `Flat prices in ${marked} rose 8 % in 2026. Flat prices in Vizag rose 9 % in 2025.`,
          {
            source: `Desk ${marked}`,
            document: `${marked}.md`,
          },
        ),
      ]),
      now: () => testNow,
    });

    const { answer, sources, metadata } = await librarian("flat prices in Vizag");

    expect(answer).toContain("rose 9 %");
    expect(JSON.stringify([answer, sources, metadata])).not.toMatch(/\]\(|[\u200b\u202e\u2028]/);
    expect(answer).not.toMatch(/^- ?\[/m);
  });

  it("has no link, image or invisible character of an adapter in the answer", async () => {
    const marked = "![x](https://evil.example/?q=1)\u200b\u202e\u2028";
    const { librarian } = createRagAdvisoryLibrarian({
      adapters: [
        {
          country: "IN",
          query: async () => ({
            ...contractExample,
            summary: `Prices rose ${marked}.`,
            sources: [{ type: "THIRD_PARTY", name: `Desk ${marked}`, date: "2026-01-01" }],
          }),
        },
      ],
    });

    const { answer, sources } = await librarian("flat prices in Vizag");

    expect(answer).toContain("Prices rose x");
    expect(JSON.stringify([answer, sources])).not.toMatch(/\]\(|[\u200b\u202e\u2028]/);
  });

  it("answers any query at all with a response, and never rejects", async () => {
    const { librarian } = createRagAdvisoryLibrarian({
      store: await storeOf(),
      now: () => testNow,
    });
    const words = fc.constantFrom(
      "flat",
      "price",
      "Vizag",
      "₹",
      "48",
      "lakhs",
      "IN",
      "GB",
      "rent",
      "in",
      "You",
      "should",
      "buy",
      "2BHK",
      "🏠",
      "-",
      "1,00,000",
      "£",
      "Contact",
      "Paris",
    );

    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.array(words, { maxLength: 12 }).map((all) => all.join(" ")),
          fc.string({ unit: "binary", maxLength: 200 }),
        ),
        async (query) => {
          const response = await librarian(query);
          expect(response.answer ?? response.error?.code).toBeTruthy();
          expect(["INTERNAL_ERROR", "DATA_SOURCE_ERROR"]).not.toContain(response.error?.code);
        },
      ),
      { seed: 43, numRuns: roundsOf(200) },
    );
  });
});
