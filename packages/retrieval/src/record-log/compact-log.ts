import { randomUUID } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { encodeLogHeader, encodeRecord, logHeaderBytes, type RecordCodec } from "./frame.js";
import { type RecordPlace, readLog } from "./read-log.js";
import { writeFileSafely } from "./write-file-safely.js";

/** The data file that took the place of the old one. */
export interface CompactedLog {
  readonly generation: string;
  /** Where each record stands now, by where it stood. */
  readonly places: ReadonlyMap<number, RecordPlace>;
  readonly size: number;
}

/** Writes a data file anew, without the records that no longer count. */
export async function compactLog<Record>(
  old: FileHandle,
  path: string,
  codec: RecordCodec<Record>,
  isAlive: (record: Record, at: number) => boolean,
): Promise<CompactedLog> {
  const generation = randomUUID();
  const places = new Map<number, RecordPlace>();
  let size = logHeaderBytes;
  await writeFileSafely(path, async (handle) => {
    await handle.appendFile(encodeLogHeader(codec.magic, generation));
    for await (const records of readLog(old, logHeaderBytes, { codec, name: path })) {
      const kept: Buffer[] = [];
      for (const { record, place } of records) {
        if (!isAlive(record, place.at)) continue;
        const bytes = encodeRecord(record, codec);
        places.set(place.at, { at: size, bytes: bytes.length });
        size += bytes.length;
        kept.push(bytes);
      }
      await handle.appendFile(Buffer.concat(kept));
    }
  });
  return { generation, places, size };
}
