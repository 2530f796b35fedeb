import { crc32 } from "node:zlib";
import {
  createAnalyzer,
  type Embedder,
  type IndexSnapshot,
  type RecordPlace,
} from "@constellation/retrieval";
import { storeCountries } from "../check-calls.js";
import type { ChunkIndex, ChunkIndexState, IndexEntry } from "../chunk-index.js";
import type { StoreCountry } from "../vector-store.js";

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

const magic = "CONSTVX1";
const prefixBytes = 16;

interface Header {
  readonly generation: string;
  readonly end: number;
  readonly garbage: number;
  readonly analyzer: string;
  readonly embedder: string | null;
  readonly dimensions: number;
  /** Texts that entries name by their place here. */
  readonly names: readonly string[];
  /** Per entry: id, document, country, city, date, whether a row, whether it has a vector, at, bytes; -1 is none. */
  readonly entries: readonly (readonly [
    string,
    number,
    number,
    number,
    number,
    0 | 1,
    0 | 1,
    number,
    number,
  ])[];
  readonly words: readonly {
    readonly terms: readonly string[];
    readonly ids: readonly string[];
    readonly parents: readonly number[];
    readonly streamLength: number;
  }[];
}

/** Fields of a document in the lexical index. */
const fields = 2;

/** Writes an index as bytes: a header in JSON, the numbers as they are, a CRC-32 of it all. */
export function encodeIndex(
  index: ChunkIndex<RecordPlace>,
  origin: IndexOrigin,
  placeOf: (entry: IndexEntry<RecordPlace>) => RecordPlace = ({ place }) => place,
): readonly Buffer[] {
  const names: string[] = [];
  const places = new Map<string, number>();
  const toNameNumber = (text: string | undefined): number => {
    if (text === undefined) return -1;
    const known = places.get(text);
    if (known !== undefined) return known;
    places.set(text, names.length);
    return names.push(text) - 1;
  };
  const rows: Float32Array[] = [];
  const entries = [...index.entries()].map((entry) => {
    const vector = index.getVector(entry.id);
    if (vector !== undefined) rows.push(vector);
    const { at, bytes } = placeOf(entry);
    const row = [
      entry.id,
      toNameNumber(entry.document),
      storeCountries.indexOf(entry.country),
      toNameNumber(entry.city),
      toNameNumber(entry.date),
      entry.isRow ? 1 : 0,
      vector === undefined ? 0 : 1,
      at,
      bytes,
    ] as const;
    return row;
  });
  const numbers: Uint32Array[] = [];
  const words = storeCountries.map((country) => {
    const { terms, documents } = index.snapshot(country);
    for (const { ends } of documents) numbers.push(ends);
    for (const { stream } of documents) numbers.push(stream);
    return {
      terms,
      ids: documents.map(({ id }) => id),
      parents: documents.map(({ parent }) => toNameNumber(parent)),
      streamLength: documents.reduce((sum, { stream }) => sum + stream.length, 0),
    };
  });
  const header: Header = {
    generation: origin.generation,
    end: origin.end,
    garbage: origin.garbage,
    analyzer: createAnalyzer().id,
    embedder: origin.embedder?.id ?? null,
    dimensions: origin.embedder?.dimensions ?? 0,
    names,
    entries,
    words,
  };
  const json = padded(Buffer.from(JSON.stringify(header)));
  const prefix = Buffer.alloc(prefixBytes);
  prefix.write(magic, 0, "latin1");
  prefix.writeUInt32LE(json.length, 8);
  const parts = [prefix, json, joined(numbers, Uint32Array), joined(rows, Float32Array)].filter(
    // zlib's crc32 of no bytes forgets the sum so far.
    ({ length }) => length > 0,
  );
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32LE(parts.reduce((sum, part) => crc32(part, sum), 0));
  return [...parts, checksum];
}

/** Reads what {@link encodeIndex} wrote; undefined when it is damaged or was saved for something else. */
export function decodeIndex(
  file: Uint8Array,
  { generation, embedder }: Pick<IndexOrigin, "generation" | "embedder">,
): SavedIndex | undefined {
  if (file.byteLength < prefixBytes + 4) return undefined;
  // At an address that numbers can be read from.
  const bytes = file.byteOffset % 4 === 0 ? file : Uint8Array.from(file);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const body = buffer.subarray(0, -4);
  if (buffer.toString("latin1", 0, 8) !== magic) return undefined;
  if (crc32(body) !== buffer.readUInt32LE(body.length)) return undefined;
  // The checksum has proved that we wrote it.
  const headerEnd = prefixBytes + buffer.readUInt32LE(8);
  const header = JSON.parse(buffer.toString("utf8", prefixBytes, headerEnd)) as Header;
  const isOurs =
    header.generation === generation &&
    header.analyzer === createAnalyzer().id &&
    header.embedder === (embedder?.id ?? null) &&
    header.dimensions === (embedder?.dimensions ?? 0);
  if (!isOurs) return undefined;

  const count = header.words.reduce(
    (sum, { ids, streamLength }) => sum + ids.length * fields + streamLength,
    0,
  );
  let at = buffer.byteOffset + headerEnd;
  // A copy, so that the numbers do not keep the rest of the file in memory.
  const numbers = new Uint32Array(buffer.buffer.slice(at, at + 4 * count));
  at += 4 * count;
  let taken = 0;
  const snapshots = header.words.map(({ terms, ids, parents, streamLength }): IndexSnapshot => {
    const ends = numbers.subarray(taken, taken + ids.length * fields);
    const streams = numbers.subarray(taken + ends.length, taken + ends.length + streamLength);
    taken += ends.length + streamLength;
    let from = 0;
    const documents = ids.map((id, place) => {
      const own = ends.subarray(place * fields, (place + 1) * fields);
      const stream = streams.subarray(from, from + (own[fields - 1] ?? 0));
      from += stream.length;
      return { id, parent: header.names[parents[place] ?? -1], stream, ends: own };
    });
    return { terms, documents };
  });
  const { dimensions, names } = header;
  const vectors = new Map<string, Float32Array>();
  const entries = header.entries.map(
    ([
      id,
      document,
      country,
      city,
      date,
      isRow,
      hasVector,
      place,
      length,
    ]): IndexEntry<RecordPlace> => {
      if (hasVector === 1) {
        vectors.set(id, new Float32Array(buffer.buffer, at, dimensions));
        at += 4 * dimensions;
      }
      return {
        id,
        document: names[document] ?? "",
        country: storeCountries[country] ?? "IN",
        city: names[city],
        date: names[date],
        isRow: isRow === 1,
        place: { at: place, bytes: length },
      };
    },
  );
  const empty: IndexSnapshot = { terms: [], documents: [] };
  const [IN = empty, US = empty, UK = empty] = snapshots;
  const byCountry: Record<StoreCountry, IndexSnapshot> = { IN, US, UK };
  return {
    state: { entries, snapshots: byCountry, vectorOf: (id) => vectors.get(id) },
    end: header.end,
    garbage: header.garbage,
  };
}

function joined(
  arrays: readonly (Uint32Array | Float32Array)[],
  kind: typeof Uint32Array | typeof Float32Array,
): Buffer {
  const all = new kind(arrays.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const each of arrays) {
    all.set(each, at);
    at += each.length;
  }
  return Buffer.from(all.buffer, all.byteOffset, all.byteLength);
}

/** JSON may end in spaces: the numbers behind it begin at a multiple of four. */
function padded(json: Buffer): Buffer {
  const over = json.length % 4;
  return over === 0 ? json : Buffer.concat([json, Buffer.alloc(4 - over, " ")]);
}
