import { crc32 } from "node:zlib";
import type { Chunk } from "../vector-store.js";

/**
 * The data file: a header, then records, each with its length and checksums, added at the end only.
 *
 *     header   8 bytes "CONSTVS1", 36 bytes generation (a UUID)
 *     record   u32 payload bytes, u32 CRC-32 of the payload, u32 CRC-32 of these 8 bytes, payload
 *     payload  u8 kind, then
 *              1: u32 JSON bytes, JSON { chunk, embedder? }, vector (f32, little endian)
 *              2: JSON, the ids taken out
 */
export const logMagic = "CONSTVS1";
export const logHeaderBytes = logMagic.length + 36;
export const recordHeaderBytes = 12;
/** A record longer than this was not written by us. */
export const maxPayloadBytes = 64 * 1024 * 1024;

/** What a record says. */
export type LogRecord =
  | {
      readonly kind: "add";
      readonly chunk: Chunk;
      /** Id of the embedder the vector is from. */
      readonly embedder: string | undefined;
      readonly vector: Float32Array | undefined;
    }
  | { readonly kind: "remove"; readonly ids: readonly string[] };

/** The first bytes of a data file. */
export function encodeLogHeader(generation: string): Buffer {
  return Buffer.from(logMagic + generation, "latin1");
}

/** A record as bytes. */
export function encodeRecord(record: LogRecord): Buffer {
  const payload = record.kind === "add" ? encodeAdd(record) : encodeRemove(record.ids);
  const head = Buffer.alloc(recordHeaderBytes);
  head.writeUInt32LE(payload.length, 0);
  head.writeUInt32LE(crc32(payload), 4);
  head.writeUInt32LE(crc32(head.subarray(0, 8)), 8);
  return Buffer.concat([head, payload]);
}

function encodeAdd({ chunk, embedder, vector }: LogRecord & { readonly kind: "add" }): Buffer {
  const json = Buffer.from(JSON.stringify({ chunk, embedder }));
  const head = Buffer.alloc(5);
  head.writeUInt8(1, 0);
  head.writeUInt32LE(json.length, 1);
  const floats = Buffer.alloc(4 * (vector?.length ?? 0));
  vector?.forEach((each, at) => {
    floats.writeFloatLE(each, 4 * at);
  });
  return Buffer.concat([head, json, floats]);
}

function encodeRemove(ids: readonly string[]): Buffer {
  return Buffer.concat([Buffer.of(2), Buffer.from(JSON.stringify(ids))]);
}

/** What the bytes of a record's header say; undefined when they are not ours. */
export function readRecordHeader(
  head: Buffer,
): { readonly bytes: number; readonly checksum: number } | undefined {
  if (crc32(head.subarray(0, 8)) !== head.readUInt32LE(8)) return undefined;
  const bytes = head.readUInt32LE(0);
  return bytes > maxPayloadBytes ? undefined : { bytes, checksum: head.readUInt32LE(4) };
}

/** Reads a payload whose checksum was right; undefined when it is not of this version all the same. */
export function decodePayload(payload: Buffer): LogRecord | undefined {
  // The checksum has proved that we wrote it, so its shape is the one of its kind.
  switch (payload[0]) {
    case 1: {
      const end = 5 + payload.readUInt32LE(1);
      const { chunk, embedder } = JSON.parse(payload.toString("utf8", 5, end)) as {
        readonly chunk: Chunk;
        readonly embedder?: string;
      };
      const vector = new Float32Array((payload.length - end) / 4);
      for (let at = 0; at < vector.length; at++) vector[at] = payload.readFloatLE(end + 4 * at);
      return { kind: "add", chunk, embedder, vector: vector.length === 0 ? undefined : vector };
    }
    case 2:
      return { kind: "remove", ids: JSON.parse(payload.toString("utf8", 1)) as readonly string[] };
    default:
      return undefined;
  }
}
