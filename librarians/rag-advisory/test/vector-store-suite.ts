import type { Embedder, StoreError } from "@constellation/retrieval";
import { afterEach, describe, expect, it } from "vitest";
import type { Chunk, StoreQuery, VectorStore } from "../src/store/vector-store.js";
import { chunkOf } from "./chunks.js";
import { createMeaningEmbedder } from "./meaning-embedder.js";

/** What {@link itBehavesLikeAVectorStore} needs to know about the store under test. */
export interface VectorStoreSuiteOptions {
  /** Makes an empty store. */
  readonly create: (options: { readonly embedder?: Embedder }) => Promise<VectorStore>;
  /** Why it cannot keep vectors; absent when it can. */
  readonly noVectors?: string | undefined;
}

const row = {
  locality: "Madhurawada",
  area_sqft: 1_050,
  price: 4_800_000,
  note: 'a "corner" plot, ₹',
};
const market: readonly Chunk[] = [
  chunkOf(
    "vizag-note",
    "Apartment prices in Madhurawada rose 8% over the year; supply is steady.",
    {
      document: "vizag.md",
      city: "Visakhapatnam",
      date: "2026-09-01",
      source: "Coastal Desk",
      sourceType: "MARKET_DATA",
      url: "https://example.com/vizag",
      title: "Visakhapatnam market",
    },
  ),
  chunkOf("vizag-row", "Madhurawada apartment 1,050 sqft sold for 48 lakh", {
    document: "sales.csv",
    city: "Visakhapatnam",
    date: "2026-08-01",
    row,
  }),
  chunkOf("vizag-old-row", "Gajuwaka house sold", {
    document: "sales.csv",
    city: "Visakhapatnam",
    date: "2025-01-15",
    row: { price: 1 },
  }),
  chunkOf("vizag-undated-row", "Gajuwaka plot sold", {
    document: "sales.csv",
    city: "Visakhapatnam",
    row: { price: 2 },
  }),
  chunkOf("bengaluru-row", "Whitefield apartment sold", {
    document: "sales.csv",
    city: "Bengaluru",
    date: "2026-10-01",
    row: { price: 3 },
  }),
  chunkOf("india-note", "Every project is registered with RERA before apartment sales begin.", {
    document: "rera.md",
  }),
  chunkOf("austin-note", "Apartment rents in Austin fell as supply grew.", {
    document: "austin.md",
    country: "US",
    city: "Austin",
  }),
];

