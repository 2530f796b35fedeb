/** One way a query can fail. */
export interface ErrorCodeEntry {
  /** What happened, in one sentence. */
  readonly meaning: string;
  /** `client`: the query or its caller; `server`: the mesh; `specific`: one rule or one dependency of it. */
  readonly group: "client" | "server" | "specific";
  /** Status for a response over HTTP. */
  readonly httpStatus: number;
  /** Whether the same query, unchanged, may succeed later. */
  readonly retryable: boolean;
  /** Who can fix it. */
  readonly fixedBy: "caller" | "author" | "operator";
  /** What to do next, for errors without a suggestion of their own. */
  readonly suggestion: string;
}

/** Every way a query can fail: a closed list. The error reference is printed from this table. */
export const errorCodes = {
  INVALID_QUERY: {
    meaning: "The query is blank, not text, too long, or lacks something the librarian must know.",
    group: "client",
    httpStatus: 400,
    retryable: false,
    fixedBy: "caller",
    suggestion: "Ask a question in words, and name who should answer it.",
  },
  UNAUTHORIZED: {
    meaning: "The user, or the librarian on the user's behalf, may not do this.",
    group: "client",
    httpStatus: 403,
    retryable: false,
    fixedBy: "operator",
    suggestion: "Ask as a user who has the right, or have the right granted.",
  },
  NOT_FOUND: {
    meaning: "No librarian has the requested id, or nothing is known about the query.",
    group: "client",
    httpStatus: 404,
    retryable: false,
    fixedBy: "caller",
    suggestion: "Rephrase the query, or ask another librarian.",
  },
  RATE_LIMITED: {
    meaning: "A data source or a model refuses because of too many requests.",
    group: "client",
    httpStatus: 429,
    retryable: true,
    fixedBy: "operator",
    suggestion: "Wait a moment, then ask again.",
  },
  INTERNAL_ERROR: {
    meaning: "A librarian threw, or returned something that is not a response.",
    group: "server",
    httpStatus: 500,
    retryable: false,
    fixedBy: "author",
    suggestion:
      "Read `cause` of its hop:end event: it is what the librarian threw, with its stack.",
  },
  TIMEOUT: {
    meaning: "The deadline passed, or the caller cancelled, before there was an answer.",
    group: "server",
    httpStatus: 504,
    retryable: true,
    fixedBy: "operator",
    suggestion: "Ask again with more time, or ask a narrower question.",
  },
  SERVICE_UNAVAILABLE: {
    meaning: "A librarian is not taking queries now.",
    group: "server",
    httpStatus: 503,
    retryable: true,
    fixedBy: "operator",
    suggestion: "Ask again in a moment; if it stays unavailable, check the librarian's health.",
  },
  DELEGATION_FAILED: {
    meaning:
      "A librarian delegated to one that is not registered, or every branch of a fan-out failed.",
    group: "server",
    httpStatus: 502,
    retryable: false,
    fixedBy: "author",
    suggestion:
      "Register the missing librarian, or correct the delegate's id; router.check() lists them.",
  },
  LOOP_DETECTED: {
    meaning: "A librarian delegated to one that is already on its path.",
    group: "specific",
    httpStatus: 508,
    retryable: false,
    fixedBy: "author",
    suggestion:
      "Delegate to a librarian that is not on the path; router.check() finds cycles beforehand.",
  },
  MAX_DEPTH_EXCEEDED: {
    meaning: "The chain is longer, or the run larger, than the router allows.",
    group: "specific",
    httpStatus: 508,
    retryable: false,
    fixedBy: "author",
    suggestion: "Shorten the chain or narrow the fan-out, or raise maxDepth, maxHops or maxFanout.",
  },
  AI_UNAVAILABLE: {
    meaning: "The model failed, or its budget is spent, and there is no way to answer without it.",
    group: "specific",
    httpStatus: 503,
    retryable: true,
    fixedBy: "operator",
    suggestion: "Check the model's key, limits and budget, then ask again.",
  },
  DATA_SOURCE_ERROR: {
    meaning: "A data source failed while it was being read.",
    group: "specific",
    httpStatus: 502,
    retryable: true,
    fixedBy: "operator",
    suggestion: "Check that the data source is up and reachable, then ask again.",
  },
} as const satisfies Record<string, ErrorCodeEntry>;

