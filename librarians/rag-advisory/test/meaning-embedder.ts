import type { Embedder } from "@constellation/retrieval";

const topics: readonly (readonly string[])[] = [
  ["flat", "apartment", "home"],
  ["rent", "lease", "tenant"],
  ["flood", "water", "rain"],
];

/** An embedder that knows which words mean the same: the least that a search by meaning can be tested with. */
export function createMeaningEmbedder(id = "meaning-1"): Embedder {
  return {
    id,
    dimensions: topics.length + 1,
    embed: async (texts) =>
      texts.map((text) => {
        const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
        const counts = topics.map((topic) => words.filter((word) => topic.includes(word)).length);
        return [...counts, counts.every((count) => count === 0) ? 1 : 0];
      }),
  };
}
