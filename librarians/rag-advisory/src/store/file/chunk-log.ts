import type { FileHandle } from "node:fs/promises";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Embedder } from "@constellation/retrieval";
import { type ChunkIndex, createChunkIndex } from "../chunk-index.js";
import { StoreError } from "../store-error.js";
import { compactLog } from "./compact-log.js";
import { type DataFile, lookAt, openDataFile } from "./data-file.js";
import { encodeRecord, type LogRecord, logHeaderBytes, maxPayloadBytes } from "./log-format.js";
import { type PlacedRecord, type RecordPlace, readLog } from "./read-log.js";
import { decodeIndex, encodeIndex, type SavedIndex } from "./saved-index.js";
import { writeFileSafely } from "./write-file-safely.js";
import { codeOf, takeWriteLock, type WriteLock } from "./write-lock.js";

/** The data file of a store with the index of what is in it. One call at a time. */
export interface ChunkLog {
  readonly handle: FileHandle;
  readonly index: ChunkIndex<RecordPlace>;
  /** What was survived, such as a record cut by a crash. */
  readonly problem: string | undefined;
  /** Reads what other processes have written since. */
  catchUp(signal?: AbortSignal): Promise<void>;
  /** Keeps others from writing, from now to `close`. */
  openForWriting(): Promise<void>;
  /** Writes records to the end, for good, and takes them into the index. */
  append(records: readonly LogRecord[]): Promise<void>;
  /** Saves the index, drops garbage, and gives everything back. */
  close(): Promise<void>;
}

/** How a log is indexed. */
export interface ChunkLogOptions {
  readonly embedder: Embedder | undefined;
  readonly embeddingWeight: number;
}

/** Garbage is dropped when it is more than this and more than half of the file. */
const worthDropping = 1024 * 1024;
/** Bytes written at once. */
const writeBytes = 4 * 1024 * 1024;

