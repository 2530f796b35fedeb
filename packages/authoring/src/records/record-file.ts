import { rm, stat } from "node:fs/promises";
import { throwIfAborted } from "@constellation/core";
import { appendLines, filesAside } from "./append-lines.js";
import { readLines } from "./read-lines.js";
import { redactJson } from "./redact-json.js";
import { createWriteProblems } from "./write-problems.js";

/** Options for {@link openRecordFile}. */
export interface RecordFileOptions {
  /** Size in bytes at which the file is rotated. Integer, 1 or more. @default 10_485_760 */
  readonly maxFileBytes?: number | undefined;
  /**
   * Maximum size of all files, in bytes; the oldest rotated ones are removed. Integer, 1 or more, or `Infinity`.
   *
   * @default 1_073_741_824
   */
  readonly maxBytes?: number | undefined;
  /**
   * Age in milliseconds after which records are removed, with their whole file: at the latest at one and a half times
   * this age. 1 or more.
   *
   * @default Infinity
   */
  readonly maxAgeMs?: number | undefined;
  /** Maximum size of one record, in bytes. A larger one is refused. Integer, 1 or more. @default 1_048_576 */
  readonly maxRecordBytes?: number | undefined;
  /** Called once when records cannot be stored, and once when they can again. */
  readonly onProblem?: ((problem: string) => void) | undefined;
}

/** Records in a file, a line of JSON each. */
export interface RecordFile {
  /**
   * Writes a record without its secrets. Resolves when it is on disk (fsync); records that wait at the same time share one
   * write. Rejects where it cannot be stored; the file is then as it was.
   */
  append(value: unknown): Promise<void>;
  /** Every line, oldest first, rotated files included. A line larger than a record is left out. */
  lines(signal?: AbortSignal): AsyncGenerator<string>;
  /** Changes when the records do. `undefined` where there are none. */
  version(): Promise<string | undefined>;
  /** Waits until everything is written. Never rejects. */
  close(): Promise<void>;
}

/** Maximum number of queued records; more are refused, so that a slow disk costs little memory. */
const maxQueued = 10_000;
/** The same, in bytes. */
const maxQueuedBytes = 64 * 1_048_576;
/** Maximum number of records in one write. */
const maxBatch = 1_000;

interface QueuedLine {
  readonly text: string;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Opens a file for records. The file and its folder are created with the first record. Only its owner may read it.
 * Secrets are redacted and sizes bounded. It is only appended to: a line that a crash cut short is closed before the
 * next one, and a full file is renamed to `{file}.{time}` and not written again.
 *
 * @throws RangeError for an invalid size or age.
 */
export function openRecordFile(path: string, options: RecordFileOptions = {}): RecordFile {
  const { maxFileBytes = 10_485_760, maxBytes = 1_073_741_824, onProblem } = options;
  const { maxAgeMs = Number.POSITIVE_INFINITY, maxRecordBytes = 1_048_576 } = options;
  for (const [name, value] of Object.entries({
    maxFileBytes,
    maxBytes,
    maxAgeMs,
    maxRecordBytes,
  })) {
    const isSize = Number.isInteger(value) || value === Number.POSITIVE_INFINITY;
    if (isSize && value >= 1) continue;
    throw new RangeError(`${name}: expected an integer, 1 or more, got ${value}.`);
  }
  const limits = { maxFileBytes, maxFileAgeMs: maxAgeMs / 2 };
  const problems = createWriteProblems(path, onProblem);
  const queue: QueuedLine[] = [];
  let queuedBytes = 0;
  let writing: Promise<void> | undefined;

  function settle(count: number, how: (line: QueuedLine) => void): void {
    for (const line of queue.splice(0, count)) {
      queuedBytes -= line.text.length;
      how(line);
    }
  }

  async function writeQueue(): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.slice(0, maxBatch);
      try {
        const count = await appendLines(
          path,
          batch.map(({ text }) => text),
          limits,
        );
        settle(count, ({ resolve }) => resolve());
        problems.worked();
      } catch (thrown) {
        const reason = thrown instanceof Error ? thrown.message : "unknown reason.";
        problems.failed(reason, batch.length);
        settle(batch.length, ({ reject }) => reject(thrown));
      }
      await removeOld().catch(() => {}); // it is tried again with the next records
    }
    writing = undefined;
  }

  async function removeOld(): Promise<void> {
    const aside = await filesAside(path);
    if (aside.length === 0) return;
    const files = await Promise.all([...aside, path].map(sizeAndAge));
    let bytes = files.reduce((sum, { size }) => sum + size, 0);
    for (const [index, file] of aside.entries()) {
      const { size = 0, ageMs = 0 } = files[index] ?? {};
      if (bytes <= maxBytes && ageMs <= maxAgeMs) continue;
      await rm(file, { force: true });
      bytes -= size;
    }
  }

  return {
    async append(value) {
      const text = `${redactJson(value)}\n`;
      const bytes = Buffer.byteLength(text);
      if (bytes > maxRecordBytes) {
        throw new RangeError(
          `The record has ${bytes} bytes; at most ${maxRecordBytes} are stored.`,
        );
      }
      if (queue.length >= maxQueued || queuedBytes + text.length > maxQueuedBytes) {
        const problem = "The queue of records is full.";
        problems.failed(problem);
        throw new Error(problem);
      }
      const written = new Promise<void>((resolve, reject) => {
        queue.push({ text, resolve, reject });
      });
      queuedBytes += text.length;
      writing ??= writeQueue();
      await written;
    },
    async *lines(signal) {
      throwIfAborted(signal);
      for (const file of [...(await filesAside(path)), path]) {
        yield* readLines(file, maxRecordBytes, signal);
      }
    },
    async version() {
      const files = [...(await filesAside(path)), path];
      const versions = await Promise.all(files.map(readVersion));
      const known = versions.filter((version) => version !== undefined);
      return known.length === 0 ? undefined : known.join("\n");
    },
    close: async () => writing,
  };
}

async function sizeAndAge(
  file: string,
): Promise<{ readonly size: number; readonly ageMs: number }> {
  return stat(file).then(
    ({ size, mtimeMs }) => ({ size, ageMs: Date.now() - mtimeMs }),
    () => ({ size: 0, ageMs: 0 }), // removed meanwhile
  );
}

async function readVersion(file: string): Promise<string | undefined> {
  try {
    const { ino, size, mtimeMs } = await stat(file);
    return `${ino} ${size} ${mtimeMs}`;
  } catch (thrown) {
    if (Object(thrown).code === "ENOENT") return undefined;
    throw thrown;
  }
}
