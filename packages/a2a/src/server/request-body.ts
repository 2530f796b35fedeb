import type { AgentCard } from "@a2a-js/sdk";
import { ContentTypeNotSupportedError } from "@a2a-js/sdk/errors";
import { JsonRpcTransportHandler, validateVersion } from "@a2a-js/sdk/server";
import { readBodyBounded } from "@constellation/authoring";

/** A JSON-RPC error with its HTTP status; without an id it belongs to no request. */
export function rpcError(
  status: number,
  code: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  id: unknown = null,
): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id }, { status, headers });
}

/**
 * Refuses a body that is not a JSON-RPC request, with -32600 and status 200: what was wrong is in the
 * JSON-RPC error, as for every other request that is JSON.
 *
 * Source: JSON-RPC 2.0 Specification, 4 and 5.1.
 */
export function refuseInvalidRequest(
  body: Readonly<Record<string, unknown>>,
): Response | undefined {
  const { jsonrpc, method, id } = body;
  const hasId = typeof id === "string" || Number.isInteger(id);
  const problem =
    jsonrpc !== "2.0"
      ? 'jsonrpc must be "2.0"'
      : typeof method !== "string" || method === ""
        ? "method must be text"
        : id !== undefined && id !== null && !hasId
          ? "id must be text, an integer or null"
          : undefined;
  if (problem === undefined) return undefined;
  return rpcError(200, -32_600, `Invalid request: ${problem}.`, {}, hasId ? id : null);
}

/** Refuses the methods of push notifications, in the names of both revisions, with -32003. */
export function refusePushNotifications({
  method,
  id,
}: Readonly<Record<string, unknown>>): Response | undefined {
  if (typeof method !== "string" || !/PushNotificationConfig/i.test(method)) return undefined;
  return rpcError(200, -32_003, "Push notifications are not supported.", {}, id ?? null);
}

/** Refuses a version of the protocol that the card does not name, with -32009. */
export function refuseVersion(
  { id }: Readonly<Record<string, unknown>>,
  version: string | undefined,
  card: AgentCard,
): Response | undefined {
  if (version === undefined) return undefined;
  try {
    validateVersion(version, card, "JSONRPC");
    return undefined;
  } catch (thrown) {
    return protocolError(200, thrown, id);
  }
}

/** An error of the protocol, with its code and the reason that the specification has for it. */
function protocolError(status: number, thrown: unknown, id: unknown): Response {
  const error = JsonRpcTransportHandler.mapToJSONRPCError(thrown);
  return Response.json({ jsonrpc: "2.0", error, id: id ?? null }, { status });
}

/** Reads the body of a request: a JSON object within the size limit. Returns the refusal otherwise. */
export async function readJson(
  request: Request,
  maxBytes: number,
): Promise<{ readonly body: Record<string, unknown> } | Response> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json" && type !== "application/a2a+json") {
    const error = new ContentTypeNotSupportedError("The content type must be application/json.");
    return protocolError(415, error, null);
  }
  const tooLarge = () => rpcError(413, -32_600, `The body has more than ${maxBytes} bytes.`);
  if (Number(request.headers.get("content-length")) > maxBytes) return tooLarge();
  try {
    const bytes = await readBodyBounded(request, maxBytes);
    if (bytes === undefined) return tooLarge();
    const body: unknown = JSON.parse(bytes.toString("utf8"));
    if (typeof body !== "object" || body === null || Array.isArray(body)) {
      return rpcError(400, -32_600, "The body must be one JSON-RPC request.");
    }
    return { body: body as Record<string, unknown> };
  } catch {
    return rpcError(400, -32_700, "The body is not JSON.");
  }
}
