import { appendLines } from "./append-lines.js";
import type { EvidenceEvent, EvidenceRecorder } from "./evidence-recorder.js";

/** Options for {@link createFileRecorder}. */
export interface FileRecorderOptions {
  /**
   * Bytes after which the file is put aside and a new one begun. Integer, 1 or more.
   *
   * @default 10_485_760
   */
  readonly maxBytes?: number | undefined;
}

const defaultMaxBytes = 10 * 1024 * 1024;
/** Events that wait for the disk; more are refused, so that a disk that hangs costs no memory. */
const maxQueued = 10_000;
/** Events that go to disk together. */
const maxBatch = 1_000;

interface QueuedLine {
  readonly text: string;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Records evidence as JSON lines, one for each event, in a file that only its owner may read. `record`
 * resolves when the event is on disk (fsync); events that wait at the same time share one write. The
 * file is only appended to: a line that a crash cut short is closed before the next one, and a full
 * file is put aside as `{file}.{time}` and never written again.
 */
export function createFileRecorder(
  file: string,
  options: FileRecorderOptions = {},
): EvidenceRecorder {
  const { maxBytes = defaultMaxBytes } = options;
  if (!Number.isInteger(maxBytes) || maxBytes < 1) {
    throw new RangeError(`maxBytes: expected an integer, 1 or more, got ${maxBytes}.`);
  }
  const queue: QueuedLine[] = [];
  let writing: Promise<void> | undefined;

  async function writeQueue(): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.slice(0, maxBatch);
      try {
        const texts = batch.map(({ text }) => text);
        const count = await appendLines(file, texts, maxBytes);
        for (const { resolve } of queue.splice(0, count)) resolve();
      } catch (thrown) {
        for (const { reject } of queue.splice(0, batch.length)) reject(thrown);
      }
    }
    writing = undefined;
  }

  return {
    async record(event: EvidenceEvent) {
      if (queue.length >= maxQueued) throw new Error("The evidence queue is full.");
      const text = `${JSON.stringify(event)}\n`;
      const written = new Promise<void>((resolve, reject) => {
        queue.push({ text, resolve, reject });
      });
      writing ??= writeQueue();
      await written;
    },
    close: async () => writing,
  };
}
