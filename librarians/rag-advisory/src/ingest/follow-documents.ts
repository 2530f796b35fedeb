import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { StoreError } from "@constellation/retrieval";
import type { VectorStore } from "../store/vector-store.js";
import { findFiles } from "./find-files.js";
import { ingest } from "./ingest.js";
import { type IngestSettings, readIngestOptions } from "./options.js";

/** Size and time of change of each document. */
type Look = ReadonlyMap<string, string>;

/** A file or folder of documents that a store is kept in step with. */
export interface FollowedDocuments {
  /**
   * Looks at the documents and brings the store up to date: new and changed ones are read, those that are
   * gone are taken out. Two calls at once are one look. A look that fails, as while the folder is away, leaves
   * the store as it is.
   */
  refresh(): Promise<void>;
}

/**
 * Reads documents into a store, and follows them.
 *
 * @throws {StoreError} "unavailable" when there is nothing in the documents that can be read.
 */
export async function followDocuments(
  path: string,
  store: VectorStore,
): Promise<FollowedDocuments> {
  const settings = readIngestOptions({});
  let known: Look = await look(path, settings).catch(() => new Map());
  const { chunks, problems } = await ingest(store, [path], { root: settings.root });
  if (chunks === 0) {
    const [first] = problems;
    throw new StoreError(
      "unavailable",
      first === undefined
        ? "documents: nothing to read was found."
        : `documents: nothing could be read; ${first.file}: ${first.message}`,
    );
  }
  let refreshing: Promise<void> | undefined;

  async function update(): Promise<void> {
    const seen = await look(path, settings).catch(() => undefined);
    if (seen === undefined) return;
    for (const file of known.keys()) if (!seen.has(file)) await store.removeDocument(file);
    const changed = [...seen].filter(([file, state]) => known.get(file) !== state);
    if (changed.length > 0) {
      await ingest(
        store,
        changed.map(([file]) => resolve(settings.root, file)),
        { root: settings.root },
      );
    }
    known = seen;
  }

  return {
    refresh() {
      refreshing ??= update().finally(() => {
        refreshing = undefined;
      });
      return refreshing;
    },
  };
}

/** Every document with its size and time of change. Rejects when the path is not there. */
async function look(path: string, settings: IngestSettings): Promise<Look> {
  await stat(path);
  const { documents } = await findFiles([path], settings);
  const seen = new Map<string, string>();
  for (const { name, path: file } of documents) {
    try {
      const { size, mtimeMs } = await stat(file);
      seen.set(name, `${size}/${mtimeMs}`);
    } catch {
      // It went between the two; the next look has it as removed.
    }
  }
  return seen;
}
