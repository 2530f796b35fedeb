import { type Embedder, StoreError } from "@constellation/retrieval";
import { checkChunks, checkRowQuery, checkStoreQuery } from "./check-calls.js";
import { createChunkIndex } from "./chunk-index.js";
import { createQueryVectors, embedTexts } from "./query-vectors.js";
import type { Chunk, VectorStore } from "./vector-store.js";

/** Options of the embedded stores. */
export interface EmbeddedStoreOptions {
  /** Turns texts into vectors. Without one, search is by words alone. */
  readonly embedder?: Embedder | undefined;
  /**
   * What the ranking by vectors counts beside the one by words. 0 or more.
   *
   * @default 0.2
   */
  readonly embeddingWeight?: number | undefined;
}

/** Creates an empty store that lives as long as the process: for tests and small sets. */
export function createMemoryStore(options: EmbeddedStoreOptions = {}): VectorStore {
  const { embedder, embeddingWeight = 0.2 } = options;
  const index = createChunkIndex<Chunk>({ dimensions: embedder?.dimensions, embeddingWeight });
  const queries = createQueryVectors(embedder);
  let isClosed = false;
  const checkOpen = (signal: AbortSignal | undefined): void => {
    signal?.throwIfAborted();
    if (isClosed) throw new StoreError("closed", "The store is closed; open it again.");
  };

  return {
    async search(query) {
      checkStoreQuery(query);
      checkOpen(query.signal);
      const vector = await queries.embedQuery(query.text, query.signal);
      return index.search(query, vector).map(({ entry, score }) => ({ chunk: entry.place, score }));
    },
    async rows(query) {
      checkRowQuery(query);
      checkOpen(query.signal);
      return index.rows(query).map(({ place }) => place);
    },
    async add(chunks, { signal } = {}) {
      checkChunks(chunks);
      checkOpen(signal);
      const fresh = new Map<string, Chunk>();
      for (const chunk of chunks) if (!index.has(chunk.id)) fresh.set(chunk.id, chunk);
      const added = [...fresh.values()];
      const vectors =
        embedder === undefined
          ? []
          : await embedTexts(
              embedder,
              added.map(({ text }) => text),
              signal,
            );
      checkOpen(signal);
      added.forEach((chunk, at) => {
        index.put(chunk, structuredClone(chunk), vectors[at]);
      });
      return { added: added.length, unchanged: chunks.length - added.length };
    },
    async removeDocument(document, { keep, signal } = {}) {
      checkOpen(signal);
      const removedIds = index.idsOf(document).filter((id) => !keep?.has(id));
      for (const id of removedIds) index.remove(id);
      return removedIds.length;
    },
    async health({ signal } = {}) {
      checkOpen(signal);
      const { problem } = queries;
      return {
        chunks: index.size,
        vectors: index.vectors,
        ...(problem === undefined ? {} : { problem }),
      };
    },
    async close() {
      isClosed = true;
    },
  };
}
