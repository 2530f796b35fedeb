import { createMutex } from "@constellation/authoring";
import type { Embedder } from "@constellation/retrieval";
import { StoreError } from "@constellation/retrieval";
import { checkChunks, checkRowQuery, checkStoreQuery } from "./check-calls.js";
import type { ChunkIndex } from "./chunk-index.js";
import { createQueryVectors, embedTexts } from "./query-vectors.js";
import type { Chunk, VectorStore } from "./vector-store.js";

/** A record of a log: a chunk that was added, or the ids of chunks that were removed. */
export type LogRecord =
  | {
      readonly kind: "add";
      readonly chunk: Chunk;
      /** Id of the embedder the vector is from. */
      readonly embedder: string | undefined;
      readonly vector: Float32Array | undefined;
    }
  | { readonly kind: "remove"; readonly ids: readonly string[] };

/** Where chunks are kept, with the index of what is in it. One call at a time. */
export interface ChunkLog<Place> {
  readonly index: ChunkIndex<Place>;
  /** What went wrong and was survived. */
  readonly problem: string | undefined;
  /** Takes up what others have written. */
  catchUp(signal?: AbortSignal): Promise<void>;
  openForWriting(): Promise<void>;
  append(records: readonly LogRecord[]): Promise<void>;
  read(places: readonly Place[]): Promise<readonly LogRecord[]>;
  close(): Promise<void>;
}

/** How a store over a log is made. */
export interface IndexedStoreOptions {
  readonly embedder: Embedder | undefined;
  /** Does work, and rejects with the error of a store where it fails. */
  report<Value>(signal: AbortSignal | undefined, work: () => Promise<Value>): Promise<Value>;
}

/** Creates the store over a log. */
export function createIndexedStore<Place>(
  log: ChunkLog<Place>,
  { embedder, report }: IndexedStoreOptions,
): VectorStore {
  const mutex = createMutex();
  const queries = createQueryVectors(embedder);
  let isClosed = false;

  /** Does this when its turn comes, on all that is in the log by then. */
  function inTurn<Value>(
    signal: AbortSignal | undefined,
    work: () => Promise<Value>,
  ): Promise<Value> {
    signal?.throwIfAborted();
    if (isClosed) throw new StoreError("closed", "The store is closed; open it again.");
    return report(signal, () =>
      mutex.runExclusive(async () => {
        await log.catchUp(signal);
        return work();
      }, signal),
    );
  }

  async function chunksAt(places: readonly Place[]): Promise<readonly Chunk[]> {
    const records = await log.read(places);
    return records.flatMap((record) => (record.kind === "add" ? [record.chunk] : []));
  }

  /** The chunks that are not there, or have no vector of this embedder, by id. */
  function missing(chunks: readonly Chunk[]): ReadonlyMap<string, Chunk> {
    const { index } = log;
    const wanted = chunks.filter(
      ({ id }) => !index.has(id) || (embedder !== undefined && !index.hasVector(id)),
    );
    return new Map(wanted.map((chunk) => [chunk.id, chunk]));
  }

  return {
    async search(query) {
      checkStoreQuery(query);
      const vector = isClosed ? undefined : await queries.embedQuery(query.text, query.signal);
      return inTurn(query.signal, async () => {
        const found = log.index.search(query, vector);
        const chunks = await chunksAt(found.map(({ entry }) => entry.place));
        return chunks.map((chunk, at) => ({ chunk, score: found[at]?.score ?? 0 }));
      });
    },
    async rows(query) {
      checkRowQuery(query);
      return inTurn(query.signal, () => chunksAt(log.index.rows(query).map(({ place }) => place)));
    },
    async add(chunks, { signal } = {}) {
      checkChunks(chunks);
      const wanted = await inTurn(signal, async () => missing(chunks));
      const vectors = new Map<string, Float32Array>();
      if (embedder !== undefined) {
        const ids = [...wanted.keys()];
        const texts = [...wanted.values()].map(({ text }) => text);
        const units = await embedTexts(embedder, texts, signal);
        ids.forEach((id, at) => {
          const unit = units[at];
          if (unit !== undefined) vectors.set(id, unit);
        });
      }
      return inTurn(signal, async () => {
        await log.openForWriting();
        const still = [...missing([...wanted.values()]).values()];
        const added = still.filter(({ id }) => !log.index.has(id)).length;
        await log.append(
          still.map((chunk) => ({
            kind: "add",
            chunk,
            embedder: embedder?.id,
            vector: vectors.get(chunk.id),
          })),
        );
        return { added, unchanged: chunks.length - added };
      });
    },
    async removeDocument(document, { keep, signal } = {}) {
      return inTurn(signal, async () => {
        const removedIds = log.index.idsOf(document).filter((id) => !keep?.has(id));
        if (removedIds.length === 0) return 0;
        await log.openForWriting();
        await log.append([{ kind: "remove", ids: removedIds }]);
        return removedIds.length;
      });
    },
    async health({ signal } = {}) {
      return inTurn(signal, async () => {
        const problem = queries.problem ?? log.problem;
        return {
          chunks: log.index.size,
          vectors: log.index.vectors,
          ...(problem === undefined ? {} : { problem }),
        };
      });
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      await report(undefined, () => mutex.runExclusive(() => log.close()));
    },
  };
}
