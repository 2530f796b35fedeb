import {
  type AskOptions,
  MeshError,
  parseTraceparent,
  type Router,
  type TraceContext,
  type User,
} from "@constellation/core";
import {
  askOptionsOf,
  decodeCall,
  type IncomingCall,
  openServerSpan,
  type ReplyEnvelope,
  refuseCall,
  replyTo,
} from "@constellation/core/envelope";
import {
  type CallToolResult,
  type ServerContext,
  TRACEPARENT_META_KEY,
  TRACESTATE_META_KEY,
} from "@modelcontextprotocol/server";
import { callKey, replyKey } from "../envelope-keys.js";
import { spanAttributes } from "../span-attributes.js";
import { toolResultOf } from "./answer.js";
import type { HandlerState } from "./handler-state.js";
import type { McpServerSettings } from "./options.js";
import { sendProgress } from "./send-progress.js";
import { shorten } from "./shorten.js";

/** Arguments of a query tool, checked. */
export interface QueryArguments {
  readonly query: string;
  readonly to?: string | undefined;
  readonly timeoutMs?: number | undefined;
}

/** The mesh that is asked, with which limits. */
export interface MeshAccess {
  readonly router: Router;
  readonly settings: McpServerSettings;
  readonly shared: HandlerState;
}

/**
 * Asks the mesh for a client: the client's cancel stops the run, its trace context is the run's parent,
 * and its progress token receives the progress.
 */
export async function ask(
  { tool, query, to, timeoutMs }: QueryArguments & { readonly tool: string },
  access: MeshAccess,
  context: ServerContext,
): Promise<CallToolResult> {
  const { router, settings, shared } = access;
  const { semaphore } = shared;
  if (!semaphore.tryAcquire()) {
    const overloaded = new MeshError("SERVICE_UNAVAILABLE", "Too many queries are in flight.", {
      reason: "overloaded",
    });
    return toolResultOf({ response: { error: overloaded.toInfo() } });
  }
  try {
    const user = userOf(context) ?? settings.user;
    const incoming = incomingOf(context);
    const span = openServerSpan(
      { name: `tools/call ${tool}`, attributes: spanAttributes(tool) },
      { trace: traceOf(context), baggage: incoming?.baggage },
    );
    const options: AskOptions = {
      user,
      ...(incoming !== undefined &&
        askOptionsOf(incoming, { user, trustedPeers: settings.trustedPeers })),
      to,
      timeoutMs,
      signal: context.mcpReq.signal,
      trace: span.place,
    };
    try {
      const run = span.within(() => router.start(query, options));
      const [response] = await Promise.all([run.response, sendProgress(run, context)]);
      span.end(response.answer === undefined ? response.error : undefined);
      if (incoming === undefined) {
        const { answers } = shared;
        return toolResultOf(shorten(response, { ...settings, answers, owner: user?.id }));
      }
      // A calling mesh gets the whole response, and reads no resource.
      return withReply(toolResultOf({ response }), await replyTo(run, incoming.requestId));
    } finally {
      span.end();
    }
  } catch (thrown) {
    // An envelope that cannot be read: the guards it carries must not be ignored.
    if (!(thrown instanceof MeshError)) throw thrown;
    const error = thrown.toInfo();
    return withReply(toolResultOf({ response: { error } }), refuseCall(error));
  } finally {
    semaphore.release();
  }
}

function withReply(result: CallToolResult, reply: ReplyEnvelope): CallToolResult {
  return { ...result, _meta: { [replyKey]: reply } };
}

/** The envelope of a calling mesh. */
function incomingOf({ mcpReq: { _meta: meta } }: ServerContext): IncomingCall | undefined {
  const envelope: unknown = meta?.[callKey];
  return envelope === undefined ? undefined : decodeCall(envelope);
}

/** The user the transport authenticated: what {@link authInfoFor} put there. */
export function userOf({ http }: ServerContext): User | undefined {
  return userOfAuth(http?.authInfo);
}

/** The same from what the transport was given. */
export function userOfAuth(
  authInfo: { readonly extra?: Record<string, unknown> } | undefined,
): User | undefined {
  return authInfo?.extra?.user as User | undefined; // only `authInfoFor` writes it
}

/** Carries a user through the SDK to the tools. No token: the caller has checked it. */
export function authInfoFor(user: User) {
  return { token: "", clientId: user.id, scopes: [], extra: { user } };
}

function traceOf({ mcpReq: { _meta: meta } }: ServerContext): TraceContext | undefined {
  const traceparent: unknown = meta?.[TRACEPARENT_META_KEY];
  const tracestate: unknown = meta?.[TRACESTATE_META_KEY];
  if (typeof traceparent !== "string") return undefined;
  return parseTraceparent(traceparent, typeof tracestate === "string" ? tracestate : undefined);
}
