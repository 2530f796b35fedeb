import {
  type AskOptions,
  MeshError,
  parseTraceparent,
  type Response,
  type Router,
  type TraceContext,
  type User,
} from "@constellation/core";
import { findOrder } from "@constellation/nlu";
import {
  createLibrarianFilter,
  decodeCall,
  type IncomingCall,
  openServerSpan,
  type ReplyEnvelope,
  refuseCall,
  replyTo,
  toAskOptions,
} from "@constellation/transport/envelope";
import {
  type CallToolResult,
  type ClientCapabilities,
  type InputRequiredResult,
  type ServerContext,
  TRACEPARENT_META_KEY,
  TRACESTATE_META_KEY,
} from "@modelcontextprotocol/server";
import { callKey, replyKey } from "../envelope-keys.js";
import { spanAttributes } from "../span-attributes.js";
import { toToolResult } from "./answer.js";
import { elicit, findElicited, type PendingInput, readElicited, takePending } from "./elicit.js";
import type { HandlerState } from "./handler-state.js";
import type { McpServerSettings } from "./options.js";
import { readRequest, readUser } from "./request-info.js";
import { sendProgress } from "./send-progress.js";
import { shorten } from "./shorten.js";

/** Arguments of a query tool, checked. */
export interface QueryArguments {
  readonly query: string;
  readonly to?: string | undefined;
  readonly timeoutMs?: number | undefined;
  readonly thread?: string | undefined;
}

/** The mesh that is asked, with its limits. */
export interface MeshAccess {
  readonly router: Router;
  readonly settings: McpServerSettings;
  readonly shared: HandlerState;
  /** Capabilities of the client, where its session declared them. */
  readonly capabilities: () => ClientCapabilities | undefined;
}

/**
 * Asks the mesh for a client: the client's cancel stops the run, its trace context is the run's parent,
 * and its progress token receives the progress.
 */
export async function ask(
  { tool, query, to, timeoutMs, thread }: QueryArguments & { readonly tool: string },
  access: MeshAccess,
  context: ServerContext,
): Promise<CallToolResult | InputRequiredResult> {
  const { router, settings, shared } = access;
  const { semaphore } = shared;
  if (!semaphore.tryAcquire()) {
    const overloaded = new MeshError("SERVICE_UNAVAILABLE", "Too many queries are in flight.", {
      reason: "overloaded",
    });
    return toToolResult({ response: { error: overloaded.toInfo() } });
  }
  let settled = Promise.resolve();
  try {
    const user = readUser(context) ?? settings.user;
    const pending = takePending(context, user, shared.inputs);
    if (pending !== undefined) return await answerPending(pending, user, access, context);
    const incoming = readIncoming(context);
    const unordered = incoming === undefined ? findUnordered(router, to, query, user) : undefined;
    if (unordered !== undefined) return toToolResult({ response: { error: unordered.toInfo() } });
    const span = openServerSpan(
      { name: `tools/call ${tool}`, attributes: spanAttributes(tool) },
      { trace: readTrace(context), baggage: incoming?.baggage },
    );
    const options: AskOptions = {
      user,
      ...(incoming !== undefined &&
        toAskOptions(incoming, { user, trustedPeers: settings.trustedPeers })),
      observed: readRequest(context).observed,
      to,
      timeoutMs,
      thread,
      signal: context.mcpReq.signal,
      trace: span.place,
    };
    try {
      const run = span.within(() => router.start(query, options));
      settled = run.settled;
      const filter = createLibrarianFilter(router, options.user);
      const [whole] = await Promise.all([run.response, sendProgress(run, filter, context)]);
      span.end(whole.answer === undefined ? whole.error : undefined);
      const response = filter.apply(whole);
      if (incoming === undefined) return resultFor(response, user, access, context);
      // A calling mesh gets the whole response, and reads no resource.
      const reply = filter.apply(await replyTo(run, incoming.requestId));
      return withReply(toToolResult({ response }), reply);
    } finally {
      span.end();
    }
  } catch (thrown) {
    // An unreadable envelope is refused, because its limits must not be ignored.
    if (!(thrown instanceof MeshError)) throw thrown;
    const error = thrown.toInfo();
    return withReply(toToolResult({ response: { error } }), refuseCall(error));
  } finally {
    void settled.then(semaphore.release); // librarians may work on after the response
  }
}

/** The result of a tool, or a request to the client to ask its user about a wait. */
function resultFor(
  response: Response,
  user: User | undefined,
  { settings, shared, capabilities }: MeshAccess,
  context: ServerContext,
): CallToolResult | InputRequiredResult {
  const { answers, inputs } = shared;
  const wait = findElicited(response, user, capabilities(), context);
  if (wait !== undefined) return elicit({ wait, owner: user?.id, response }, inputs);
  return toToolResult(shorten(response, { ...settings, answers, owner: user?.id }));
}

/** Continues a run with what its user answered. */
async function answerPending(
  { wait, response }: PendingInput,
  user: User | undefined,
  access: MeshAccess,
  context: ServerContext,
): Promise<CallToolResult | InputRequiredResult> {
  const answer = readElicited(wait, context);
  if (answer === undefined) return toToolResult({ response }); // it still waits
  const run = await access.router.resume(wait.runId, { ...answer, id: wait.id, user });
  const filter = createLibrarianFilter(access.router, user);
  return resultFor(filter.apply(await run.response), user, access, context);
}

/**
 * A model that chooses a librarian that writes follows the rule of routing: a librarian with `acts` is called only
 * for a plain order of one of them. Another mesh, whose call has an envelope, decides that itself.
 */
function findUnordered(
  router: Router,
  to: string | undefined,
  query: string,
  user: User | undefined,
): MeshError | undefined {
  const chosen = to === undefined ? undefined : router.list({ user }).find(({ id }) => id === to);
  const { effects, acts = [], examples: [example] = [] } = chosen ?? {};
  if (effects !== "write" || acts.length === 0) return undefined;
  if (findOrder(query, { ...chosen, acts }) !== undefined) return undefined;
  const like = example === undefined ? "" : `, such as "${example.slice(0, 200)}"`;
  return new MeshError("INVALID_QUERY", `"${to}" changes something, and nothing was done.`, {
    librarian: to,
    suggestion: `It can ${acts.slice(0, 10).join(", ")}. To have it done, order it plainly${like}; to ask about it, use the tool query.`,
  });
}

function withReply(result: CallToolResult, reply: ReplyEnvelope): CallToolResult {
  return { ...result, _meta: { [replyKey]: reply } };
}

/** The envelope of a calling mesh. */
function readIncoming({ mcpReq: { _meta: meta } }: ServerContext): IncomingCall | undefined {
  const envelope: unknown = meta?.[callKey];
  return envelope === undefined ? undefined : decodeCall(envelope);
}

function readTrace({ mcpReq: { _meta: meta } }: ServerContext): TraceContext | undefined {
  const traceparent: unknown = meta?.[TRACEPARENT_META_KEY];
  const tracestate: unknown = meta?.[TRACESTATE_META_KEY];
  if (typeof traceparent !== "string") return undefined;
  return parseTraceparent(traceparent, typeof tracestate === "string" ? tracestate : undefined);
}
