import type { SectionVectors } from "../embeddings/section-vectors.js";
import type { PageEntry } from "../folder/page-source.js";
import { createAnalyzer } from "../lexical/analyzer.js";
import { maxSegmentDocuments } from "../lexical/segment.js";
import { nextTurn } from "../lexical/turns.js";
import { StoreError } from "../record-log/store-error.js";
import { type SectionIndex, sectionFields } from "../sections/section-index.js";
import {
  decodeRecord,
  encodeRecord,
  type StoredVectors,
  type StoreProblem,
} from "../store/codec.js";
import type { IndexStore } from "../store/index-store.js";

/** Increased whenever parsing or the format of records changes, because a store has parsed sections. */
const parserVersion = "markdown-12";
/** Number of pages that are packed, and of new terms that are written, in one turn of the event loop. */
const pagesPerTurn = 16;
const termsPerRecord = 5_000;
/** Number of sections, and of bytes of pages, of a record: reading one is a turn of the event loop. */
const sectionsPerRecord = maxSegmentDocuments;
const bytesPerRecord = 4 * 1024 * 1024;
/** Bytes of changes that are always added rather than making the store save all pages anew. */
const minAddedBytes = 4 * 1024 * 1024;

/** What a store keeps: the pages, how they are found, and their meaning. */
export interface Knowledge {
  readonly index: SectionIndex;
  /** State of the pages when they were read. */
  readonly entries: Map<string, PageEntry>;
  readonly embedderId: string | undefined;
  readonly vectors: SectionVectors | undefined;
}

/** Keeps the changes of a knowledge base in a store. */
export interface KnowledgeLog {
  /** Notes that a page was read, was removed, or has other vectors. */
  note(file: string): void;
  /**
   * Saves the noted pages behind those in the store; all pages when the store has none of them, when it has lost some, or
   * when more was added than the pages themselves take.
   */
  save(signal: AbortSignal): Promise<void>;
}

/** What a store held. */
export interface LoadedRecords {
  readonly baseBytes: number;
  readonly addedBytes: number;
  readonly termCount: number;
}

/**
 * Restores a knowledge base from a store, record by record. Rejects only with the signal's reason.
 *
 * @param begin - Creates an empty knowledge base to fill.
 * @returns What was filled, or an empty one with the reason; without both when nothing was saved.
 */
export async function loadKnowledge(
  store: IndexStore | undefined,
  begin: () => Knowledge,
  signal: AbortSignal | undefined,
): Promise<{
  readonly knowledge: Knowledge;
  readonly loaded?: LoadedRecords;
  readonly problem?: StoreProblem;
}> {
  const knowledge = begin();
  const fingerprint = createFingerprint();
  let loaded: LoadedRecords | undefined;
  try {
    for await (const bytes of store?.load(signal) ?? []) {
      const record = decodeRecord(bytes, fingerprint);
      if ("problem" in record) return { knowledge: begin(), problem: record.problem };
      const { isBase, firstTerm, snapshot, pages, removed, entries, vectors } = record;
      const { baseBytes = 0, addedBytes = 0, termCount = 0 } = loaded ?? {};
      if (firstTerm !== termCount) return { knowledge: begin(), problem: "corrupt" };
      for (const file of [...removed, ...entries.map((entry) => entry.file)]) {
        for (const id of knowledge.index.sectionIds(file)) knowledge.vectors?.index.remove(id);
      }
      knowledge.index.restore({ pages, removed, snapshot });
      for (const file of removed) knowledge.entries.delete(file);
      for (const entry of entries) knowledge.entries.set(entry.file, entry);
      restoreVectors(knowledge, vectors);
      loaded = {
        baseBytes: baseBytes + (isBase ? bytes.length : 0),
        addedBytes: addedBytes + (isBase ? 0 : bytes.length),
        termCount: termCount + snapshot.terms.length,
      };
      await nextTurn();
    }
  } catch (thrown) {
    if (signal?.aborted) throw thrown;
    const isDamaged = thrown instanceof StoreError && thrown.reason === "corrupt";
    return { knowledge: begin(), problem: isDamaged ? "corrupt" : "unreadable" };
  }
  return { knowledge, ...(loaded !== undefined && { loaded }) };
}

function restoreVectors(
  { vectors, embedderId }: Knowledge,
  stored: StoredVectors | undefined,
): void {
  if (vectors === undefined || stored === undefined || stored.embedder !== embedderId) return;
  const { dimensions } = vectors.index;
  if (stored.dimensions !== dimensions) return;
  stored.ids.forEach((id, place) => {
    vectors.index.set(id, stored.rows.subarray(place * dimensions, (place + 1) * dimensions));
  });
}

