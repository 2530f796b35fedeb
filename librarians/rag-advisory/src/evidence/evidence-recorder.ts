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
