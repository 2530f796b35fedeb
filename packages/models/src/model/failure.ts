import { redactSecrets, sanitizeText } from "@constellation/authoring";
import { type AIUsage, MeshError } from "@constellation/core";

/** Details of a failed response. */
export interface StatusFailure {
  readonly status: number;
  /** The service's own message, untrusted. Secrets are removed. */
  readonly serviceMessage?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  /** The service's own id of the request, for its support. */
  readonly requestId?: string | undefined;
  /** Where the key comes from, for the suggestion. */
  readonly keySource: string;
  readonly secret: string | undefined;
}

/** Maximum number of characters of a service's message that an error holds. */
const maxMessageLength = 300;

/** Converts a failed response to an error, which holds nothing of the request. */
export function statusFailure(failure: StatusFailure): MeshError {
  const { status, serviceMessage, retryAfterMs, requestId, keySource, secret } = failure;
  const problem = serviceMessage === undefined ? undefined : problemIn(serviceMessage, secret);
  const request = requestId === undefined ? {} : { requestId };
  const details = { status, ...(problem && { problem }), ...request };
  if (status === 401 || status === 403) {
    // The service's message may hold the key, or a part of it.
    return new MeshError("AI_UNAVAILABLE", "The model's service rejected the key.", {
      suggestion: `Check that ${keySource} is a valid key and may use this model.`,
      details: { status, ...request },
    });
  }
  if (status === 429) {
    return new MeshError(
      "RATE_LIMITED",
      "The model's service rejected the call: too many requests.",
      {
        details: { ...details, ...(retryAfterMs !== undefined && { retryAfterMs }) },
      },
    );
  }
  if (status === 404) {
    return new MeshError("AI_UNAVAILABLE", "The model or its service was not found.", {
      suggestion: "Check the model's id and baseURL.",
      details,
    });
  }
  if (status >= 500 || status === 408) {
    return new MeshError("AI_UNAVAILABLE", `The model's service failed with status ${status}.`, {
      suggestion: "Ask again in a moment.",
      details,
    });
  }
  return new MeshError("AI_UNAVAILABLE", "The model's service rejected the request.", {
    suggestion: "See details.problem, then correct the request or the configuration.",
    details,
  });
}

/** Converts a transport's exception: the service cannot be reached, or the connection broke. */
export function connectionFailure(thrown: unknown): MeshError {
  const code = findConnectionCode(thrown);
  return new MeshError("AI_UNAVAILABLE", "The connection to the model's service failed.", {
    suggestion: "Check the network and baseURL, then ask again.",
    ...(code !== undefined && { details: { problem: code } }),
  });
}

/** The error for data that is not a reply, or only a part of one. */
export function brokenReply(problem: string): MeshError {
  return new MeshError("AI_UNAVAILABLE", "The model's service sent a broken reply.", {
    suggestion: "Ask again. If the error persists, check baseURL.",
    details: { problem },
  });
}

/** The error for an unknown stop reason: the reply may be only half an answer. */
export function unknownEnd(reason: unknown): MeshError {
  const named = typeof reason === "string" && /^[\w.-]{1,40}$/.test(reason) ? `: "${reason}"` : "";
  return brokenReply(`the reply has an unknown stop reason${named}`);
}

/** Adds the usage that was charged despite the failure. */
export function withUsage(error: MeshError, usage: AIUsage | undefined): MeshError {
  if (usage === undefined) return error;
  const { code, message, librarian, suggestion, details } = error;
  return new MeshError(code, message, { librarian, suggestion, details: { ...details, usage } });
}

/** A service's message as one line without secrets. */
function problemIn(message: string, secret: string | undefined): string {
  const short = message.slice(0, 4_000);
  const known = secret === undefined ? short : short.replaceAll(secret, "[key]");
  const line = known.replaceAll(/\b(?:Bearer\s{1,3}|sk-|key-)[\w.-]{6,200}/gi, "[key]");
  return sanitizeText(redactSecrets(line), { singleLine: true, maxLength: maxMessageLength });
}

/** Whether another model may answer where this failure ended an exchange. */
export function mayFallBack({ code, reason, details }: MeshError): boolean {
  if (code === "RATE_LIMITED") return true;
  if (code !== "AI_UNAVAILABLE" || reason === "budget-exceeded") return false;
  const status = details?.status;
  return typeof status !== "number" || status === 404 || status === 408 || status >= 500;
}

/** Finds a `MeshError` in an error or its causes, because SDKs wrap exceptions. */
export function meshErrorIn(thrown: unknown, depth = 0): MeshError | undefined {
  if (thrown instanceof MeshError) return thrown;
  return thrown instanceof Error && depth < 5 ? meshErrorIn(thrown.cause, depth + 1) : undefined;
}

/** Statuses of servers that do not support a field or its value. */
const rejections: ReadonlySet<unknown> = new Set([400, 415, 422, 501]);

/** Whether a server rejected the request, so that nothing was charged. */
export function isRejection(thrown: unknown): boolean {
  return rejections.has(meshErrorIn(thrown)?.details?.status);
}

/** System's code of a failed connection, such as `ECONNREFUSED`, from an error or its causes. */
export function findConnectionCode(thrown: unknown, depth = 0): string | undefined {
  if (!(thrown instanceof Error) || depth > 5) return undefined;
  const { code } = thrown as { code?: unknown };
  return typeof code === "string" && /^[A-Z][A-Z_0-9]{2,40}$/.test(code)
    ? code
    : findConnectionCode(thrown.cause, depth + 1);
}
