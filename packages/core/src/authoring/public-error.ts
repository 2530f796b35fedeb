import { errorCodes } from "../contract/error-code.js";
import type { ErrorInfo } from "../contract/error-info.js";
import { withoutUndefined } from "./without-undefined.js";

/**
 * The fields of an error that a client outside the mesh may see: no details but the reason, which can
 * hold anything. `suggestion` and `recoverable` are those of the code where the error states none.
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
