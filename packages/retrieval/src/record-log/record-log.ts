import type { FileHandle } from "node:fs/promises";
import { compactLog } from "./compact-log.js";
import { type DataFile, lookAt, openDataFile } from "./data-file.js";
import { encodeRecord, logHeaderBytes, maxPayloadBytes, type RecordCodec } from "./frame.js";
import { type PlacedRecord, type RecordPlace, readLog, readRecords } from "./read-log.js";
import { StoreError } from "./store-error.js";
import { takeWriteLock, type WriteLock } from "./write-lock.js";

/** What is kept of a log elsewhere, such as an index that was saved. */
export interface RecordLogState {
  readonly generation: string;
  /** Bytes in the file. */
  readonly size: number;
}

/** Options of {@link openRecordLog}. */
export interface RecordLogOptions<Record> {
  readonly codec: RecordCodec<Record>;
  /**
   * Called when a file was opened, and again when another process has written it anew: what was applied
   * before counts no more.
   *
   * @returns The byte from which records are to be applied; `undefined` for all of them.
   */
  readonly onOpen: (state: RecordLogState) => Promise<number | undefined>;
  /** Called for each record, in the order of the file. */
  readonly apply: (placed: PlacedRecord<Record>) => void;
}

/**
 * A file of records that is only appended to: what `append` has resolved is on disk, and a record that a
 * crash cut short costs no other record. One process writes, others read what it adds. One call at a time.
 */
export interface RecordLog<Record> {
  readonly generation: string;
  /** The byte after the last record that was applied. */
  readonly end: number;
  readonly isWritable: boolean;
  /** What was survived, such as a record cut short by a crash. */
  readonly problem: string | undefined;
  /** Applies what other processes have written since. */
  catchUp(signal?: AbortSignal): Promise<void>;
  /** Keeps other processes from writing, from now to `close`. @throws {StoreError} "locked". */
  openForWriting(): Promise<void>;
  /** Whether this process writes. */
  readonly isOpenForWriting: boolean;
  /** Writes records to disk, then applies them. All of them or, when it rejects, none. */
  append(records: readonly Record[]): Promise<void>;
  /** Reads records by their places, in that order. */
  read(places: readonly RecordPlace[]): Promise<readonly Record[]>;
  /** Writes the file anew with the records that still count, and gives where each is now by where it was. */
  compact(
    isAlive: (record: Record, at: number) => boolean,
  ): Promise<RecordLogState & { readonly places: ReadonlyMap<number, RecordPlace> }>;
  close(): Promise<void>;
}

/** Bytes written at once. */
const writeBytes = 4 * 1024 * 1024;

/**
 * Opens a log; makes an empty one, and its folder, when there is none.
 *
 * @param path - Of the data file. The lock is `lock` beside it.
 * @param lockPath - Of the file that says which process writes.
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
  /** Whether half a batch may be behind `end`. */
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
    const now = await lookAt(path);
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
        return `The last ${dropped} bytes of "${path}" were not written whole, as after a crash, and were dropped; ingest again what was being ingested.`;
      }
      return unread > 0
        ? `The last ${unread} bytes of "${path}" are not whole: another process is writing, or has crashed.`
        : undefined;
    },
    catchUp,
    async openForWriting() {
      if (lock !== undefined) return;
      if (!file.isWritable) {
        throw new StoreError("unavailable", `"${path}" is not writable for this process.`);
      }
      const taken = await takeWriteLock(lockPath);
      try {
        // What others wrote before they released the lock.
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
        // Half a batch would be found by the next reader; where even this fails, the next append or opening drops it.
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

/** Writes all of some bytes at a place of a file. */
export async function writeAt(handle: FileHandle, bytes: Buffer, at: number): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    const length = Math.min(bytes.length - written, 256 * 1024 * 1024);
    const { bytesWritten } = await handle.write(bytes, written, length, at + written);
    written += bytesWritten;
  }
}
