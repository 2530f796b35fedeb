import { readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type Embedder,
  errorCode,
  openRecordLog,
  type PlacedRecord,
  type RecordLogState,
  type RecordPlace,
  writeAt,
  writeFileSafely,
} from "@constellation/retrieval";
import { createChunkIndex } from "../chunk-index.js";
import type { ChunkLog, LogRecord } from "../indexed-store.js";
import { chunkCodec } from "./chunk-codec.js";
import { decodeIndex, encodeIndex, type SavedIndex } from "./saved-index.js";

/** How a log is indexed. */
export interface ChunkLogOptions {
  readonly embedder: Embedder | undefined;
  readonly embeddingWeight: number;
}

/** Garbage is dropped when it is more than this and more than half of the file. */
const minStaleBytes = 1024 * 1024;

/** Opens the log in a folder, from the saved index where it fits. `close` saves the index and drops garbage. */
export async function openChunkLog(
  folder: string,
  { embedder, embeddingWeight }: ChunkLogOptions,
  signal?: AbortSignal,
): Promise<ChunkLog<RecordPlace>> {
  const indexPath = join(folder, "index.bin");
  const settings = { dimensions: embedder?.dimensions, embeddingWeight };
  let index = createChunkIndex<RecordPlace>(settings);
  let garbage = 0;
  let savedEnd: number | undefined;

  async function onOpen(state: RecordLogState): Promise<number | undefined> {
    const saved = await loadIndex(indexPath, state, embedder);
    index = createChunkIndex<RecordPlace>(settings, saved?.state);
    garbage = saved?.garbage ?? 0;
    savedEnd = saved?.end;
    return saved?.end;
  }

  function apply({ record, place }: PlacedRecord<LogRecord>): void {
    if (record.kind === "add") {
      const { chunk, vector } = record;
      garbage += index.remove(chunk.id)?.place.bytes ?? 0;
      const fits = record.embedder === embedder?.id && vector?.length === embedder?.dimensions;
      index.put(chunk, place, fits ? vector : undefined);
    } else {
      garbage += place.bytes;
      for (const id of record.ids) garbage += index.remove(id)?.place.bytes ?? 0;
    }
  }

  const log = await openRecordLog(
    join(folder, "chunks.log"),
    join(folder, "lock"),
    { codec: chunkCodec, onOpen, apply },
    signal,
  );

  async function saveIndex(): Promise<void> {
    const { generation, end, isWritable } = log;
    if (savedEnd === end || !isWritable) return;
    await writeParts(indexPath, encodeIndex(index, { generation, end, garbage, embedder }));
  }

  async function compact(): Promise<void> {
    const { generation, places, size } = await log.compact(
      (record, at) => record.kind === "add" && index.entryOf(record.chunk.id)?.place.at === at,
    );
    const origin = { generation, end: size, garbage: 0, embedder };
    const moved = encodeIndex(index, origin, (place) => places.get(place.at) ?? place);
    await writeParts(indexPath, moved);
  }

  return {
    get index() {
      return index;
    },
    get problem() {
      return log.problem;
    },
    catchUp: log.catchUp,
    openForWriting: log.openForWriting,
    append: log.append,
    read: log.read,
    async close() {
      try {
        const isWorthIt = garbage > minStaleBytes && garbage > log.end / 2;
        // Where the file cannot be written anew, the old one is as good.
        if (log.isOpenForWriting && isWorthIt) await compact().catch(ignoreFileProblem);
        else await saveIndex().catch(ignoreFileProblem);
      } finally {
        await log.close();
      }
    },
  };
}

async function loadIndex(
  path: string,
  { generation, size }: RecordLogState,
  embedder: Embedder | undefined,
): Promise<SavedIndex | undefined> {
  try {
    const saved = decodeIndex(await readFile(path), { generation, embedder });
    return saved === undefined || saved.end > size ? undefined : saved;
  } catch (thrown) {
    ignoreFileProblem(thrown);
    return undefined;
  }
}

/** Without a saved index the store opens slower, and with garbage it is longer; that is all. */
function ignoreFileProblem(thrown: unknown): void {
  if (errorCode(thrown) === undefined) throw thrown;
}

async function writeParts(path: string, parts: readonly Buffer[]): Promise<void> {
  await writeFileSafely(path, async (handle) => {
    let at = 0;
    for (const part of parts) {
      await writeAt(handle, part, at);
      at += part.length;
    }
  });
}
