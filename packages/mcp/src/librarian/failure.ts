import { type ErrorReason, MeshError } from "@constellation/core";
import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from "@modelcontextprotocol/client";

/** A message of the server exceeds the size limit. */
export class ReplyTooLarge extends Error {
  override readonly name = "ReplyTooLarge";
}

/** Codes of the SDK for a lost server, and those for an unreadable reply. */
const lost: ReadonlySet<SdkErrorCode> = new Set([
  SdkErrorCode.NotConnected,
  SdkErrorCode.ConnectionClosed,
  SdkErrorCode.SendFailed,
]);
const unreadable: ReadonlySet<SdkErrorCode> = new Set([
  SdkErrorCode.InvalidResult,
  SdkErrorCode.UnsupportedResultType,
  SdkErrorCode.ClientHttpUnexpectedContent,
  SdkErrorCode.InputRequiredRoundsExceeded,
]);

/** Converts a failure of a call to an error of the mesh, without any text of the server. */
export function readFailure(thrown: unknown): MeshError {
  if (thrown instanceof MeshError) return thrown;
  if (thrown instanceof ReplyTooLarge) {
    return dataSourceError("The server's reply is too large.", thrown, "invalid-response");
  }
  if (thrown instanceof SdkHttpError) return httpFailure(thrown);
  if (thrown instanceof UnauthorizedError) return unauthorized(thrown);
  if (thrown instanceof ProtocolError) {
    return new MeshError("DATA_SOURCE_ERROR", `The server rejected the call (${thrown.code}).`, {
      suggestion: "Check the name of the tool and its arguments.",
      cause: thrown,
    });
  }
  if (thrown instanceof SdkError && unreadable.has(thrown.code)) {
    return dataSourceError("The server's reply cannot be read.", thrown, "invalid-response");
  }
  if (thrown instanceof SdkError && thrown.code === SdkErrorCode.RequestTimeout) {
    return new MeshError("TIMEOUT", "The server did not answer in time.", {
      reason: "deadline",
      cause: thrown,
    });
  }
  if (thrown instanceof SyntaxError || isSchemaError(thrown)) {
    return dataSourceError("The server's reply cannot be read.", thrown, "invalid-response");
  }
  return new MeshError("SERVICE_UNAVAILABLE", "The server cannot be reached, or was lost.", {
    suggestion: "Check that the server runs and that its address or command is right.",
    reason: "remote-lost",
    cause: thrown,
  });
}

/** Whether the server is gone, or has forgotten this connection. */
export function isLost(thrown: unknown): boolean {
  if (thrown instanceof MeshError || thrown instanceof ProtocolError) return false;
  if (thrown instanceof SdkHttpError) return thrown.status === 404;
  return !(thrown instanceof SdkError) || lost.has(thrown.code);
}

/** Whether a server rejected an unknown session, and so did nothing. */
export function isUnknownSession(thrown: unknown): boolean {
  return thrown instanceof SdkHttpError && thrown.status === 404;
}

function httpFailure(thrown: SdkHttpError): MeshError {
  const { status = 0 } = thrown;
  if (status === 401 || status === 403) return unauthorized(thrown);
  if (status === 429) {
    return new MeshError("RATE_LIMITED", "The server rejected the call: too many requests.", {
      cause: thrown,
    });
  }
  if (status === 502 || status === 503 || status === 504) {
    return new MeshError("SERVICE_UNAVAILABLE", `The server is not available (${status}).`, {
      cause: thrown,
    });
  }
  return dataSourceError(`The server answered with HTTP status ${status}.`, thrown);
}

function unauthorized(cause: unknown): MeshError {
  return new MeshError("UNAUTHORIZED", "The server rejected the credentials.", {
    reason: "not-allowed",
    suggestion: "Check the credentials in the librarian's headers.",
    cause,
  });
}

function dataSourceError(message: string, cause: unknown, reason?: ErrorReason): MeshError {
  return new MeshError("DATA_SOURCE_ERROR", message, { reason, cause });
}

/** The SDK may use another copy of zod, so its errors are recognised by name. */
function isSchemaError(thrown: unknown): boolean {
  return thrown instanceof Error && (thrown.name === "ZodError" || thrown.name === "$ZodError");
}
