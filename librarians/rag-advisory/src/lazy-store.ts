import { access } from "node:fs/promises";
import type { RagAdvisoryLibrarianOptions } from "./options.js";
import { openStore } from "./store/open-store.js";
import type { VectorStore } from "./store/vector-store.js";

/** A store that is opened when it is first needed, and again after it failed to open. */
export interface LazyStore {
  /** Rejects as opening does. */
  open(): Promise<VectorStore>;
  /** Closes what was opened here. */
  close(): Promise<void>;
}

/** Opens the store that options name: the given one, the folder, or the Postgres server. */
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
  const { store, path, postgres, embedder } = options;
  if (store !== undefined) return store;
  if (path !== undefined) await access(path); // opening would make a folder that is misspelled
  return openStore(path ?? postgres ?? "", embedder === undefined ? {} : { embedder });
}
