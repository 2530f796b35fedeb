import type { Router } from "@constellation/core";
import { isRecord } from "@constellation/core/checks";
import {
  createMcpHandler as createStatelessHandler,
  isInitializeRequest,
  isJsonContentType,
  isLegacyRequest,
  type McpRequestContext,
  readRequestBody,
} from "@modelcontextprotocol/server";
import { buildServer } from "../server/create-mcp-server.js";
import { createHandlerState } from "../server/handler-state.js";
import { requireRouter, requireUser } from "../server/options.js";
import { authInfoFor, type RequestInfo, userOfAuth } from "../server/request-info.js";
import { checkHandlerOptions, type McpHandlerOptions } from "./options.js";
import { refusal, refuseUntrustedOrigin } from "./refusal.js";
import { createSessions } from "./sessions.js";

/** Answers HTTP requests for one address, such as `/mcp`. */
export interface McpHandler {
  /** @returns The response: failures are in its status and body. Rejects only for a wrong `info`. */
  (request: Request, info?: RequestInfo): Promise<Response>;
  /** Ends every session, cancels their queries, and answers 503 from then on. */
  close(): Promise<void>;
}

/** Maximum number of messages in one body, of which at most one may call a tool, because each call takes a slot. */
const maxMessages = 32;

/**
 * Serves a mesh to MCP clients over streamable HTTP, of the revision of 2026 and of those before it,
 * which keep sessions.
 *
 * It checks `Host` and `Origin`, and bounds bodies, sessions and queries. It does not authenticate: its
 * caller does, and passes the user.
 *
 * @throws TypeError or RangeError for a wrong option, naming it and its value.
 *
 * @example
 * ```ts
 * const handler = createMcpHandler(router);
 * const response = await handler(request, { user });
 * ```
 */
export function createMcpHandler(router: Router, options: McpHandlerOptions = {}): McpHandler {
  requireRouter(router);
  const settings = checkHandlerOptions(options);
  const shared = createHandlerState(settings.server);
  const sessions = createSessions(router, settings, shared);
  const build = ({ authInfo }: McpRequestContext) =>
    buildServer(router, settings.server, shared, userOfAuth(authInfo));
  const stateless = createStatelessHandler(build, {
    legacy: "reject",
    maxRequestBodySize: settings.maxBodyBytes,
    maxSubscriptions: settings.maxSessions,
  });
  let isClosed = false;

  async function handle(request: Request, info: RequestInfo = {}): Promise<Response> {
    requireUser(info.user);
    if (isClosed) return refusal(503, "The server is closing.", { "retry-after": "1" });
    const refused = refuseUntrustedOrigin(request, settings);
    if (refused !== undefined) return refused;
    const read = await readMessages(request, settings.maxBodyBytes);
    if (read instanceof Response) return read;

    const { user } = info;
    const given = {
      ...(read.body !== undefined && { parsedBody: read.body }),
      authInfo: authInfoFor(info),
    };
    if (!(await isLegacyRequest(request, read.body))) return stateless.fetch(request, given);

    const id = request.headers.get("mcp-session-id");
    if (id !== null) {
      const session = sessions.find(id, user?.id);
      if (session === undefined)
        return refusal(404, "Unknown session. Send `initialize` to begin another.");
      return session.transport.handleRequest(request, given);
    }
    if (!isInitializeRequest(read.body)) {
      return refusal(400, "A session begins with `initialize`; send its id with each request.");
    }
    const session = await sessions.begin(user);
    if (session === undefined) {
      return refusal(503, "Too many sessions.", { "retry-after": "5" });
    }
    const response = await session.transport.handleRequest(request, given);
    if (!response.ok) sessions.end(session.id); // it never began
    return response;
  }

  return Object.assign(handle, {
    async close() {
      isClosed = true;
      await Promise.all([sessions.close(), stateless.close()]);
    },
  });
}

/** Reads the body of a request: JSON within the size limit; `undefined` for other methods. */
async function readMessages(
  request: Request,
  maxBytes: number,
): Promise<{ readonly body?: unknown } | Response> {
  const { method } = request;
  if (method === "GET" || method === "DELETE") return {};
  if (method !== "POST") {
    return refusal(405, "Method not allowed.", { allow: "GET, POST, DELETE" });
  }
  if (!isJsonContentType(request.headers.get("content-type"))) {
    return refusal(415, "The content type must be application/json.");
  }
  try {
    const read = await readRequestBody(request, maxBytes);
    if (read.tooLarge) return refusal(413, `The body has more than ${maxBytes} bytes.`);
    const body: unknown = JSON.parse(read.text);
    if (Array.isArray(body) && body.length > maxMessages) {
      return refusal(400, `A body holds at most ${maxMessages} messages.`);
    }
    if (Array.isArray(body) && body.filter(isToolCall).length > 1) {
      return refusal(
        400,
        "A body holds at most one call of a tool. Send each in a request of its own.",
      );
    }
    return { body };
  } catch {
    return refusal(400, "The body is not JSON.", {}, -32_700);
  }
}

function isToolCall(message: unknown): boolean {
  return isRecord(message) && message.method === "tools/call";
}
