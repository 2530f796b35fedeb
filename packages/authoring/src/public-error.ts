import type { ErrorInfo } from "@constellation/core";
import { errorCodes } from "@constellation/core";
import { withoutUndefined } from "@constellation/core/checks";

/**
 * The fields of an error that a client outside the mesh may see. Of the details, which can hold anything,
 * only the reason is kept. `suggestion` and `recoverable` default to those of the code.
 */
export function publicError(error: ErrorInfo) {
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
