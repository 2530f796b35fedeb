import { access } from "node:fs/promises";
import { type FollowedDocuments, followDocuments } from "./ingest/follow-documents.js";
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
  let opening: Promise<Opened> | undefined;
  const isOurs = options.store === undefined;

  return {
    async open() {
      opening ??= openNamed(options).catch((thrown: unknown) => {
        opening = undefined;
        throw thrown;
      });
      const { store, documents } = await opening;
      await documents?.refresh();
      return store;
    },
    async close() {
      const opened = await opening?.catch(() => undefined);
      opening = undefined;
      if (isOurs) await opened?.store.close();
    },
  };
}

/** A store, and the documents that it is kept in step with. */
interface Opened {
  readonly store: VectorStore;
  readonly documents?: FollowedDocuments | undefined;
}

async function openNamed(options: RagAdvisoryLibrarianOptions): Promise<Opened> {
  const { store, path, postgres, documents, embedder } = options;
  if (store !== undefined) return { store };
  if (documents !== undefined) {
    const memory = createMemoryStore(embedder === undefined ? {} : { embedder });
    return { store: memory, documents: await followDocuments(documents, memory) };
  }
  if (path !== undefined) await access(path); // opening would make a folder that is misspelled
  return {
    store: await openStore(path ?? postgres ?? "", embedder === undefined ? {} : { embedder }),
  };
}
