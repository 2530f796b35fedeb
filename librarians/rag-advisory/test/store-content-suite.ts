import type { StoreError } from "@constellation/retrieval";
import { describe, expect, it } from "vitest";
import { chunkOf } from "./chunks.js";
import { idsOf, market, storesFor, type VectorStoreSuiteOptions } from "./store-under-test.js";

/** What every store keeps and takes out, and what it refuses. */
export function itKeepsChunks(options: VectorStoreSuiteOptions): void {
  const { empty, filled } = storesFor(options);

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

    it("takes any text as plain text", async () => {
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
}