/** A row of {@link errorCodes}. */
export type ErrorCode = keyof typeof errorCodes;

/** The codes as values: `ErrorCode.TIMEOUT` is `"TIMEOUT"`. */
export const ErrorCode = Object.freeze(
  Object.fromEntries(Object.keys(errorCodes).map((code) => [code, code])),
) as { readonly [Code in ErrorCode]: Code }; // each key of the table, with itself

/** Reasons for `error.details.reason`, a closed list: each with the codes that it occurs with. */
export const errorReasons = {
  deadline: { codes: ["TIMEOUT"], meaning: "Time ran out." },
  cancelled: {
    codes: ["TIMEOUT"],
    meaning: "The caller cancelled, or the fan-out was decided without it.",
  },
  "circuit-open": {
    codes: ["SERVICE_UNAVAILABLE"],
    meaning: "It failed too often, so its circuit breaker is open for a while.",
  },
  "delegate-unavailable": {
    codes: ["SERVICE_UNAVAILABLE"],
    meaning: "The librarian that would answer is down, or its circuit breaker is open.",
  },
  overloaded: { codes: ["SERVICE_UNAVAILABLE"], meaning: "Too many queries are waiting for it." },
  waiting: {
    codes: ["UNAUTHORIZED"],
    meaning: "It waits for a person or an event: `metadata.waiting` lists what for.",
  },
  "journal-failed": {
    codes: ["SERVICE_UNAVAILABLE"],
    meaning: "The journal cannot be written, or another process has the run.",
  },
  "remote-lost": {
    codes: ["SERVICE_UNAVAILABLE"],
    meaning: "The process that worked on it is gone.",
  },
  disconnected: {
    codes: ["SERVICE_UNAVAILABLE"],
    meaning: "The connection to the other processes is lost.",
  },
  depth: { codes: ["MAX_DEPTH_EXCEEDED"], meaning: "The path has maxDepth librarians." },
  "budget-exceeded": {
    codes: ["MAX_DEPTH_EXCEEDED", "AI_UNAVAILABLE"],
    meaning:
      "Hops or delegates (MAX_DEPTH_EXCEEDED), or tokens or money (AI_UNAVAILABLE), are spent.",
  },
  "unknown-librarian": {
    codes: ["NOT_FOUND", "DELEGATION_FAILED"],
    meaning: "No librarian has this id.",
  },
  "no-information": { codes: ["NOT_FOUND"], meaning: "It looked, and found nothing." },
  "out-of-domain": { codes: ["NOT_FOUND"], meaning: "The query is about something else." },
  "not-allowed": { codes: ["UNAUTHORIZED"], meaning: "A rule forbids it." },
  threw: { codes: ["INTERNAL_ERROR"], meaning: "The librarian threw or rejected." },
  "invalid-response": {
    codes: ["INTERNAL_ERROR", "DATA_SOURCE_ERROR"],
    meaning: "The value returned is not a valid response.",
  },
} as const satisfies Record<string, { codes: readonly ErrorCode[]; meaning: string }>;

/** A row of {@link errorReasons}. */
export type ErrorReason = keyof typeof errorReasons;

/** Whether a value is one of the twelve codes. */
export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === "string" && Object.hasOwn(errorCodes, value);
}

/** A failure as data, inside a response. */
export interface ErrorInfo {
  readonly code: ErrorCode;
  /** For people. No secrets, no stack, no full query. Branch on `code`, never on this. */
  readonly message: string;
  /** Id of the librarian that failed. */
  readonly librarian?: string | undefined;
  /** The query as the caller asked it, cut to 1,000 characters. */
  readonly query?: string | undefined;
  /** Whether asking again, unchanged, may help. */
  readonly recoverable?: boolean | undefined;
  /** What to do next. */
  readonly suggestion?: string | undefined;
  /** `reason` is a row of `errorReasons` where one fits; other fields are free. */
  readonly details?: ErrorDetails | undefined;
}

/** More about a failure. Plain data. */
export interface ErrorDetails {
  readonly reason?: ErrorReason | (string & {}) | undefined;
  readonly [key: string]: unknown;
}