/** @param loaded - What the store held of this knowledge; undefined to save all pages first. */
export function createKnowledgeLog(
  store: IndexStore,
  { index, entries, embedderId, vectors }: Knowledge,
  loaded: LoadedRecords | undefined,
): KnowledgeLog {
  const fingerprint = createFingerprint();
  const noted = new Set<string>();
  let saved = loaded;

  /** Each record is made from the pages as they are then: one that changes meanwhile is noted, and added again. */
  async function* encode(
    files: readonly string[],
    { isBase, termCount, onBytes }: Encoding,
  ): AsyncGenerator<Uint8Array> {
    let firstTerm = termCount;
    for await (const part of packParts(files)) {
      while (index.termCount - firstTerm > termsPerRecord) {
        yield encodePart([], firstTerm + termsPerRecord);
        await nextTurn();
      }
      yield encodePart(part, index.termCount);
      await nextTurn();
    }

    function encodePart(part: readonly string[], endTerm: number): Uint8Array {
      const pages = index.storedPages(part).filter(({ file }) => entries.has(file));
      const kept = pages.map(({ file }) => file);
      const bytes = encodeRecord(
        {
          isBase,
          firstTerm,
          removed: part.filter((file) => !kept.includes(file)),
          entries: kept.flatMap((file) => entries.get(file) ?? []),
          pages,
          snapshot: index.snapshot({ parents: kept, firstTerm, endTerm }),
          vectors: vectorsOf(kept),
        },
        fingerprint,
      );
      firstTerm = endTerm;
      onBytes(bytes.length, endTerm);
      return bytes;
    }
  }

  /** Packs pages, and divides them into those of one record each; one without pages where there are none. */
  async function* packParts(files: readonly string[]): AsyncGenerator<readonly string[]> {
    let part: string[] = [];
    let sections = 0;
    let bytes = 0;
    for (const [place, file] of files.entries()) {
      const more = index.sectionIds(file).length;
      if (part.length > 0 && (sections + more > sectionsPerRecord || bytes > bytesPerRecord)) {
        yield part;
        part = [];
        sections = 0;
        bytes = 0;
      }
      part.push(file);
      sections += more;
      for (const { json } of index.storedPages([file])) bytes += json.length;
      if (place % pagesPerTurn === pagesPerTurn - 1) await nextTurn();
    }
    yield part;
  }

  function vectorsOf(files: readonly string[]): StoredVectors | undefined {
    if (vectors === undefined || embedderId === undefined) return undefined;
    const { dimensions } = vectors.index;
    const ids = files
      .flatMap((file) => index.sectionIds(file))
      .filter((id) => vectors.index.has(id));
    const rows = new Float32Array(ids.length * dimensions);
    ids.forEach((id, place) => {
      const vector = vectors.index.get(id);
      if (vector !== undefined) rows.set(vector, place * dimensions);
    });
    return { embedder: embedderId, dimensions, ids, rows };
  }

  async function write(files: readonly string[], isBase: boolean, signal: AbortSignal) {
    let bytes = 0;
    let termCount = isBase ? 0 : (saved?.termCount ?? 0);
    const { baseBytes = 0, addedBytes = 0 } = saved ?? {};
    saved = undefined;
    noted.clear();
    const onBytes = (more: number, endTerm: number) => {
      bytes += more;
      termCount = endTerm;
    };
    const records = encode(files, { isBase, termCount, onBytes });
    await (isBase ? store.save(records, signal) : store.append(records, signal));
    saved = isBase
      ? { baseBytes: bytes, addedBytes: 0, termCount }
      : { baseBytes, addedBytes: addedBytes + bytes, termCount };
  }

  return {
    note: (file) => void noted.add(file),
    async save(signal) {
      const isAdded =
        saved !== undefined &&
        saved.addedBytes <= Math.max(minAddedBytes, saved.baseBytes) &&
        2 * noted.size <= index.files().length;
      if (isAdded) {
        try {
          await write([...noted], false, signal);
          return;
        } catch {
          signal.throwIfAborted();
        }
      }
      await write(index.files(), true, signal);
    },
  };
}

interface Encoding {
  readonly isBase: boolean;
  /** Number of terms that the store has. */
  readonly termCount: number;
  readonly onBytes: (bytes: number, endTerm: number) => void;
}

/** Fingerprint of all that the stored terms depend on; weights are not included. */
function createFingerprint(): string {
  return [parserVersion, createAnalyzer().id, ...Object.keys(sectionFields)].join(" ");
}
