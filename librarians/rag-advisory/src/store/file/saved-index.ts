import { deserialize, serialize } from "node:v8";
import { crc32 } from "node:zlib";
import { createAnalyzer, type Embedder, type RecordPlace } from "@constellation/retrieval";
import type { ChunkIndex, ChunkIndexState } from "../chunk-index.js";

/** An index read back, and how much of the data file it knows. */
export interface SavedIndex {
  readonly state: ChunkIndexState<RecordPlace>;
  /** Byte of the data file it was saved at; records from here on are not in it. */
  readonly end: number;
  /** Bytes of records that no longer count. */
  readonly garbage: number;
}

/** What an index is saved with. */
export interface IndexOrigin {
  readonly generation: string;
  readonly end: number;
  readonly garbage: number;
  readonly embedder: Embedder | undefined;
}

const magic = "CONSTVX3";
const headBytes = magic.length + 4;

/** What has to be the same for an index to be of use. */
function toKey({ generation, embedder }: Pick<IndexOrigin, "generation" | "embedder">): string {
  return JSON.stringify([generation, createAnalyzer().id, embedder?.id, embedder?.dimensions]);
}

/**
 * Writes an index as bytes: its values as V8 serializes them, behind a CRC-32.
 *
 * @param placeOf - Where the record of an entry is, when it has moved.
 */
export function encodeIndex(
  index: ChunkIndex<RecordPlace>,
  origin: IndexOrigin,
  placeOf: (place: RecordPlace) => RecordPlace = (place) => place,
): readonly Buffer[] {
  const { entries, ...rest } = index.state();
  const moved = [...entries].map((entry) => ({ ...entry, place: placeOf(entry.place) }));
  const { end, garbage } = origin;
  const saved: SavedIndex = { state: { ...rest, entries: moved }, end, garbage };
  const body = serialize([toKey(origin), saved]);
  const head = Buffer.alloc(headBytes);
  head.write(magic, "latin1");
  head.writeUInt32LE(crc32(body), magic.length);
  return [head, body];
}

/** Reads what {@link encodeIndex} wrote; undefined when it is damaged or was saved for something else. */
export function decodeIndex(
  file: Buffer,
  origin: Pick<IndexOrigin, "generation" | "embedder">,
): SavedIndex | undefined {
  if (file.length < headBytes || file.toString("latin1", 0, magic.length) !== magic)
    return undefined;
  const body = file.subarray(headBytes);
  if (crc32(body) !== file.readUInt32LE(magic.length)) return undefined;
  // The checksum has proved that this code wrote it.
  const [key, saved] = deserialize(body) as readonly [string, SavedIndex];
  return key === toKey(origin) ? saved : undefined;
}
