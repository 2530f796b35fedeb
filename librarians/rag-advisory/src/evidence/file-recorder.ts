import { openRecordFile } from "@constellation/authoring";

/** What is recorded. */
export type EvidenceType =
  | "RAG_ADVISORY_QUERY"
  | "RAG_ADVISORY_REFUSED"
  | "RAG_ADVISORY_RETRIEVAL"
  | "RAG_ADVISORY_CONTENT_REMOVED"
  | "RAG_ADVISORY_DOCUMENT_FLAGGED"
  | "RAG_ADVISORY_MODEL"
  | "RAG_ADVISORY_LOW_CONFIDENCE"
  | "RAG_ADVISORY_WITHHELD"
  | "RAG_ADVISORY_NOT_FOUND"
  | "RAG_ADVISORY_UNAVAILABLE"
  | "RAG_ADVISORY_GIVEN";

/** What happened, without where and when. */
export interface Recorded {
  readonly eventType: EvidenceType;
  /** Plain data. */
  readonly payload: Readonly<Record<string, unknown>>;
}

/** One line of the evidence. It holds no query, no user, no e-mail address and no telephone number. */
export interface EvidenceEvent extends Recorded {
  /** ISO 8601, UTC. */
  readonly time: string;
  /** Id of the librarian. */
  readonly librarian: string;
  /** Names the run; absent outside a router. */
  readonly requestId?: string | undefined;
}

/** Keeps the evidence of every advisory. */
export interface EvidenceRecorder {
  /** Takes one event. What it throws or rejects with breaks no query, but shows in `health()`. */
  record(event: EvidenceEvent): void | Promise<void>;
  /** Resolves when everything taken is kept. Called by the definition's `close`. */
  close?(): Promise<void>;
}

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
