import { createHash } from "node:crypto";
import type { PageEntry } from "../folder/page-source.js";
import type { AnalyzedDocument } from "../lexical/documents.js";
import type { Language } from "../lexical/language.js";
import type { IndexSnapshot } from "../lexical/lexical-index.js";
import type { MarkdownPage } from "../markdown/page.js";
import type { StoredPage } from "../sections/section-index.js";
import { type PackedPage, packPage, unpackPage } from "./packed-page.js";

/** Content of a stored knowledge base. */
export interface StoredKnowledge extends KnowledgeParts {
  readonly pages: readonly MarkdownPage[];
}

/** The same, read back. */
export interface LoadedKnowledge extends KnowledgeParts {
  readonly pages: readonly StoredPage[];
}

interface KnowledgeParts {
  /** State of the pages when they were read. */
  readonly entries: readonly PageEntry[];
  readonly snapshot: IndexSnapshot;
  readonly vectors?: StoredVectors;
}

/** Vectors of one embedder, row by row in the order of `ids`. */
export interface StoredVectors {
  readonly embedder: string;
  readonly dimensions: number;
  readonly ids: readonly string[];
  readonly rows: Float32Array;
}

/** Why stored bytes are not used, so that the index is rebuilt. */
export type StoreProblem =
  | "foreign"
  | "other-version"
  | "corrupt"
  | "other-options"
  | "unreadable"
  | "not-saved";

/** Result of decoding. */
export type DecodedKnowledge = LoadedKnowledge | { readonly problem: StoreProblem };

const magic = "CONSTIDX";
const version = 2;
const checksumBytes = 32;
/** Magic, version, length of the header. */
const prefixBytes = 16;

/** Number of pages encoded before yielding to the event loop. */
const pagesPerTurn = 20;

interface Header {
  readonly fingerprint: string;
  readonly entries: readonly PageEntry[];
  readonly terms: readonly string[];
  readonly ids: readonly string[];
  readonly parents: readonly (string | null)[];
  readonly languages: readonly Language[];
  /** Fields of a document. */
  readonly fields: number;
  readonly streamLength: number;
  readonly pages: readonly { readonly file: string; readonly bytes: number }[];
  readonly vectors?: {
    readonly embedder: string;
    readonly dimensions: number;
    readonly ids: readonly string[];
  };
}

/**
 * Writes knowledge as bytes: a header in JSON, the numbers as they are, the pages in JSON, a SHA-256
 * of it all. Yields to the event loop between pages.
 *
 * @param fingerprint - Fingerprint of all options that the stored terms depend on.
 */
export async function encodeKnowledge(
  knowledge: StoredKnowledge,
  fingerprint: string,
): Promise<Uint8Array> {
  const { entries, snapshot, vectors } = knowledge;
  const { documents } = snapshot;
  const streamLength = documents.reduce((sum, { stream }) => sum + stream.length, 0);
  const fields = documents[0]?.ends.length ?? 0;
  const pages: Buffer[] = [];
  for (const page of knowledge.pages) {
    pages.push(Buffer.from(JSON.stringify(packPage(page))));
    if (pages.length % pagesPerTurn === 0) await nextTurn();
  }
  const header: Header = {
    fingerprint,
    entries,
    terms: snapshot.terms,
    ids: documents.map(({ id }) => id),
    parents: documents.map(({ parent }) => parent ?? null),
    languages: documents.map(({ language = "en" }) => language),
    fields,
    streamLength,
    pages: pages.map(({ length }, at) => ({
      file: knowledge.pages[at]?.file ?? "",
      bytes: length,
    })),
    ...(vectors === undefined
      ? {}
      : {
          vectors: { embedder: vectors.embedder, dimensions: vectors.dimensions, ids: vectors.ids },
        }),
  };
  const head = padded(Buffer.from(JSON.stringify(header)));
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
  prefix.write(magic, 0, "latin1");
  prefix.writeUInt32LE(version, 8);
  prefix.writeUInt32LE(head.length, 12);
  const parts = [
    prefix,
    head,
    toBytes(numbers),
    ...(vectors === undefined ? [] : [toBytes(vectors.rows)]),
    ...pages,
  ];
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return Buffer.concat([...parts, hash.digest()]);
}

/** Decodes the result of {@link encodeKnowledge}. Never throws. */
export function decodeKnowledge(bytes: Uint8Array, fingerprint: string): DecodedKnowledge {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.length < prefixBytes || buffer.toString("latin1", 0, 8) !== magic)
    return { problem: "foreign" };
  if (buffer.readUInt32LE(8) !== version) return { problem: "other-version" };
  const end = buffer.length - checksumBytes;
  if (end < prefixBytes) return { problem: "corrupt" };
  const digest = createHash("sha256").update(buffer.subarray(0, end)).digest();
  if (!digest.equals(buffer.subarray(end))) return { problem: "corrupt" };
  try {
    return decodeBody(buffer, fingerprint);
  } catch {
    return { problem: "corrupt" };
  }
}

function decodeBody(buffer: Buffer, fingerprint: string): DecodedKnowledge {
  let at = prefixBytes;
  const take = (length: number): Buffer => {
    at += length;
    return buffer.subarray(at - length, at);
  };
  // The checksum proves that this code wrote it, so it has the shape of this version.
  const header = JSON.parse(take(buffer.readUInt32LE(12)).toString("utf8")) as Header;
  if (header.fingerprint !== fingerprint) return { problem: "other-options" };
  const { fields, streamLength, ids, parents, languages } = header;
  // Copied, so that the numbers are aligned and independent of the file's buffer.
  const numbers = new Uint32Array(copyBytes(take(4 * (ids.length * fields + streamLength))));
  let from = ids.length * fields;
  const documents = ids.map((id, place): AnalyzedDocument => {
    const ends = numbers.subarray(place * fields, (place + 1) * fields);
    const stream = numbers.subarray(from, from + (ends[fields - 1] ?? 0));
    from += stream.length;
    const parent = parents[place] ?? undefined;
    return { id, parent, language: languages[place] ?? "en", stream, ends };
  });
  const { vectors } = header;
  const rows =
    vectors === undefined
      ? undefined
      : new Float32Array(copyBytes(take(4 * vectors.ids.length * vectors.dimensions)));
  return {
    entries: header.entries,
    pages: header.pages.map(({ file, bytes }) => {
      const json = take(bytes);
      return { file, read: () => unpackPage(JSON.parse(json.toString("utf8")) as PackedPage) };
    }),
    snapshot: { terms: header.terms, documents },
    ...(vectors === undefined || rows === undefined ? {} : { vectors: { ...vectors, rows } }),
  };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

function toBytes(numbers: Uint32Array | Float32Array): Buffer {
  return Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

function copyBytes(buffer: Buffer): ArrayBuffer {
  const copy = new ArrayBuffer(buffer.length);
  new Uint8Array(copy).set(buffer);
  return copy;
}

/** JSON may end in spaces: the numbers behind it begin at a multiple of four. */
function padded(json: Buffer): Buffer {
  const over = json.length % 4;
  return over === 0 ? json : Buffer.concat([json, Buffer.alloc(4 - over, " ")]);
}
