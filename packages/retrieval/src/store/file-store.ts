import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import {
  encodeLogHeader,
  encodeRecord,
  logHeaderBytes,
  type RecordCodec,
} from "../record-log/frame.js";
import { readGeneration, readLog } from "../record-log/read-log.js";
import { writeAt } from "../record-log/record-log.js";
import { StoreError } from "../record-log/store-error.js";
import { writeFileSafely } from "../record-log/write-file-safely.js";
import { errorCode, takeWriteLock } from "../record-log/write-lock.js";
import type { IndexStore } from "./index-store.js";

const codec: RecordCodec<Uint8Array> = {
  magic: "CONSTIX3",
  encode: (record) => Buffer.from(record.buffer, record.byteOffset, record.byteLength),
  decode: (payload) => payload,
};

/** The file as this process left it. */
interface KnownFile {
  readonly generation: string;
  /** The byte after the last complete record. */
  readonly end: number;
  /** More than `end` when the file ends in a part of a record, as after a crash. */
  readonly size: number;
}

/**
 * Keeps an index in one file, to whose end changes are added. Its folder is created when missing. A record that a crash
 * cut short is dropped, and those before it stay.
 *
 * @param file - Path of the file. Other users should not be able to write to it.
 */
export function createFileStore(file: string): IndexStore {
  if (typeof file !== "string" || file === "") {
    throw new TypeError(`file: expected the path of a file, got ${JSON.stringify(file)}`);
  }
  let known: KnownFile | undefined;
  return {
    async *load(signal) {
      known = undefined;
      const handle = await openExisting(file);
      if (handle === undefined) return;
      try {
        const found = await handle.stat();
        if (!found.isFile()) throw new Error("It is not a regular file.");
        const generation = await readGeneration(handle, codec.magic);
        if (generation === undefined) {
          throw new StoreError("corrupt", `"${file}" is not an index of this version.`);
        }
        let end = logHeaderBytes;
        for await (const batch of readLog(handle, end, { codec, name: file })) {
          for (const { record, place } of batch) {
            signal?.throwIfAborted();
            end = place.at + place.bytes;
            yield record;
          }
        }
        known = { generation, end, size: (await handle.stat()).size };
      } finally {
        await handle.close();
      }
    },
    async save(records, signal) {
      signal?.throwIfAborted();
      await mkdir(dirname(file), { recursive: true });
      const generation = randomUUID();
      let size = 0;
      await writeFileSafely(file, async (handle) => {
        await handle.appendFile(encodeLogHeader(codec.magic, generation));
        size = await writeRecords(handle, records, logHeaderBytes, signal);
      });
      known = { generation, end: size, size };
    },
    async append(records, signal) {
      signal?.throwIfAborted();
      const expected = known;
      known = undefined;
      const lock = await takeWriteLock(`${file}.lock`);
      try {
        const handle = await open(file, "r+");
        try {
          const generation = await readGeneration(handle, codec.magic);
          const { size } = await handle.stat();
          if (
            expected === undefined ||
            generation !== expected.generation ||
            size !== expected.size
          ) {
            throw new StoreError("locked", `Another process has written "${file}".`);
          }
          if (size > expected.end) await handle.truncate(expected.end);
          const end = await writeRecords(handle, records, expected.end, signal);
          await handle.datasync();
          known = { generation, end, size: end };
        } finally {
          await handle.close();
        }
      } finally {
        await lock.release();
      }
    },
  };
}

/** Opened without blocking, because reading a pipe in place of the file would never end. */
async function openExisting(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (thrown) {
    if (errorCode(thrown) === "ENOENT") return undefined;
    throw thrown;
  }
}

/** @returns Where they end. */
async function writeRecords(
  handle: FileHandle,
  records: AsyncIterable<Uint8Array>,
  from: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  let end = from;
  for await (const record of records) {
    signal?.throwIfAborted();
    const bytes = encodeRecord(record, codec);
    await writeAt(handle, bytes, end);
    end += bytes.length;
  }
  signal?.throwIfAborted();
  return end;
}
