import type { PageEntry } from "../folder/page-source.js";
import type { AnalyzedDocument } from "../lexical/documents.js";
import type { Language } from "../lexical/language.js";
import type { IndexSnapshot } from "../lexical/lexical-index.js";
import type { MarkdownPage } from "../markdown/page.js";
import type { StoredPage } from "../sections/section-index.js";
import { type PackedPage, packPage, unpackPage } from "./packed-page.js";

/** Pages that were read or removed, as one record of a store. What it holds of a page replaces what came before. */
export interface KnowledgeRecord<Page = MarkdownPage | StoredPage> {
  /** Whether it is one of those that were saved together, rather than added later. */
  readonly isBase: boolean;
  /** Number of terms in the records before. */
  readonly firstTerm: number;
  /** Files that were removed. */
  readonly removed: readonly string[];
  /** State of the pages when they were read, in the order of `pages`. */
  readonly entries: readonly PageEntry[];
  readonly pages: readonly Page[];
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
export type DecodedRecord = KnowledgeRecord<StoredPage> | { readonly problem: StoreProblem };

/** Length of the header. */
const prefixBytes = 4;

interface Header extends Pick<KnowledgeRecord, "isBase" | "firstTerm" | "removed" | "entries"> {
  readonly fingerprint: string;
  readonly terms: readonly string[];
  readonly ids: readonly string[];
  readonly parents: readonly (string | null)[];
  readonly languages: readonly Language[];
  /** Fields of a document. */
  readonly fields: number;
  readonly streamLength: number;
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
  const { documents } = snapshot;
  const streamLength = documents.reduce((sum, { stream }) => sum + stream.length, 0);
  const fields = documents[0]?.ends.length ?? 0;
  const pages = record.pages.map((page) =>
    "json" in page ? page.json : Buffer.from(JSON.stringify(packPage(page))),
  );
  const header: Header = {
    fingerprint,
    isBase,
    firstTerm,
    removed,
    entries,
    terms: snapshot.terms,
    ids: documents.map(({ id }) => id),
    parents: documents.map(({ parent }) => parent ?? null),
    languages: documents.map(({ language = "en" }) => language),
    fields,
    streamLength,
    pages: pages.map(({ length }) => length),
    ...(vectors !== undefined && {
      vectors: { embedder: vectors.embedder, dimensions: vectors.dimensions, ids: vectors.ids },
    }),
  };
  const head = Buffer.from(JSON.stringify(header));
  const numbers = new Uint32Array(documents.length * fields + streamLength);
  let at = 0;
  for (const { ends } of documents) {
    numbers.set(ends, at);
    at += fields;
  }
  for (const { stream } of documents) {
    numbers.set(stream, at);
    at += stream.length;
  }
  const prefix = Buffer.alloc(prefixBytes);
  prefix.writeUInt32LE(head.length, 0);
  const rows = vectors === undefined ? [] : [toBytes(vectors.rows)];
  return Buffer.concat([prefix, head, toBytes(numbers), ...rows, ...pages]);
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
  const { fields, streamLength, ids, parents, languages, vectors } = header;
  // Copied, so that the numbers are aligned and independent of the store's buffer.
  const numbers = new Uint32Array(copyBytes(take(4 * (ids.length * fields + streamLength))));
  let from = ids.length * fields;
  const documents = ids.map((id, place): AnalyzedDocument => {
    const ends = numbers.subarray(place * fields, (place + 1) * fields);
    const stream = numbers.subarray(from, from + (ends[fields - 1] ?? 0));
    from += stream.length;
    const parent = parents[place] ?? undefined;
    return { id, parent, language: languages[place] ?? "en", stream, ends };
  });
  const rows =
    vectors && new Float32Array(copyBytes(take(4 * vectors.ids.length * vectors.dimensions)));
  return {
    isBase,
    firstTerm,
    removed,
    entries,
    pages: header.pages.map((length, place) =>
      storedPage(entries[place]?.file ?? "", take(length)),
    ),
    snapshot: { terms, documents },
    ...(vectors !== undefined && rows !== undefined && { vectors: { ...vectors, rows } }),
  };
}

function storedPage(file: string, json: Buffer): StoredPage {
  return { file, json, read: () => unpackPage(JSON.parse(json.toString("utf8")) as PackedPage) };
}

function toBytes(numbers: Uint32Array | Float32Array): Buffer {
  return Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

function copyBytes(buffer: Buffer): ArrayBuffer {
  const copy = new ArrayBuffer(buffer.length);
  new Uint8Array(copy).set(buffer);
  return copy;
}
