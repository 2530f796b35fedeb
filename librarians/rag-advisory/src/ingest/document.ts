import { hash } from "node:crypto";
import type { Chunk, ChunkMetadata, ChunkRow } from "../store/vector-store.js";
import type { IngestProblem, IngestSettings } from "./options.js";
import {
  cleanText,
  fieldOfKey,
  type ReadMetadata,
  readMetadata,
  type WrongValue,
} from "./read-metadata.js";
import { splitText } from "./split-text.js";

/** A document while it is read: what it is made of comes as chunks and problems. */
export type DocumentPart =
  | { readonly chunk: Chunk }
  | {
      readonly problem: Omit<IngestProblem, "file">;
      /** Whether only a field was left out, and the rest of the part follows. */
      readonly isMinor?: boolean | undefined;
    };

/**
 * Reads one document, part by part.
 *
 * @throws {DocumentError} When the rest of it cannot be read.
 */
export type DocumentReader = (
  document: OpenDocument,
  settings: IngestSettings,
) => AsyncIterable<DocumentPart>;

/** A document that cannot be read on. What it was before stays in the store. */
export class DocumentError extends Error {
  override readonly name = "DocumentError";
  readonly line: number | undefined;

  constructor(message: string, line?: number) {
    super(message);
    this.line = line;
  }
}

/** A file to read. */
export interface OpenDocument {
  /** What chunks name as their document. */
  readonly name: string;
  readonly path: string;
  /** Size of the file, in bytes. */
  readonly bytes: number;
}

/** Names chunks by their content: the same content in the same document has the same id, each repetition one of its own. */
export interface ChunkNaming {
  chunk(text: string, metadata: Omit<ChunkMetadata, "document">): Chunk;
}

/** Creates the naming for one reading of a document. */
export function createChunkNaming(document: string): ChunkNaming {
  const times = new Map<string, number>();
  return {
    chunk(text, rest) {
      const metadata: ChunkMetadata = { ...rest, document };
      const content = digest([text, metadata]);
      const time = times.get(content) ?? 0;
      times.set(content, time + 1);
      return { id: time === 0 ? content : digest([content, time]), text, metadata };
    },
  };
}

function digest(content: readonly unknown[]): string {
  // 132 bits: no two contents meet by chance.
  return hash("sha256", JSON.stringify(content.map(inOrder)), "base64url").slice(0, 22);
}

/** A value with the keys of every object sorted. */
function inOrder(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, inOrder(inner)]));
}

/** Cuts a text into chunks with the same metadata. */
export function* textChunks(
  text: string,
  metadata: ReadMetadata,
  naming: ChunkNaming,
  fallbackSource: string,
  { chunkLength, chunkOverlap }: IngestSettings,
): Generator<DocumentPart> {
  for (const piece of splitText(text, chunkLength, chunkOverlap)) {
    yield {
      chunk: naming.chunk(piece, { ...metadata, source: metadata.source ?? fallbackSource }),
    };
  }
}

const maxColumns = 200;
const maxCellLength = 10_000;

/**
 * Reads a row, or an object: with a `text` it is a text, cut like any other; without one it is a data
 * row, one chunk that says every column by its name.
 */
export function* rowChunks(
  values: Readonly<Record<string, unknown>>,
  line: number,
  naming: ChunkNaming,
  fallbackSource: string,
  settings: IngestSettings,
): Generator<DocumentPart> {
  const keys = Object.keys(values);
  if (keys.length > maxColumns) {
    yield {
      problem: { line, message: `expected at most ${maxColumns} columns, got ${keys.length}` },
    };
    return;
  }
  const { metadata, wrong, leftOut } = readMetadata(values, settings);
  if (metadata === undefined) {
    yield { problem: { line, message: "expected a row", ...wrong } };
    return;
  }
  const notes: WrongValue[] = [...leftOut];
  const unread = new Set(leftOut.map(({ key }) => key));
  const row: Record<string, string | number> = {};
  for (const [key, value] of Object.entries(values)) {
    if (unread.has(key)) continue;
    const cell = readCell(value);
    if (cell === undefined) {
      const message = `expected a text of at most ${maxCellLength} characters or a number; the field is left out`;
      if (fieldOfKey(key) !== "text" || typeof value !== "string") notes.push({ key, message });
    } else if (cell !== "") row[cleanText(key)] = cell;
  }
  const textKey = keys.find((key) => fieldOfKey(key) === "text");
  const text = textKey === undefined ? undefined : values[textKey];
  const isText = typeof text === "string" && text.trim() !== "";
  const isEmpty = !isText && Object.keys(row).length === 0;
  for (const note of notes) yield { problem: { line, ...note }, isMinor: !isEmpty };
  if (isText) {
    yield* textChunks(cleanText(text), metadata, naming, fallbackSource, settings);
    return;
  }
  if (isEmpty) {
    if (notes.length > 0) return;
    yield { problem: { line, message: "expected a row with at least one value" } };
    return;
  }
  const source = metadata.source ?? fallbackSource;
  yield { chunk: naming.chunk(toSentence(row), { ...metadata, source, row }) };
}

/** A cell as it is kept: a number where it is written like one; undefined for any other value. */
function readCell(value: unknown): string | number | undefined {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value === "boolean") return String(value);
  if (typeof value !== "string" || value.length > maxCellLength) return undefined;
  const text = cleanText(value).trim();
  // "007" is a name, and 20 digits are more than a number holds.
  return /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,6})?$/.test(text) ? Number(text) : text;
}

/** What is searched of a data row: every column with its name, but not where it is from. */
function toSentence(row: ChunkRow): string {
  const shown = Object.entries(row).filter(([key]) => {
    const field = fieldOfKey(key);
    return field !== "url" && field !== "source" && field !== "sourceType";
  });
  const parts = (shown.length === 0 ? Object.entries(row) : shown).map(
    ([key, value]) => `${key.replace(/[_\s]+/g, " ").trim()}: ${value}`,
  );
  // Cut first: half a character may be left.
  return cleanText(parts.join("; ").slice(0, 100_000));
}
