import {
  type ErrorCode,
  type ErrorDetails,
  type ErrorInfo,
  type ErrorReason,
  errorCodes,
} from "./error-code.js";
import { withoutUndefined } from "./unknown-value.js";
import { validateResponse } from "./validate-response.js";

/** Optional parts of a {@link MeshError}. */
export interface MeshErrorOptions {
  /** Exact reason; becomes `details.reason`. */
  readonly reason?: ErrorReason | undefined;
  /** Id of the librarian that failed. */
  readonly librarian?: string | undefined;
  /** What to do next. Default: the suggestion of the code. */
  readonly suggestion?: string | undefined;
  /** Plain data about it. Never secrets. */
  readonly details?: ErrorDetails | undefined;
  /** The original exception. Stays in this process: {@link MeshError.toInfo} leaves it out. */
  readonly cause?: unknown;
}

/**
 * A failure with a code from `errorCodes`, as an exception.
 *
 * The reason of every abort is one. A failure during a query is never thrown to the caller of
 * `ask`: it comes back as `Response.error`. Misuse of the API throws `TypeError` or `RangeError`.
 */
export class MeshError extends Error {
  override readonly name = "MeshError";
  readonly code: ErrorCode;
  readonly librarian: string | undefined;
  readonly suggestion: string;
  readonly details: ErrorDetails | undefined;

  constructor(code: ErrorCode, message: string, options: MeshErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.librarian = options.librarian;
    this.suggestion = options.suggestion ?? errorCodes[code].suggestion;
    this.details =
      options.reason === undefined
        ? options.details
        : { reason: options.reason, ...options.details };
  }

  /** Row of `errorReasons`, where one fits. */
  get reason(): ErrorReason | undefined {
    return this.details?.reason as ErrorReason | undefined;
  }

  /** The same failure as plain data, without `cause` and `stack`. */
  toInfo(): ErrorInfo {
    const { code, message, librarian, suggestion, details } = this;
    const recoverable = errorCodes[code].retryable;
    return withoutUndefined({ code, message, librarian, recoverable, suggestion, details });
  }

  /**
   * Reads a value that a librarian threw as a `MeshError`.
   *
   * @returns A copy of a `MeshError`, when each of its fields is valid; else
   *   `INTERNAL_ERROR`, reason `threw`, with `thrown` as its cause and none of its text in the
   *   message. Never throws, whatever `thrown` is.
   */
  static from(thrown: unknown, librarian: string): MeshError {
    const copy = MeshError.copyOf(thrown, librarian);
    if (copy !== undefined) return copy;
    return new MeshError("INTERNAL_ERROR", `Librarian "${librarian}" threw an error.`, {
      reason: "threw",
      librarian,
      cause: thrown,
    });
  }

  /**
   * Copies a `MeshError` from outside, so that it cannot change any more.
   *
   * @param librarian - For one that names no librarian.
   * @returns `undefined` unless `value` is a `MeshError` that holds only what an error may hold.
   *   Never throws, whatever `value` is: also not for a proxy that was revoked.
   */
  static copyOf(value: unknown, librarian?: string): MeshError | undefined {
    try {
      if (!(value instanceof MeshError)) return undefined;
      const { code, message, librarian: named = librarian, suggestion, details, cause } = value;
      const error = { code, message, librarian: named, suggestion, details };
      const checked = validateResponse({ error });
      if (!checked.valid || checked.response.error === undefined) return undefined;
      const copy = checked.response.error;
      return new MeshError(copy.code, copy.message, { ...copy, cause });
    } catch {
      return undefined; // reading it threw
    }
  }
}
