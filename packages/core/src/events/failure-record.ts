import type { ErrorCode } from "../contract/error-code.js";
import type { ErrorInfo } from "../contract/error-info.js";

/** A failure, without its details, which may be anything. */
export interface FailureRecord {
  readonly code: ErrorCode;
  /** Cut to 1,000 characters. */
  readonly message: string;
  /** Row of `errorReasons`, where one fits. */
  readonly reason?: string | undefined;
}

export function failureOf({ code, message, details }: ErrorInfo): FailureRecord {
  const reason = details?.reason;
  return {
    code,
    message: message.slice(0, 1_000),
    ...(typeof reason === "string" && { reason: reason.slice(0, 100) }),
  };
}
