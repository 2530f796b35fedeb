import { createMutex } from "@constellation/authoring";
import { errorCode, type RecordPlace, StoreError } from "@constellation/retrieval";
import { checkChunks, checkRowQuery, checkStoreQuery } from "../check-calls.js";
import type { EmbeddedStoreOptions } from "../memory-store.js";
import { createQueryVectors, embedTexts } from "../query-vectors.js";
import type { Chunk, VectorStore } from "../vector-store.js";
import { openChunkLog } from "./chunk-log.js";

/**
 * Opens the store in a folder; makes it when there is none. Texts stay on disk, words and vectors are
 * held in memory. One process may write; others that read see what it adds.
 *
 * @param folder - Path of the folder. Others should not be able to write it.
 * @throws {StoreError} "corrupt" or "unavailable".
 */
export async function openFileStore(
  folder: string,
  options: EmbeddedStoreOptions & { readonly signal?: AbortSignal | undefined } = {},
): Promise<VectorStore> {
  if (typeof folder !== "string" || folder.trim() === "") {
    throw new TypeError(`folder: expected the path of a folder, got ${JSON.stringify(folder)}`);
  }
  const { embedder, embeddingWeight = 0.2, signal: opening } = options;
  const mutex = createMutex();
  const queries = createQueryVectors(embedder);
  const log = await reportFailure(folder, opening, () =>
    openChunkLog(folder, { embedder, embeddingWeight }, opening),
  );
  let isClosed = false;

  /** Does this when its turn comes, on all that is in the file by then. */
  function inTurn<Value>(
    signal: AbortSignal | undefined,
    work: () => Promise<Value>,
  ): Promise<Value> {
    signal?.throwIfAborted();
    if (isClosed) throw new StoreError("closed", "The store is closed; open it again.");
    return reportFailure(folder, signal, () =>
      mutex.runExclusive(async () => {
        await log.catchUp(signal);
        return work();
      }, signal),
    );
  }

  async function chunksAt(places: readonly RecordPlace[]): Promise<readonly Chunk[]> {
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
      await reportFailure(folder, undefined, () => mutex.runExclusive(() => log.close()));
    },
  };
}

/** Reports a failure of the file system as a store's error. */
async function reportFailure<Value>(
  folder: string,
  signal: AbortSignal | undefined,
  work: () => Promise<Value>,
): Promise<Value> {
  try {
    return await work();
  } catch (thrown) {
    signal?.throwIfAborted();
    const code = errorCode(thrown);
    if (thrown instanceof StoreError || code === undefined) throw thrown;
    throw new StoreError(
      "unavailable",
      `The store in "${folder}" cannot be read or written (${code}).`,
      { cause: thrown },
    );
  }
}
