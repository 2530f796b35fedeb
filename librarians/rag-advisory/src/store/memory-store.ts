import type { Embedder } from "@constellation/retrieval";
import { createChunkIndex } from "./chunk-index.js";
import { type ChunkLog, createIndexedStore } from "./indexed-store.js";
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
  const nothing = async () => undefined;
  const log: ChunkLog<Chunk> = {
    index,
    problem: undefined,
    catchUp: nothing,
    openForWriting: nothing,
    close: nothing,
    read: async (chunks) =>
      chunks.map((chunk) => ({ kind: "add", chunk, embedder: embedder?.id, vector: undefined })),
    async append(records) {
      for (const record of records) {
        if (record.kind === "remove") for (const id of record.ids) index.remove(id);
        else index.put(record.chunk, structuredClone(record.chunk), record.vector);
      }
    },
  };
  return createIndexedStore(log, { embedder, report: (_signal, work) => work() });
}
