import type { ErrorCode, ErrorReason } from "./error-code.js";

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
