import { validateHostHeader, validateOriginHeader } from "@modelcontextprotocol/server";
import type { McpHandlerSettings } from "./options.js";

/** A JSON-RPC error that belongs to no request, with its HTTP status. */
export function refusal(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  code = -32_000,
): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status, headers });
}

/**
 * Refuses a `Host` or an `Origin` that is not allowed, as the transport's specification demands: a web page may have
 * sent the request without the knowledge of its reader.
 *
 * Source: "Security Warning" in Model Context Protocol, Transports, Streamable HTTP.
 */
export function refuseUntrustedOrigin(
  request: Request,
  { allowedHosts, allowedOrigins }: McpHandlerSettings,
): Response | undefined {
  const host = request.headers.get("host") ?? new URL(request.url).host;
  if (allowedHosts !== "any" && !validateHostHeader(host, [...allowedHosts]).ok) {
    return refusal(403, "This host name is not allowed. Name it in allowedHosts.");
  }
  const origin = request.headers.get("origin");
  if (allowedOrigins !== "any" && !validateOriginHeader(origin, [...allowedOrigins]).ok) {
    return refusal(403, "This origin is not allowed. Name it in allowedOrigins.");
  }
  return undefined;
}
