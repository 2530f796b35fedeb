import { errorCode, StoreError } from "@constellation/retrieval";
import { createIndexedStore } from "../indexed-store.js";
import type { EmbeddedStoreOptions } from "../memory-store.js";
import type { VectorStore } from "../vector-store.js";
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
  const log = await reportFailure(folder, opening, () =>
    openChunkLog(folder, { embedder, embeddingWeight }, opening),
  );
  return createIndexedStore(log, {
    embedder,
    report: (signal, work) => reportFailure(folder, signal, work),
  });
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
