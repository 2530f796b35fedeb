import type { FileHandle } from "node:fs/promises";
import { compactLog } from "./compact-log.js";
import { type DataFile, inspectDataFile, openDataFile } from "./data-file.js";
import { encodeRecord, logHeaderBytes, maxPayloadBytes, type RecordCodec } from "./frame.js";
import { type PlacedRecord, type RecordPlace, readLog, readRecords } from "./read-log.js";
import { StoreError } from "./store-error.js";
import { takeWriteLock, type WriteLock } from "./write-lock.js";

/** Position in a log that was saved elsewhere, such as with an index. */
export interface RecordLogState {
  readonly generation: string;
  /** Bytes in the file. */
  readonly size: number;
}

/** Options of {@link openRecordLog}. */
export interface RecordLogOptions<Record> {
  readonly codec: RecordCodec<Record>;
  /**
   * Called when a file is opened, and again when another process has rewritten it, so that records
   * applied before are obsolete.
   *
   * @returns The offset from which to apply records; `undefined` for all.
   */
  readonly onOpen: (state: RecordLogState) => Promise<number | undefined>;
  /** Called for each record, in the order of the file. */
  readonly apply: (placed: PlacedRecord<Record>) => void;
}

/**
 * An append-only file of records: a record is on disk once `append` resolves, and a record
 * truncated by a crash does not affect others. One process writes, others read. One call at a time.
 */
export interface RecordLog<Record> {
  readonly generation: string;
  /** The byte after the last record that was applied. */
  readonly end: number;
  readonly isWritable: boolean;
  /** Recovered problems, such as a record truncated by a crash. */
  readonly problem: string | undefined;
  /** Applies records that other processes have written since. */
  catchUp(signal?: AbortSignal): Promise<void>;
  /** Keeps other processes from writing, from now to `close`. @throws {StoreError} "locked". */
  openForWriting(): Promise<void>;
  /** Whether this process writes. */
  readonly isOpenForWriting: boolean;
  /** Writes records to disk, then applies them: all, or none when it rejects. */
  append(records: readonly Record[]): Promise<void>;
  /** Reads records by their places, in that order. */
  read(places: readonly RecordPlace[]): Promise<readonly Record[]>;
  /** Rewrites the file with the current records, and returns their new places by their old ones. */
  compact(
    isAlive: (record: Record, at: number) => boolean,
  ): Promise<RecordLogState & { readonly places: ReadonlyMap<number, RecordPlace> }>;
  close(): Promise<void>;
}

/** Number of bytes per write. */
const writeBytes = 4 * 1024 * 1024;

/** Opens a log; creates an empty one and its folder when missing.
 *
 * @param path - Of the data file. The lock is `lock` beside it.
 * @param lockPath - Path of the lock file of the writing process.
 * @throws {StoreError} "corrupt" for another file, or a damaged record with others behind it.
 */
export async function openRecordLog<Record>(
  path: string,
  lockPath: string,
  { codec, onOpen, apply }: RecordLogOptions<Record>,
  signal?: AbortSignal,
): Promise<RecordLog<Record>> {
  let file: DataFile = await openDataFile(path, codec.magic);
  let end = logHeaderBytes;
  /** How the file looked when it was read last: behind `end` there may be a record cut short by a crash. */
  let seen: string | undefined;
  let unread = 0;
  let dropped = 0;
  let lock: WriteLock | undefined;
  /** Whether an incomplete batch may follow `end`. */
  let isTorn = false;

  async function begin(): Promise<void> {
    const { size } = await file.handle.stat();
    end = (await onOpen({ generation: file.generation, size })) ?? logHeaderBytes;
    seen = undefined;
  }

  function take(placed: PlacedRecord<Record>): void {
    apply(placed);
    end = placed.place.at + placed.place.bytes;
  }

  async function catchUp(abort?: AbortSignal): Promise<void> {
    if (lock !== undefined) return;
    const now = await inspectDataFile(path);
    if (now.mark === seen) return;
    if (now.inode !== file.inode || now.size < end) {
      const fresh = await openDataFile(path, codec.magic);
      await file.handle.close();
      file = fresh;
      await begin();
    }
    for await (const records of readLog(file.handle, end, { codec, name: path })) {
      abort?.throwIfAborted();
      for (const each of records) take(each);
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

  try {
    await begin();
    await catchUp(signal);
  } catch (thrown) {
    await file.handle.close();
    throw thrown;
  }

  return {
    get generation() {
      return file.generation;
    },
    get end() {
      return end;
    },
    get isWritable() {
      return file.isWritable;
    },
    get isOpenForWriting() {
      return lock !== undefined;
    },
    get problem() {
      if (dropped > 0) {
        return `The last ${dropped} bytes of "${path}" were incomplete, as after a crash, and were dropped. Repeat the interrupted ingestion.`;
      }
      return unread > 0
        ? `The last ${unread} bytes of "${path}" are incomplete: another process is writing, or has crashed.`
        : undefined;
    },
    catchUp,
    async openForWriting() {
      if (lock !== undefined) return;
      if (!file.isWritable) {
        throw new StoreError("unavailable", `This process cannot write to "${path}".`);
      }
      const taken = await takeWriteLock(lockPath);
      try {
        // Applies what others wrote before they released the lock.
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
      try {
        const placed = await writeRecords(file.handle, end, records, codec);
        await file.handle.datasync();
        for (const each of placed) take(each);
      } catch (thrown) {
        // The next reader would find an incomplete batch; when truncating fails too, the next
        // append or opening drops it.
        await file.handle.truncate(end).catch(() => {
          isTorn = true;
        });
        throw thrown;
      }
    },
    read: (places) => readRecords(file.handle, places, { codec, name: path }),
    compact: (isAlive) => compactLog(file.handle, path, codec, isAlive),
    async close() {
      await lock?.release();
      await file.handle.close();
    },
  };
}

async function writeRecords<Record>(
  handle: FileHandle,
  end: number,
  records: readonly Record[],
  codec: RecordCodec<Record>,
): Promise<readonly PlacedRecord<Record>[]> {
  const placed: PlacedRecord<Record>[] = [];
  let at = end;
  let from = at;
  let waiting: Buffer[] = [];
  for (const record of records) {
    const bytes = encodeRecord(record, codec);
    if (bytes.length > maxPayloadBytes) {
      throw new RangeError(`records: expected at most ${maxPayloadBytes} bytes each`);
    }
    placed.push({ record, place: { at, bytes: bytes.length } });
    waiting.push(bytes);
    at += bytes.length;
    if (at - from >= writeBytes) {
      await writeAt(handle, Buffer.concat(waiting), from);
      waiting = [];
      from = at;
    }
  }
  await writeAt(handle, Buffer.concat(waiting), from);
  return placed;
}

/** Writes all bytes at an offset of a file. */
export async function writeAt(handle: FileHandle, bytes: Buffer, at: number): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    const length = Math.min(bytes.length - written, 256 * 1024 * 1024);
    const { bytesWritten } = await handle.write(bytes, written, length, at + written);
    written += bytesWritten;
  }
}
