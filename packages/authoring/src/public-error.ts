import type { ErrorInfo } from "@constellation/core";
import { errorCodes } from "@constellation/core";
import { withoutUndefined } from "@constellation/core/checks";

/** What {@link publicError} keeps of an error. */
export interface PublicError {
  readonly code: ErrorInfo["code"];
  readonly message: string;
  readonly suggestion: string;
  readonly recoverable: boolean;
  /** Row of `errorReasons`, where one fits. */
  readonly reason?: string;
  readonly librarian?: string;
}

/**
 * The fields of an error that a client outside the mesh may see. Of the details, only the reason is kept.
 * `suggestion` and `recoverable` default to those of the code.
 */
export function publicError(error: ErrorInfo): PublicError {
  const { code, message, suggestion, recoverable, librarian, details } = error;
  return withoutUndefined({
    code,
    message,
    reason: details?.reason,
    suggestion: suggestion ?? errorCodes[code].suggestion,
    recoverable: recoverable ?? errorCodes[code].retryable,
    librarian,
  });
}
