import { A2A_VERSION_HEADER, type AgentCard, formatSSEEvent, SSE_HEADERS } from "@a2a-js/sdk";
import { isLegacyJsonRpcMethod } from "@a2a-js/sdk/compat/v0_3";
import { LegacyJsonRpcTransportHandler } from "@a2a-js/sdk/compat/v0_3/server";
import { JsonRpcTransportHandler, ServerCallContext } from "@a2a-js/sdk/server";
import { describeValue } from "@constellation/authoring";
import { parseTraceparent, type Router, type User } from "@constellation/core";
import { cardJson, createAgentCard } from "./agent-card.js";
import { type Call, callKey, createExecutor } from "./executor.js";
import { type A2AHandlerOptions, checkHandlerOptions, requireRouter } from "./options.js";
import {
  readJson,
  refuseInvalidRequest,
  refusePushNotifications,
  refuseVersion,
  rpcError,
} from "./request-body.js";
import { RequestHandler, TaskBuses } from "./request-handler.js";
import { createTaskStore } from "./task-store.js";

/** Information about a request from the caller of the handler. */
export interface RequestInfo {
  /** The user, authenticated: every librarian gets it. A task belongs to the user who began it. */
  readonly user?: User | undefined;
  /**
   * Whether the metadata that a calling mesh sends counts as observed, and not as a claim: its sender is a
   * system that is trusted with that.
   *
   * @default false
   */
  readonly observed?: boolean | undefined;
}

/** Answers HTTP requests for the agent's card and for the agent. */
export interface A2AHandler {
  /** @returns The response: failures are in its status and body. Rejects only for a wrong `info`. */
  (request: Request, info?: RequestInfo): Promise<Response>;
  /** `@constellation/server` shows the card to those who have no token yet. */
  readonly hasAgentCard: true;
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
  const buses = new TaskBuses();
  const store = createTaskStore(settings, (taskId) => buses.end(taskId));
  let isClosed = false;

  /** Built for each request, since librarians come and go. */
  function cardFor(request: Request, user: User | undefined): AgentCard {
    const url = new URL(settings.url, request.url).href;
    return createAgentCard(router, { ...settings.card, url, user });
  }

  const ownCard = createAgentCard(router, { ...settings.card, url: settings.url });
  const requestHandler = new RequestHandler(ownCard, store, executor, buses);
  const current = new JsonRpcTransportHandler(requestHandler);
  const legacy = new LegacyJsonRpcTransportHandler(requestHandler);

  async function handle(request: Request, info: RequestInfo = {}): Promise<Response> {
    const { user } = info;
    if (user !== undefined && (typeof user?.id !== "string" || user.id === "")) {
      throw new TypeError(`user: expected an object with an id, got ${describeValue(user)}.`);
    }
    if (isClosed) return rpcError(503, -32_603, "The agent is closing.", { "retry-after": "1" });
    const { method, url } = request;
    if (method === "GET" && new URL(url).pathname.endsWith("/.well-known/agent-card.json")) {
      return Response.json(cardJson(cardFor(request, user), requestedVersion(request)), {
        headers: { "cache-control": "no-cache", vary: A2A_VERSION_HEADER },
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
    const version = requestedVersion(request) ?? (isLegacy ? "0.3" : undefined);
    const wrongVersion = refuseVersion(body, version, ownCard);
    if (wrongVersion !== undefined) return wrongVersion;
    const context = createCallContext(request, info, called);
    const reply = await (isLegacy ? legacy : current).handle(body, context);
    if (!(Symbol.asyncIterator in reply)) return Response.json(reply);
    try {
      return toEventStream(await reply.next(), reply);
    } catch (thrown) {
      // Before the first event, such as for an unknown task: an error like that of any method.
      const error = isLegacy
        ? LegacyJsonRpcTransportHandler.mapToLegacyJSONRPCError(thrown)
        : JsonRpcTransportHandler.mapToJSONRPCError(thrown);
      return Response.json({ jsonrpc: "2.0", id: body.id ?? null, error });
    }
  }

  return Object.assign(handle, {
    hasAgentCard: true as const,
    async close() {
      isClosed = true;
      executor.close();
      buses.close(executor.isAtWork);
    },
  });
}

/** The version that a request names, as `Major.Minor`: in its header or, as the specification allows, in its URL. */
function requestedVersion({ headers, url }: Request): string | undefined {
  const named =
    headers.get(A2A_VERSION_HEADER) ?? new URL(url).searchParams.get(A2A_VERSION_HEADER);
  const version = named?.trim() ?? "";
  return version === "" ? undefined : version.replace(/^(\d+\.\d+)\.\d+$/, "$1");
}

/** Methods whose caller waits for the outcome, and has no task id to fetch it with later. */
const waiting: ReadonlySet<unknown> = new Set(["SendMessage", "message/send"]);

function createCallContext(
  request: Request,
  { user, observed }: RequestInfo,
  method: unknown,
): ServerCallContext {
  const { headers, signal } = request;
  const traceparent = headers.get("traceparent");
  const trace =
    traceparent === null
      ? undefined
      : parseTraceparent(traceparent, headers.get("tracestate") ?? undefined);
  const call: Call = { user, observed, trace, ...(waiting.has(method) && { signal }) };
  const version = requestedVersion(request);
  return new ServerCallContext({
    ...(user !== undefined && { user: { isAuthenticated: true, userName: user.id } }),
    ...(version !== undefined && { requestedVersion: version }),
    state: new Map([[callKey, call]]),
  });
}

/** Events as they occur. A caller that disconnects ends the stream, not the task. */
function toEventStream(
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