/** Opens the log in a folder, from the saved index where it fits. */
export async function openChunkLog(
  folder: string,
  { embedder, embeddingWeight }: ChunkLogOptions,
  signal?: AbortSignal,
): Promise<ChunkLog> {
  const dataPath = join(folder, "chunks.log");
  const indexPath = join(folder, "index.bin");
  const settings = { dimensions: embedder?.dimensions, embeddingWeight };
  let file: DataFile = await openDataFile(dataPath);
  let index = createChunkIndex<RecordPlace>(settings);
  /** Up to where the file is in the index. */
  let end = logHeaderBytes;
  /** How the file looked when it was read last: behind `end` there may be a record cut by a crash. */
  let seen: string | undefined;
  let unread = 0;
  let garbage = 0;
  let savedEnd: number | undefined;
  let lock: WriteLock | undefined;
  let dropped = 0;
  /** Whether half a batch may stand behind `end`. */
  let isTorn = false;

  async function load(): Promise<void> {
    const saved = await loadIndex(indexPath, file, embedder);
    index = createChunkIndex<RecordPlace>(settings, saved?.state);
    end = saved?.end ?? logHeaderBytes;
    garbage = saved?.garbage ?? 0;
    savedEnd = saved?.end;
    seen = undefined;
  }

  function apply({ record, place }: PlacedRecord): void {
    if (record.kind === "add") {
      const { chunk, vector } = record;
      garbage += index.remove(chunk.id)?.place.bytes ?? 0;
      const fits = record.embedder === embedder?.id && vector?.length === embedder?.dimensions;
      index.put(chunk, place, fits ? vector : undefined);
    } else {
      garbage += place.bytes;
      for (const id of record.ids) garbage += index.remove(id)?.place.bytes ?? 0;
    }
    end = place.at + place.bytes;
  }

  async function catchUp(abort?: AbortSignal): Promise<void> {
    if (lock !== undefined) return;
    const now = await lookAt(dataPath);
    if (now.mark === seen) return;
    if (now.inode !== file.inode || now.size < end) {
      const fresh = await openDataFile(dataPath);
      await file.handle.close();
      file = fresh;
      await load();
    }
    for await (const records of readLog(file.handle, end, dataPath)) {
      abort?.throwIfAborted();
      for (const each of records) apply(each);
    }
    seen = now.mark;
    unread = now.size - end;
  }

  async function dropTornRecord(): Promise<void> {
    const { size } = await file.handle.stat();
    if (size <= end) return;
    await file.handle.truncate(end);
    dropped = size - end;
    unread = 0;
  }

  async function saveIndex(): Promise<void> {
    if (savedEnd === end || !file.isWritable) return;
    const origin = { generation: file.generation, end, garbage, embedder };
    await writeParts(indexPath, encodeIndex(index, origin));
  }

  async function compact(): Promise<void> {
    const { generation, places, size } = await compactLog(
      file.handle,
      dataPath,
      (record, at) => record.kind === "add" && index.entryOf(record.chunk.id)?.place.at === at,
    );
    const origin = { generation, end: size, garbage: 0, embedder };
    const moved = encodeIndex(index, origin, ({ place }) => places.get(place.at) ?? place);
    await writeParts(indexPath, moved);
  }

  try {
    await load();
    await catchUp(signal);
  } catch (thrown) {
    await file.handle.close();
    throw thrown;
  }

  return {
    get handle() {
      return file.handle;
    },
    get index() {
      return index;
    },
    get problem() {
      if (dropped > 0) {
        return `The last ${dropped} bytes of "${dataPath}" were not written whole, as after a crash, and were dropped; ingest again what was being ingested.`;
      }
      return unread > 0
        ? `The last ${unread} bytes of "${dataPath}" are not whole: another process is writing, or has crashed.`
        : undefined;
    },
    catchUp,
    async openForWriting() {
      if (lock !== undefined) return;
      if (!file.isWritable) {
        throw new StoreError("unavailable", `"${dataPath}" is not writable for this process.`);
      }
      const taken = await takeWriteLock(join(folder, "lock"));
      try {
        // What others wrote before they gave up the lock.
        await catchUp();
        await dropTornRecord();
        lock = taken;
      } finally {
        if (lock === undefined) await taken.release();
      }
    },
    async append(records) {
      await lock?.check();
      if (isTorn) {
        await file.handle.truncate(end);
        isTorn = false;
      }
      const placed: PlacedRecord[] = [];
      let at = end;
      let waiting: Buffer[] = [];
      let from = at;
      const flush = async (): Promise<void> => {
        await writeAt(file.handle, Buffer.concat(waiting), from);
        waiting = [];
        from = at;
      };
      try {
        for (const record of records) {
          const bytes = encodeRecord(record);
          if (bytes.length > maxPayloadBytes) {
            throw new RangeError(`chunks: expected records of at most ${maxPayloadBytes} bytes`);
          }
          placed.push({ record, place: { at, bytes: bytes.length } });
          waiting.push(bytes);
          at += bytes.length;
          if (at - from >= writeBytes) await flush();
        }
        await flush();
        await file.handle.datasync();
      } catch (thrown) {
        // Half a batch would be found by the next reader; where even this fails, the next append or opening drops it.
        await file.handle.truncate(end).catch(() => {
          isTorn = true;
        });
        throw thrown;
      }
      for (const each of placed) apply(each);
    },
    async close() {
      try {
        const isWorthIt = garbage > worthDropping && garbage > end / 2;
        // Where the file cannot be written anew, the old one is as good.
        if (lock !== undefined && isWorthIt) await compact().catch(ignoreFileProblem);
        else await saveIndex().catch(ignoreFileProblem);
      } finally {
        await lock?.release();
        await file.handle.close();
      }
    },
  };
}

async function loadIndex(
  path: string,
  { generation, handle }: DataFile,
  embedder: Embedder | undefined,
): Promise<SavedIndex | undefined> {
  try {
    const saved = decodeIndex(await readFile(path), { generation, embedder });
    return saved === undefined || saved.end > (await handle.stat()).size ? undefined : saved;
  } catch (thrown) {
    ignoreFileProblem(thrown);
    return undefined;
  }
}

/** Without a saved index the store opens slower, and with garbage it is longer; that is all. */
function ignoreFileProblem(thrown: unknown): void {
  if (codeOf(thrown) === undefined) throw thrown;
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

async function writeAt(handle: FileHandle, bytes: Buffer, at: number): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    const { bytesWritten } = await handle.write(
      bytes,
      written,
      Math.min(bytes.length - written, 256 * 1024 * 1024),
      at + written,
    );
    written += bytesWritten;
  }
}
