import { describe, expect, it } from "vitest";
import { chunkOf } from "./chunks.js";
import { createMeaningEmbedder } from "./meaning-embedder.js";
import { idsOf, storesFor, type VectorStoreSuiteOptions } from "./store-under-test.js";

/** What every store does with an embedder. */
export function itRanksByVectors(options: VectorStoreSuiteOptions): void {
  const { empty } = storesFor(options);
  const { noVectors } = options;

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
