import type { PageEntry } from "../folder/page-source.js";
import { startsOf } from "../lexical/documents.js";
import type { Language } from "../lexical/language.js";
import type { IndexSnapshot } from "../lexical/lexical-index.js";
import { type StoredPage, storedPage } from "./stored-page.js";

/** Pages that were read or removed, as one record of a store. What it holds of a page replaces what came before. */
export interface KnowledgeRecord {
  /** Whether it is one of those that were saved together, rather than added later. */
  readonly isBase: boolean;
  /** Number of terms in the records before. */
  readonly firstTerm: number;
  /** Files that were removed. */
  readonly removed: readonly string[];
  /** State of the pages when they were read, in the order of `pages`. */
  readonly entries: readonly PageEntry[];
  readonly pages: readonly StoredPage[];
  /** Terms behind those of the records before, and the documents of the pages. */
  readonly snapshot: IndexSnapshot;
  readonly vectors?: StoredVectors | undefined;
}

/** Vectors of one embedder, row by row in the order of `ids`. */
export interface StoredVectors {
  readonly embedder: string;
  readonly dimensions: number;
  readonly ids: readonly string[];
  readonly rows: Float32Array;
}

/** Why stored records are not used, so that the index is rebuilt; or that it could not be saved. */
export type StoreProblem = "corrupt" | "other-options" | "unreadable" | "not-saved";

/** Result of decoding. */
export type DecodedRecord = KnowledgeRecord | { readonly problem: StoreProblem };

/** Length of the header. */
const prefixBytes = 4;

interface Header extends Pick<KnowledgeRecord, "isBase" | "firstTerm" | "removed" | "entries"> {
  readonly fingerprint: string;
  readonly terms: readonly string[];
  readonly ids: readonly string[];
  readonly parents: readonly (string | null)[];
  readonly languages: readonly Language[];
  /** Number of ends of fields. */
  readonly ends: number;
  /** Number of terms and of entries of the postings. */
  readonly postings?: { readonly terms: number; readonly entries: number } | undefined;
  /** Bytes of each page. */
  readonly pages: readonly number[];
  readonly vectors?: Omit<StoredVectors, "rows"> | undefined;
}

/**
 * Writes a record as bytes: a header in JSON, the numbers as they are, the pages in JSON.
 *
 * @param fingerprint - Fingerprint of all options that the stored terms depend on.
 */
export function encodeRecord(record: KnowledgeRecord, fingerprint: string): Uint8Array {
  const { isBase, firstTerm, removed, entries, snapshot, vectors } = record;
  const { documents, postings } = snapshot;
  const pages = record.pages.map(({ json }) => json);
  const header: Header = {
    fingerprint,
    isBase,
    firstTerm,
    removed,
    entries,
    terms: snapshot.terms,
    ids: documents.ids,
    parents: documents.parents.map((parent) => parent ?? null),
    languages: documents.languages,
    ends: documents.ends.length,
    ...(postings !== undefined && {
      postings: { terms: postings.terms.length, entries: postings.places.length },
    }),
    pages: pages.map(({ length }) => length),
    ...(vectors !== undefined && {
      vectors: { embedder: vectors.embedder, dimensions: vectors.dimensions, ids: vectors.ids },
    }),
  };
  // Spaces, so that the numbers are aligned.
  const json = Buffer.from(JSON.stringify(header));
  const head = Buffer.concat([json, Buffer.alloc(padding(json.length), " ")]);
  const prefix = Buffer.alloc(prefixBytes);
  prefix.writeUInt32LE(head.length, 0);
  const rows = vectors === undefined ? [] : [toBytes(vectors.rows)];
  const lists =
    postings === undefined
      ? []
      : [postings.terms, postings.offsets, postings.places, postings.counts].map(toBytes);
  const numbers = [toBytes(documents.ends), toBytes(documents.stream)];
  const parts = [prefix, head, ...numbers, ...lists, ...rows, ...pages];
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([...parts, Buffer.alloc(padding(length))]);
}

/** Decodes the result of {@link encodeRecord}, which the store has checked. Never throws. */
export function decodeRecord(bytes: Uint8Array, fingerprint: string): DecodedRecord {
  try {
    return decodeBody(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), fingerprint);
  } catch {
    return { problem: "corrupt" };
  }
}

function decodeBody(buffer: Buffer, fingerprint: string): DecodedRecord {
  let at = prefixBytes;
  const take = (length: number): Buffer => {
    at += length;
    if (at > buffer.length) throw new RangeError("The record is too short.");
    return buffer.subarray(at - length, at);
  };
  // The store's checksum proves that this code wrote it; other versions have another fingerprint.
  const header = JSON.parse(take(buffer.readUInt32LE(0)).toString("utf8")) as Header;
  if (header.fingerprint !== fingerprint) return { problem: "other-options" };
  const { isBase, firstTerm, removed, entries, terms } = header;
  const { ids, languages, vectors } = header;
  const ends = toNumbers(take(4 * header.ends), Uint32Array);
  const starts = startsOf(ends, ids.length);
  const documents = {
    ids,
    parents: header.parents.map((parent) => parent ?? undefined),
    languages,
    stream: toNumbers(take(4 * (starts[ids.length] ?? 0)), Uint32Array),
    starts,
    ends,
  };
  const postings = header.postings && {
    terms: toNumbers(take(4 * header.postings.terms), Uint32Array),
    offsets: toNumbers(take(4 * (header.postings.terms + 1)), Uint32Array),
    places: toNumbers(take(2 * header.postings.entries), Uint16Array),
    counts: toNumbers(take(2 * header.postings.entries), Uint16Array),
  };
  const rows =
    vectors && toNumbers(take(4 * vectors.ids.length * vectors.dimensions), Float32Array);
  return {
    isBase,
    firstTerm,
    removed,
    entries,
    pages: header.pages.map((length, place) =>
      storedPage(entries[place]?.file ?? "", take(length)),
    ),
    snapshot: { terms, documents, postings },
    ...(vectors !== undefined && rows !== undefined && { vectors: { ...vectors, rows } }),
  };
}

function toBytes(numbers: Uint32Array | Uint16Array | Float32Array): Buffer {
  return Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

/** Number of bytes from a length to the next multiple of four. */
function padding(length: number): number {
  return -length & 3;
}

/** Bytes as numbers: as they are where they are aligned, as records of a file are, else copied. */
function toNumbers<Numbers>(
  bytes: Buffer,
  type: {
    new (buffer: ArrayBufferLike, offset: number, length: number): Numbers;
    readonly BYTES_PER_ELEMENT: number;
  },
): Numbers {
  const length = bytes.length / type.BYTES_PER_ELEMENT;
  if (bytes.byteOffset % type.BYTES_PER_ELEMENT === 0) {
    return new type(bytes.buffer, bytes.byteOffset, length);
  }
  const copy = Uint8Array.from(bytes);
  return new type(copy.buffer, 0, length);
}
