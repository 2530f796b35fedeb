import type { RecordCodec } from "@constellation/retrieval";
import type { LogRecord } from "../indexed-store.js";
import type { Chunk } from "../vector-store.js";

/**
 * Payloads of the chunk log:
 *
 *     u8 kind, then
 *     1: u32 JSON bytes, JSON { chunk, embedder? }, vector (f32, little endian)
 *     2: JSON, the ids removed
 */
export const chunkCodec: RecordCodec<LogRecord> = {
  magic: "CONSTVS1",
  encode: (record) => (record.kind === "add" ? encodeAdd(record) : encodeRemove(record.ids)),
  decode(payload) {
    // The checksum has proved that this code wrote it, so its shape is the one of its kind.
    switch (payload[0]) {
      case 1:
        return decodeAdd(payload);
      case 2:
        return {
          kind: "remove",
          ids: JSON.parse(payload.toString("utf8", 1)) as readonly string[],
        };
      default:
        return undefined;
    }
  },
};

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

function decodeAdd(payload: Buffer): LogRecord {
  const end = 5 + payload.readUInt32LE(1);
  const { chunk, embedder } = JSON.parse(payload.toString("utf8", 5, end)) as {
    readonly chunk: Chunk;
    readonly embedder?: string;
  };
  const vector = new Float32Array((payload.length - end) / 4);
  for (let at = 0; at < vector.length; at++) vector[at] = payload.readFloatLE(end + 4 * at);
  return { kind: "add", chunk, embedder, vector: vector.length === 0 ? undefined : vector };
}