/** Registers the tests that every store must pass. */
export function itBehavesLikeAVectorStore({ create, noVectors }: VectorStoreSuiteOptions): void {
  const opened: VectorStore[] = [];
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
  });

  async function empty(embedder?: Embedder): Promise<VectorStore> {
    const store = await create(embedder === undefined ? {} : { embedder });
    opened.push(store);
    return store;
  }
  async function filled(): Promise<VectorStore> {
    const store = await empty();
    await store.add(market);
    return store;
  }
  async function idsOf(store: VectorStore, query: Partial<StoreQuery>): Promise<readonly string[]> {
    const found = await store.search({ text: "apartment", country: "IN", limit: 10, ...query });
    return found.map(({ chunk }) => chunk.id);
  }

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

  describe("add", () => {
    it("keeps a chunk once", async () => {
      const store = await empty();
      const [first, second] = market;
      if (first === undefined || second === undefined) throw new Error("no chunks");

      expect(await store.add([first, first])).toEqual({ added: 1, unchanged: 1 });
      expect(await store.add([second, first])).toEqual({ added: 1, unchanged: 1 });
      expect(await store.add([])).toEqual({ added: 0, unchanged: 0 });
      expect(await store.health()).toMatchObject({ chunks: 2 });
    });

    it("keeps a chunk once when several calls bring it at the same time", async () => {
      const store = await empty();

      const reports = await Promise.all([store.add(market), store.add(market), store.add(market)]);

      expect(reports.reduce((sum, { added }) => sum + added, 0)).toBe(market.length);
      expect(await store.health()).toMatchObject({ chunks: market.length });
    });

    it("takes thousands at once", async () => {
      const store = await empty();
      const many = Array.from({ length: 3_000 }, (_, at) =>
        chunkOf(`c${at}`, `Plot ${at} was sold`, { document: "many.csv", row: { plot: at } }),
      );

      expect(await store.add(many)).toEqual({ added: 3_000, unchanged: 0 });

      expect(await idsOf(store, { text: "plot 2999", limit: 1 })).toEqual(["c2999"]);
      expect(await store.rows({ country: "IN", limit: 100_000 })).toHaveLength(3_000);
    });

    it("takes any text that is no more than text", async () => {
      const store = await empty();
      const odd = chunkOf('it\'s 100% "odd"; --', "Größe 🏠 \\x41 $1 $$ {}'[]\n\tmarkisstrasse", {
        document: 'it\'s, "odd"\\.csv',
        source: "O'Neil {1,2}",
        city: 'Łódź, "Stare"',
        row: { 'it\'s a "key"': "NULL", list: "{1,2}" },
      });

      await store.add([odd]);

      expect(await store.rows({ country: "IN", city: odd.metadata.city, limit: 1 })).toEqual([odd]);
      expect(await store.search({ text: "markisstrasse", country: "IN", limit: 1 })).toMatchObject([
        { chunk: odd },
      ]);
      expect(await store.removeDocument(odd.metadata.document)).toBe(1);
    });
  });

  describe("removeDocument", () => {
    it("takes out the chunks of a document but not those to keep", async () => {
      const store = await filled();

      const removed = await store.removeDocument("sales.csv", { keep: new Set(["vizag-row"]) });

      expect(removed).toBe(3);
      expect((await store.rows({ country: "IN", limit: 10 })).map(({ id }) => id)).toEqual([
        "vizag-row",
      ]);
      expect(await idsOf(store, {})).not.toContain("bengaluru-row");
      expect(await idsOf(store, {})).toContain("india-note");
      expect(await store.health()).toMatchObject({ chunks: market.length - 3 });
    });

    it("says 0 for a document that is not there", async () => {
      const store = await filled();

      expect(await store.removeDocument("nowhere.csv")).toBe(0);
    });

    it("lets a chunk come back", async () => {
      const store = await filled();
      await store.removeDocument("sales.csv");

      expect(await store.add(market)).toEqual({ added: 4, unchanged: market.length - 4 });
      expect(await idsOf(store, {})).toContain("bengaluru-row");
    });
  });

  describe("misuse", () => {
    it.each([
      ["a country it does not know", { country: "FR" as "UK" }, "country"],
      ["no chunks", { limit: 0 }, "limit"],
      ["too many chunks", { limit: 1_001 }, "limit"],
      ["half a chunk", { limit: 1.5 }, "limit"],
    ])("refuses a search for %s", async (_, wrong, field) => {
      const store = await empty();

      await expect(idsOf(store, wrong)).rejects.toThrow(RangeError);
      await expect(idsOf(store, wrong)).rejects.toThrow(field);
    });

    it("refuses wrong rows, and chunks without id, text or country, and adds none of them", async () => {
      const store = await empty();
      const good = chunkOf("good", "text");

      await expect(store.rows({ country: "IN", limit: -1 })).rejects.toThrow(RangeError);
      await expect(store.add([good, chunkOf("", "text")])).rejects.toThrow(RangeError);
      await expect(store.add([good, chunkOf("a", " \n")])).rejects.toThrow('"a": text');
      await expect(store.add([good, chunkOf("a", "b", { country: "FR" as "UK" })])).rejects.toThrow(
        '"a": country',
      );
      expect(await store.health()).toMatchObject({ chunks: 0 });
    });
  });

  describe("signals and closing", () => {
    it("rejects with the signal's reason and does nothing once it has aborted", async () => {
      const store = await filled();
      const reason = new Error("no longer wanted");
      const signal = AbortSignal.abort(reason);

      await expect(idsOf(store, { signal })).rejects.toBe(reason);
      await expect(store.rows({ country: "IN", limit: 1, signal })).rejects.toBe(reason);
      await expect(store.add([chunkOf("new", "text")], { signal })).rejects.toBe(reason);
      await expect(store.removeDocument("sales.csv", { signal })).rejects.toBe(reason);
      await expect(store.health({ signal })).rejects.toBe(reason);
      expect(await store.health()).toMatchObject({ chunks: market.length });
    });

    it("says that it is closed, and closes once", async () => {
      const store = await filled();
      await store.close();
      await store.close();

      const closed = expect.objectContaining({ reason: "closed" } satisfies Partial<StoreError>);
      await expect(idsOf(store, {})).rejects.toEqual(closed);
      await expect(store.rows({ country: "IN", limit: 1 })).rejects.toEqual(closed);
      await expect(store.add([])).rejects.toEqual(closed);
      await expect(store.removeDocument("sales.csv")).rejects.toEqual(closed);
      await expect(store.health()).rejects.toEqual(closed);
    });
  });

  // The reason is in the title, so that no one takes a skipped test for a passed one.
  const why = noVectors === undefined ? "" : ` (skipped: ${noVectors})`;
  describe.skipIf(noVectors !== undefined)(`with an embedder${why}`, () => {
    it("finds a chunk that has no word of the query but its meaning", async () => {
      const store = await empty(createMeaningEmbedder());
      await store.add([
        chunkOf("flats", "A flat was offered."),
        chunkOf("floods", "Rain brought water."),
      ]);

      const found = await store.search({ text: "homes: any home?", country: "IN", limit: 5 });

      expect(found.map(({ chunk }) => chunk.id)).toEqual(["flats"]);
      expect(found[0]?.score).toBeCloseTo(1);
      expect(await store.health()).toEqual({ chunks: 2, vectors: 2 });
    });

    it("keeps to country and city by meaning too", async () => {
      const store = await empty(createMeaningEmbedder());
      await store.add([
        chunkOf("here", "A flat.", { city: "Vizag" }),
        chunkOf("elsewhere", "A flat.", { city: "Pune" }),
        chunkOf("abroad", "A flat.", { country: "US" }),
      ]);

      expect(await idsOf(store, { text: "home", city: "vizag" })).toEqual(["here"]);
      expect(await idsOf(store, { text: "home", country: "UK" })).toEqual([]);
    });

    it("ranks by words alone while the embedder fails, and says so", async () => {
      let isDown = false;
      const meaning = createMeaningEmbedder();
      const store = await empty({
        ...meaning,
        embed: (texts) =>
          isDown ? Promise.reject(new Error("key sk-123 refused")) : meaning.embed(texts),
      });
      await store.add([chunkOf("flats", "A flat was offered.")]);
      isDown = true;

      expect(await idsOf(store, { text: "flat" })).toEqual(["flats"]);
      const { problem } = await store.health();
      expect(problem).toContain("meaning-1");
      expect(problem).not.toContain("sk-123");
    });

    it("adds nothing when the embedder fails, or gives no vectors", async () => {
      const meaning = createMeaningEmbedder();
      const failing = await empty({ ...meaning, embed: () => Promise.reject(new Error("down")) });
      const wrong = await empty({ ...meaning, embed: async (texts) => texts.map(() => [1]) });

      await expect(failing.add([chunkOf("a", "b")])).rejects.toThrow("meaning-1");
      await expect(wrong.add([chunkOf("a", "b")])).rejects.toThrow("4 numbers");

      expect(await failing.health()).toMatchObject({ chunks: 0 });
      expect(await wrong.health()).toMatchObject({ chunks: 0 });
    });
  });
}
