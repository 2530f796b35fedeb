import {
  type AskOptions,
  MeshError,
  parseTraceparent,
  type Router,
  type TraceContext,
  type User,
} from "@constellation/core";
import {
  type CallToolResult,
  type ServerContext,
  TRACEPARENT_META_KEY,
  TRACESTATE_META_KEY,
} from "@modelcontextprotocol/server";
import { toolResultOf } from "./answer.js";
import type { Gate } from "./gate.js";
import { tellProgress } from "./tell-progress.js";

/** What a client asked for, past the tool's schema. */
export interface Asked {
  readonly query: string;
  readonly to?: string | undefined;
  readonly timeoutMs?: number | undefined;
}

/** Who answers, for whom where the request does not say, and whether there is room. */
export interface Desk {
  readonly router: Router;
  readonly user: User | undefined;
  readonly gate: Gate;
}

/** Asks the mesh for a client: its cancel stops the run, its trace is the run's, its token hears progress. */
export async function ask(
  asked: Asked,
  desk: Desk,
  context: ServerContext,
): Promise<CallToolResult> {
  const { router, gate } = desk;
  if (!gate.enter()) {
    const busy = new MeshError("SERVICE_UNAVAILABLE", "Too many queries are being answered.", {
      reason: "overloaded",
    });
    return toolResultOf({ error: busy.toInfo() });
  }
  try {
    const { query, to, timeoutMs } = asked;
    const options: AskOptions = {
      to,
      timeoutMs,
      signal: context.mcpReq.signal,
      user: userOf(context) ?? desk.user,
      trace: traceOf(context),
    };
    const run = router.start(query, options);
    const [response] = await Promise.all([run.response, tellProgress(run, context)]);
    return toolResultOf(response);
  } finally {
    gate.leave();
  }
}

/** Who the transport says is asking: what {@link authInfoFor} put there. */
function userOf({ http }: ServerContext): User | undefined {
  return http?.authInfo?.extra?.user as User | undefined; // only `authInfoFor` writes it
}

/** Carries a user through the SDK to the tools. No token: who let the request in has checked it. */
export function authInfoFor(user: User) {
  return { token: "", clientId: user.id, scopes: [], extra: { user } };
}

function traceOf({ mcpReq: { _meta: meta } }: ServerContext): TraceContext | undefined {
  const traceparent: unknown = meta?.[TRACEPARENT_META_KEY];
  const tracestate: unknown = meta?.[TRACESTATE_META_KEY];
  if (typeof traceparent !== "string") return undefined;
  return parseTraceparent(traceparent, typeof tracestate === "string" ? tracestate : undefined);
}
