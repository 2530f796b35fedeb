import type { FileHandle } from "node:fs/promises";
import { crc32 } from "node:zlib";
import { logHeaderBytes, type RecordCodec, readRecordHeader, recordHeaderBytes } from "./frame.js";
import { StoreError } from "./store-error.js";

/** Where a record is in the file, its header included. */
export interface RecordPlace {
  readonly at: number;
  readonly bytes: number;
}

/** A record and its place. */
export interface PlacedRecord<Record> {
  readonly record: Record;
  readonly place: RecordPlace;
}

/** Options for reading the records of a file. */
export interface LogReading<Record> {
  readonly codec: RecordCodec<Record>;
  /** Name of the file in errors. */
  readonly name: string;
}

/** Number of bytes per read, except for longer records. */
const readBytes = 1024 * 1024;
/** Maximum gap between two records that are read together. */
const nearBytes = 64 * 1024;

/** Reads the header. The generation of the file, or undefined when it is not a data file of this version. */
export async function readGeneration(
  handle: FileHandle,
  magic: string,
): Promise<string | undefined> {
  const head = await readAt(handle, 0, logHeaderBytes);
  return head.length === logHeaderBytes && head.toString("latin1", 0, 8) === magic
    ? head.toString("latin1", 8)
    : undefined;
}

/**
 * Reads complete records from `from` on, in batches. Ends at an incomplete record, as after a
 * crash; the last place is its offset.
 *
 * @throws {StoreError} "corrupt" for a damaged record with others behind it.
 */
export async function* readLog<Record>(
  handle: FileHandle,
  from: number,
  reading: LogReading<Record>,
): AsyncGenerator<readonly PlacedRecord<Record>[]> {
  let at = from;
  let wanted = readBytes;
  for (;;) {
    const bytes = await readAt(handle, at, wanted);
    const isEnd = bytes.length < wanted;
    const { records, used, next } = splitRecords(bytes, at, isEnd, reading);
    if (records.length > 0) yield records;
    at += used;
    if (isEnd) return;
    // With the header of the record behind it, so that a long one is read only once.
    wanted = Math.max(readBytes, next + recordHeaderBytes);
  }
}

interface RecordSplit<Record> {
  readonly records: readonly PlacedRecord<Record>[];
  /** Number of bytes of complete records. */
  readonly used: number;
  /** Number of bytes of the incomplete record. */
  readonly next: number;
}

function splitRecords<Record>(
  bytes: Buffer,
  at: number,
  isEnd: boolean,
  { codec, name }: LogReading<Record>,
): RecordSplit<Record> {
  const records: PlacedRecord<Record>[] = [];
  let used = 0;
  while (bytes.length - used >= recordHeaderBytes) {
    const rest = bytes.subarray(used);
    const header = readRecordHeader(rest.subarray(0, recordHeaderBytes));
    if (header === undefined) {
      // A file may grow before its data is written; it then ends in zeros.
      if (isZero(rest)) return { records, used, next: 2 * bytes.length };
      throw corrupt(name, at + used);
    }
    const whole = recordHeaderBytes + header.bytes;
    if (rest.length < whole) return { records, used, next: whole };
    const payload = rest.subarray(recordHeaderBytes, whole);
    const isIntact = crc32(payload) === header.checksum;
    if (!isIntact && isEnd && isZero(rest.subarray(whole))) break;
    const record = isIntact ? codec.decode(payload) : undefined;
    if (record === undefined) throw corrupt(name, at + used);
    records.push({ record, place: { at: at + used, bytes: whole } });
    used += whole;
  }
  return { records, used, next: recordHeaderBytes };
}

/**
 * Reads the records at these places; adjacent ones are read together.
 *
 * @returns One per place, in the same order.
 * @throws {StoreError} "corrupt" when one is damaged.
 */
export async function readRecords<Record>(
  handle: FileHandle,
  places: readonly RecordPlace[],
  reading: LogReading<Record>,
): Promise<readonly Record[]> {
  const found = new Map<number, Record>();
  const ordered = [...places].sort((a, b) => a.at - b.at);
  for (let first = 0; first < ordered.length; ) {
    const from = ordered[first]?.at ?? 0;
    let end = from;
    let next = first;
    for (let place = ordered[next]; place !== undefined; place = ordered[++next]) {
      const isNear = place.at - end <= nearBytes && place.at + place.bytes - from <= readBytes;
      if (next > first && !isNear) break;
      end = Math.max(end, place.at + place.bytes);
    }
    const bytes = await readAt(handle, from, end - from);
    for (const { at, bytes: length } of ordered.slice(first, next)) {
      const { records } = splitRecords(
        bytes.subarray(at - from, at - from + length),
        at,
        true,
        reading,
      );
      const [only] = records;
      if (only === undefined) throw corrupt(reading.name, at);
      found.set(at, only.record);
    }
    first = next;
  }
  return places.flatMap(({ at }) => found.get(at) ?? []);
}

function isZero(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0);
}

/** Reads until the bytes are there or the file ends. */
async function readAt(handle: FileHandle, at: number, bytes: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(bytes);
  let filled = 0;
  while (filled < bytes) {
    const { bytesRead } = await handle.read(buffer, filled, bytes - filled, at + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

function corrupt(name: string, at: number): StoreError {
  return new StoreError(
    "corrupt",
    `The store's file "${name}" is damaged at byte ${at}. Move it away and ingest the documents again.`,
  );
}
