import { setImmediate } from "node:timers/promises";
import type { Chunk, VectorStore } from "../store/vector-store.js";
import { DocumentError, type OpenDocument } from "./document.js";
import { findFiles, findReader, unreadable } from "./find-files.js";
import {
  type IngestOptions,
  type IngestProblem,
  type IngestReport,
  type IngestSettings,
  readIngestOptions,
} from "./options.js";

/** Chunks that go to the store in one call. */
const batchSize = 500;
/** Parts of one document that may be wrong; with more it is taken for a document of another kind. */
export const maxWrongParts = 10_000;
/**
 * Maximum number of chunks of one document: some for any, and one for so many bytes of it. To keep a chunk
 * costs the same however little is in it.
 */
const maxChunks = { any: 10_000, bytes: 20 } as const;

export function limitChunks({ bytes }: OpenDocument): number {
  return Math.floor(maxChunks.any + bytes / maxChunks.bytes);
}

/** How long a document is read before other work of the process has its turn, in milliseconds. */
const maxTurnMs = 16;

/**
 * Puts documents into a store: Markdown, CSV and JSON, from files and folders.
 *
 * What the store has already is left as it is: the same documents again add nothing. A document that
 * has changed loses the chunks it does not hold any more; one that is gone loses none (take it out
 * with `store.removeDocument`). A part that cannot be read is a problem in the report and costs no
 * other part, a field of the wrong form costs only itself; a document that cannot be read to its end keeps what it had in the store.
 *
 * @param paths - Files and folders, from the working directory.
 * @throws {RangeError} For options outside their ranges. {StoreError} When the store fails. The
 *   signal's reason when it aborts; what was added by then stays.
 */
export async function ingest(
  store: VectorStore,
  paths: readonly string[],
  options: IngestOptions = {},
): Promise<IngestReport> {
  const settings = readIngestOptions(options);
  const { signal, onProgress, maxProblems } = settings;
  signal?.throwIfAborted();
  const counts = { files: 0, chunks: 0, added: 0, unchanged: 0, removed: 0, problemCount: 0 };
  const problems: IngestProblem[] = [];
  const note = (problem: IngestProblem): void => {
    counts.problemCount++;
    if (problems.length < maxProblems) problems.push(problem);
  };

  const { documents, problems: leftOut } = await findFiles(paths, settings);
  for (const problem of leftOut) note(problem);
  let filesDone = 0;
  for (const document of documents) {
    const tell = (): void => {
      const { chunks, added } = counts;
      onProgress?.({ file: document.name, filesDone, files: documents.length, chunks, added });
    };
    const keep = new Set<string>();
    const put = async (batch: readonly Chunk[]): Promise<void> => {
      const { added, unchanged } = await store.add(batch, { signal });
      for (const { id } of batch) keep.add(id);
      counts.chunks += batch.length;
      counts.added += added;
      counts.unchanged += unchanged;
      tell();
    };
    const isRead = await readInto(document, settings, put, note);
    if (isRead) {
      counts.files++;
      counts.removed += await store.removeDocument(document.name, { keep, signal });
    }
    filesDone++;
    tell();
  }
  return { ...counts, problems };
}

/** Whether the document was read to its end. */
async function readInto(
  document: OpenDocument,
  settings: IngestSettings,
  put: (batch: readonly Chunk[]) => Promise<void>,
  note: (problem: IngestProblem) => void,
): Promise<boolean> {
  const { signal } = settings;
  const file = document.name;
  const read = findReader(document.path);
  if (read === undefined) return false;
  const parts = read(document, settings)[Symbol.asyncIterator]();
  // The next batch is read while the store keeps the one before.
  let putting: Promise<void> = Promise.resolve();
  const putNext = async (next: readonly Chunk[]): Promise<void> => {
    await putting;
    putting = put(next);
    putting.catch(() => undefined); // rejects where it is waited for
  };
  const putLast = async (last: readonly Chunk[]): Promise<void> => {
    await putNext(last);
    await putting;
  };
  try {
    let batch: Chunk[] = [];
    let wrong = 0;
    const chunkLimit = limitChunks(document);
    let chunks = 0;
    let turn = performance.now();
    for (;;) {
      const next = await nextPart(parts.next(), file, note);
      if (performance.now() - turn > maxTurnMs) {
        await setImmediate();
        turn = performance.now();
      }
      signal?.throwIfAborted();
      if (next === undefined) {
        await putLast(batch);
        return false;
      }
      if (next.done === true) {
        await putLast(batch);
        return true;
      }
      if ("problem" in next.value) {
        note({ file, ...next.value.problem });
        if (next.value.isMinor === true || ++wrong < maxWrongParts) continue;
        note({ file, message: `gave up after ${maxWrongParts} parts that cannot be read` });
        await putLast(batch);
        return false;
      }
      if (++chunks > chunkLimit) {
        const message = `gave up after ${chunkLimit} parts: they have fewer than ${maxChunks.bytes} bytes on average`;
        note({ file, message });
        await putLast(batch);
        return false;
      }
      if (batch.push(next.value.chunk) === batchSize) {
        await putNext(batch);
        batch = [];
      }
    }
  } finally {
    await putting.catch(() => undefined);
    await parts.return?.(undefined);
  }
}

/** Waits for the next part; undefined when the document cannot be read on, which is noted. */
async function nextPart<Value>(
  next: Promise<Value>,
  file: string,
  note: (problem: IngestProblem) => void,
): Promise<Value | undefined> {
  try {
    return await next;
  } catch (thrown) {
    if (thrown instanceof DocumentError) {
      const { line, message } = thrown;
      note({ file, message, ...(line === undefined ? {} : { line }) });
    } else if (thrown instanceof Error && "code" in thrown) {
      note({ file, message: unreadable(thrown) });
    } else throw thrown;
    return undefined;
  }
}
