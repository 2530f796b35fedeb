import { crc32 } from "node:zlib";

/**
 * The data file: a header, then records, each with its length and checksums, added at the end only.
 *
 *     header   8 bytes magic, 36 bytes generation (a UUID)
 *     record   u32 payload bytes, u32 CRC-32 of the payload, u32 CRC-32 of these 8 bytes, payload
 */
export const logHeaderBytes = 8 + 36;
export const recordHeaderBytes = 12;
/** Maximum length of a payload; a longer record was not written by this code. */
export const maxPayloadBytes = 64 * 1024 * 1024;

/** How records of one kind of log are written as bytes. */
export interface RecordCodec<Record> {
  /** 8 ASCII characters that name the kind and its version. */
  readonly magic: string;
  encode(record: Record): Buffer;
  /** Reads a payload with a valid checksum; `undefined` for one of another version. */
  decode(payload: Buffer): Record | undefined;
}

/** The first bytes of a data file. */
export function encodeLogHeader(magic: string, generation: string): Buffer {
  return Buffer.from(magic + generation, "latin1");
}

/** A record as bytes. */
export function encodeRecord<Record>(record: Record, codec: RecordCodec<Record>): Buffer {
  const payload = codec.encode(record);
  const head = Buffer.alloc(recordHeaderBytes);
  head.writeUInt32LE(payload.length, 0);
  head.writeUInt32LE(crc32(payload), 4);
  head.writeUInt32LE(crc32(head.subarray(0, 8)), 8);
  return Buffer.concat([head, payload]);
}

/** Reads the header of a record; `undefined` when its bytes are something else. */
export function readRecordHeader(
  head: Buffer,
): { readonly bytes: number; readonly checksum: number } | undefined {
  if (crc32(head.subarray(0, 8)) !== head.readUInt32LE(8)) return undefined;
  const bytes = head.readUInt32LE(0);
  return bytes > maxPayloadBytes ? undefined : { bytes, checksum: head.readUInt32LE(4) };
}
