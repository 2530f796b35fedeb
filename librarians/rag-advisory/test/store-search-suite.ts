import { describe, expect, it } from "vitest";
import type { StoreQuery } from "../src/store/vector-store.js";
import { idsOf, market, storesFor, type VectorStoreSuiteOptions } from "./store-under-test.js";

/** What every store finds. */
export function itFindsChunks(options: VectorStoreSuiteOptions): void {
  const { filled } = storesFor(options);

  describe("search", () => {
    it("gives the chunk that has most of the query first, as it was added", async () => {
      const store = await filled();

      const [first] = await store.search({
        text: "apartment prices in Madhurawada over the year",
        country: "IN",
        limit: 3,
      });

      expect(first?.chunk).toEqual(market[0]);
    });

    it("gives a data row as it was added", async () => {
      const store = await filled();

      const found = await store.search({
        text: "48 lakh Madhurawada sqft",
        country: "IN",
        limit: 5,
      });

      expect(found[0]?.chunk).toEqual(market[1]);
    });

    it("finds other forms of a word", async () => {
      const store = await filled();

      expect(await idsOf(store, { text: "apartments registering" })).toContain("india-note");
    });

    it("finds chunks of the country alone", async () => {
      const store = await filled();

      expect(await idsOf(store, { country: "US" })).toEqual(["austin-note"]);
      expect(await idsOf(store, { country: "UK" })).toEqual([]);
      expect(await idsOf(store, { country: "IN" })).not.toContain("austin-note");
    });

    it("leaves out other cities, and keeps what is about the whole country", async () => {
      const store = await filled();

      const found = await idsOf(store, { city: " VISAKHAPATNAM" });

      expect([...found].sort()).toEqual(["india-note", "vizag-note", "vizag-row"]);
    });

    it("gives no more than the limit", async () => {
      const store = await filled();

      expect(await idsOf(store, { limit: 2 })).toHaveLength(2);
    });

    it("gives nothing when no chunk has anything of the query", async () => {
      const store = await filled();

      expect(await idsOf(store, { text: "zeppelin hangars" })).toEqual([]);
    });

    it("says how close each is: 1 for all words of the query, less for some", async () => {
      const store = await filled();

      const found = await store.search({
        text: "Madhurawada apartment sold",
        country: "IN",
        limit: 10,
      });
      const scores = new Map(found.map(({ chunk, score }) => [chunk.id, score]));

      expect(scores.get("vizag-row")).toBeCloseTo(1);
      expect(scores.get("bengaluru-row")).toBeLessThan(1);
      expect(scores.get("bengaluru-row")).toBeGreaterThan(0);
    });

    it("gives the same for the same query", async () => {
      const store = await filled();
      const query: StoreQuery = { text: "apartment sold in Madhurawada", country: "IN", limit: 10 };

      expect(await store.search(query)).toEqual(await store.search(query));
    });

    it.each([
      ["nothing", ""],
      ["words that say nothing", "what is the"],
      ["marks", "& | ! :* <-> ( ' \" \\ %"],
      ["SQL", "'; DROP TABLE advisory_chunks; --"],
      ["a NUL", "a\u0000b"],
      ["half a surrogate pair", "\ud83c"],
      ["very much", "x ".repeat(100_000)],
    ])("takes a query of %s as text", async (_, text) => {
      const store = await filled();

      expect(await idsOf(store, { text })).toEqual([]);
      expect(await store.health()).toMatchObject({ chunks: market.length });
    });
  });

  describe("rows", () => {
    it("gives data rows, latest first, those without a date last", async () => {
      const store = await filled();

      const rows = await store.rows({ country: "IN", limit: 10 });

      expect(rows.map(({ id }) => id)).toEqual([
        "bengaluru-row",
        "vizag-row",
        "vizag-old-row",
        "vizag-undated-row",
      ]);
      expect(rows[1]).toEqual(market[1]);
    });

    it("gives those of a city, no more than the limit", async () => {
      const store = await filled();

      const rows = await store.rows({ country: "IN", city: "visakhapatnam", limit: 2 });

      expect(rows.map(({ id }) => id)).toEqual(["vizag-row", "vizag-old-row"]);
    });

    it("gives none where there are none", async () => {
      const store = await filled();

      expect(await store.rows({ country: "US", limit: 10 })).toEqual([]);
      expect(await store.rows({ country: "IN", city: "Pune", limit: 10 })).toEqual([]);
    });
  });
}
