import { openRecordFile } from "@constellation/authoring";
import type { EvidenceRecorder } from "./evidence-recorder.js";

/** Options for {@link createFileRecorder}. */
export interface FileRecorderOptions {
  /**
   * Bytes after which the file is put aside and a new one begun. Integer, 1 or more.
   *
   * @default 10_485_760
   */
  readonly maxBytes?: number | undefined;
  /**
   * Maximum size of all files, in bytes: the oldest that were put aside are removed beyond it. Integer, 1 or more, or
   * `Infinity`: all evidence stays until someone deletes it.
   *
   * @default Infinity
   */
  readonly maxTotalBytes?: number | undefined;
  /** Called once when evidence cannot be recorded, and once when it can again. */
  readonly onProblem?: ((problem: string) => void) | undefined;
}

/**
 * Records evidence as JSON lines, one for each event, in a file that only its owner may read; secrets are redacted. `record`
 * resolves when the event is on disk (fsync); events that wait at the same time share one write. The file is only appended
 * to: a line that a crash cut short is closed before the next one, and a full file is put aside as `{file}.{time}` and never
 * written again. On a full disk `record` rejects and leaves the file as it was.
 */
export function createFileRecorder(
  file: string,
  options: FileRecorderOptions = {},
): EvidenceRecorder {
  const { maxBytes, maxTotalBytes = Number.POSITIVE_INFINITY, onProblem } = options;
  if (maxBytes !== undefined && !(Number.isInteger(maxBytes) && maxBytes >= 1)) {
    throw new RangeError(`maxBytes: expected an integer, 1 or more, got ${maxBytes}.`);
  }
  const records = openRecordFile(file, {
    maxFileBytes: maxBytes,
    maxBytes: maxTotalBytes,
    onProblem,
  });
  return { record: (event) => records.append(event), close: () => records.close() };
}
