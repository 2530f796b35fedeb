import { A2A_VERSION_HEADER, type AgentCard, formatSSEEvent, SSE_HEADERS } from "@a2a-js/sdk";
import { isLegacyJsonRpcMethod } from "@a2a-js/sdk/compat/v0_3";
import { LegacyJsonRpcTransportHandler } from "@a2a-js/sdk/compat/v0_3/server";
import { JsonRpcTransportHandler, ServerCallContext } from "@a2a-js/sdk/server";
import { parseTraceparent, type Router, type User } from "@constellation/core";
import { describeValue } from "@constellation/core/authoring";
import { cardJson, createAgentCard } from "./agent-card.js";
import { type Call, callKey, createExecutor } from "./executor.js";
import { type A2AHandlerOptions, checkHandlerOptions, requireRouter } from "./options.js";
import {
  readJson,
  refuseInvalidRequest,
  refusePushNotifications,
  rpcError,
} from "./request-body.js";
import { RequestHandler } from "./request-handler.js";
import { createTaskStore } from "./task-store.js";

/** What the caller of the handler knows about a request. */
export interface RequestInfo {
  /** The user, authenticated: every librarian gets it. A task belongs to the user who began it. */
  readonly user?: User | undefined;
}

/** Answers HTTP requests for the agent's card and for the agent. */
export interface A2AHandler {
  /** @returns The response: failures are in its status and body. Rejects for a wrong `info` alone. */
  (request: Request, info?: RequestInfo): Promise<Response>;
  /** Cancels every task in progress, and answers 503 from then on. */
  close(): Promise<void>;
}

/**
 * Serves a mesh as an A2A agent over JSON-RPC, of protocol 1.0 and 0.3: its card at
 * `/.well-known/agent-card.json`, and sending a message, streaming, getting and cancelling a task
 * with POST to any other path.
 *
 * It bounds bodies, queries and tasks. It does not authenticate: its caller does, and passes the user.
 *
 * @throws TypeError or RangeError for a wrong option, naming it and its value.
 *
 * @example
 * ```ts
 * const handler = createA2AHandler(router, { url: "https://mesh.example.com/a2a" });
 * const response = await handler(request, { user });
 * ```
 */
export function createA2AHandler(router: Router, options: A2AHandlerOptions = {}): A2AHandler {
  requireRouter(router);
  const settings = checkHandlerOptions(options);
  const executor = createExecutor(router, settings);
  const store = createTaskStore(settings);
  let isClosed = false;

  /** Built for each request, since librarians come and go. */
  function cardFor(request: Request, user: User | undefined): AgentCard {
    const url = new URL(settings.url, request.url).href;
    return createAgentCard(router, { ...settings.card, url, user });
  }

  const requestHandler = new RequestHandler(
    createAgentCard(router, { ...settings.card, url: settings.url }),
    store,
    executor,
  );
  const current = new JsonRpcTransportHandler(requestHandler);
  const legacy = new LegacyJsonRpcTransportHandler(requestHandler);

  async function handle(request: Request, { user }: RequestInfo = {}): Promise<Response> {
    if (user !== undefined && (typeof user?.id !== "string" || user.id === "")) {
      throw new TypeError(`user: expected an object with an id, got ${describeValue(user)}.`);
    }
    if (isClosed) return rpcError(503, -32_603, "The agent is closing.", { "retry-after": "1" });
    const { method, url } = request;
    if (method === "GET" && new URL(url).pathname.endsWith("/.well-known/agent-card.json")) {
      return Response.json(cardJson(cardFor(request, user)), {
        headers: { "cache-control": "no-cache" },
      });
    }
    if (method !== "POST") return rpcError(405, -32_600, "Method not allowed.", { allow: "POST" });
    const read = await readJson(request, settings.maxBodyBytes);
    if (read instanceof Response) return read;
    const { body } = read;

    const invalid = refuseInvalidRequest(body) ?? refusePushNotifications(body);
    if (invalid !== undefined) return invalid;
    const called: unknown = body.method;
    const isLegacy = isLegacyJsonRpcMethod(called);
    const context = contextOf(request, user, called);
    const reply = await (isLegacy ? legacy : current).handle(body, context);
    if (!(Symbol.asyncIterator in reply)) return Response.json(reply);
    try {
      return streamOf(await reply.next(), reply);
    } catch (thrown) {
      // Before the first event, such as for an unknown task: an error like that of any method.
      const error = isLegacy
        ? LegacyJsonRpcTransportHandler.mapToLegacyJSONRPCError(thrown)
        : JsonRpcTransportHandler.mapToJSONRPCError(thrown);
      return Response.json({ jsonrpc: "2.0", id: body.id ?? null, error });
    }
  }

  return Object.assign(handle, {
    async close() {
      isClosed = true;
      executor.close();
    },
  });
}

/** Methods whose caller waits for the outcome, and has no task id to fetch it with later. */
const waiting: ReadonlySet<unknown> = new Set(["SendMessage", "message/send"]);

function contextOf(request: Request, user: User | undefined, method: unknown): ServerCallContext {
  const { headers, signal } = request;
  const traceparent = headers.get("traceparent");
  const trace =
    traceparent === null
      ? undefined
      : parseTraceparent(traceparent, headers.get("tracestate") ?? undefined);
  const call: Call = { user, trace, ...(waiting.has(method) && { signal }) };
  const requestedVersion = headers.get(A2A_VERSION_HEADER);
  return new ServerCallContext({
    ...(user !== undefined && { user: { isAuthenticated: true, userName: user.id } }),
    ...(requestedVersion !== null && { requestedVersion }),
    state: new Map([[callKey, call]]),
  });
}

/** Events as they occur. A caller that disconnects ends the stream, not the task. */
function streamOf(
  first: IteratorResult<unknown, void>,
  events: AsyncGenerator<unknown, void, undefined>,
): Response {
  const encoder = new TextEncoder();
  let ready: IteratorResult<unknown, void> | undefined = first;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { value, done } = ready ?? (await events.next());
        ready = undefined;
        if (done === true) controller.close();
        else controller.enqueue(encoder.encode(formatSSEEvent(value)));
      } catch {
        controller.enqueue(
          encoder.encode(
            formatSSEEvent({
              jsonrpc: "2.0",
              id: null,
              error: { code: -32_603, message: "The stream broke." },
            }),
          ),
        );
        controller.close();
      }
    },
    cancel() {
      void events.return();
    },
  });
  return new Response(body, { headers: SSE_HEADERS });
}
