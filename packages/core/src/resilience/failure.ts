import { type ErrorCode, errorCodes } from "../contract/error-code.js";
import type { Response } from "../contract/response.js";

/** Codes of failures of the librarian itself; the others are about the query, the user or the mesh. */
const failures: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "INTERNAL_ERROR",
  "TIMEOUT",
  "SERVICE_UNAVAILABLE",
  "RATE_LIMITED",
  "AI_UNAVAILABLE",
  "DATA_SOURCE_ERROR",
]);

/** How a call ended, for breakers and fallbacks. An answer beside an error is a success. */
export function outcomeOfCall(response: Response): "success" | "failure" | "cancelled" {
  const { answer, error } = response;
  if (error === undefined || answer !== undefined) return "success";
  const reason = error.details?.reason;
  if (reason === "cancelled" || reason === "budget-exceeded") return "cancelled"; // the caller's doing
  return failures.has(error.code) ? "failure" : "success";
}

/** Whether the same call may succeed a little later. */
export function isRetryable(response: Response): boolean {
  const { error } = response;
  return (
    outcomeOfCall(response) === "failure" &&
    error !== undefined &&
    errorCodes[error.code].retryable &&
    error.recoverable !== false
  );
}
