import { access } from "node:fs/promises";
import type { Embedder } from "@constellation/retrieval";
import { StoreError } from "@constellation/retrieval";
import { ingest } from "./ingest/ingest.js";
import type { RagAdvisoryLibrarianOptions } from "./options.js";
import { createMemoryStore } from "./store/memory-store.js";
import { openStore } from "./store/open-store.js";
import type { VectorStore } from "./store/vector-store.js";

/** A store that is opened when it is first needed, and again after it failed to open. */
export interface LazyStore {
  /** Rejects as opening does. */
  open(): Promise<VectorStore>;
  /** Closes what was opened here. */
  close(): Promise<void>;
}

/** Opens the store that options name: the given one, the folder, the Postgres server, or one in memory. */
export function createLazyStore(options: RagAdvisoryLibrarianOptions): LazyStore {
  let opening: Promise<VectorStore> | undefined;
  const isOurs = options.store === undefined;

  return {
    open() {
      opening ??= openNamed(options).catch((thrown: unknown) => {
        opening = undefined;
        throw thrown;
      });
      return opening;
    },
    async close() {
      const opened = await opening?.catch(() => undefined);
      opening = undefined;
      if (isOurs) await opened?.close();
    },
  };
}

async function openNamed(options: RagAdvisoryLibrarianOptions): Promise<VectorStore> {
  const { store, path, postgres, documents, embedder } = options;
  if (store !== undefined) return store;
  if (documents !== undefined) return readIntoMemory(documents, embedder);
  if (path !== undefined) await access(path); // opening would make a folder that is misspelled
  return openStore(path ?? postgres ?? "", embedder === undefined ? {} : { embedder });
}

/** @throws StoreError when there is nothing in the documents that can be read. */
async function readIntoMemory(documents: string, embedder?: Embedder): Promise<VectorStore> {
  const store = createMemoryStore(embedder === undefined ? {} : { embedder });
  const { chunks, problems } = await ingest(store, [documents]);
  if (chunks > 0) return store;
  const [first] = problems;
  throw new StoreError(
    "unavailable",
    first === undefined
      ? "documents: nothing to read was found."
      : `documents: nothing could be read; ${first.file}: ${first.message}`,
  );
}
