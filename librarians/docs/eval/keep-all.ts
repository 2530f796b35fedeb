import type { Embedder } from "@constellation/retrieval";

/** An embedder whose cache keeps the vectors of all texts: runs over the same data make none anew. */
export function keepAll(embedder: Embedder): Embedder {
  const { id, dimensions } = embedder;
  return {
    id,
    dimensions,
    embed: (texts, options) => embedder.embed(texts, { ...options, isKept: true }),
  };
}
