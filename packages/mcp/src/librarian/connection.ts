import { MeshError, maxTimerMs, withDeadline } from "@constellation/core";
import { isRecord, releaseVersion } from "@constellation/core/checks";
import type { CallEnvelope } from "@constellation/transport/envelope";
import {
  type CallToolResult,
  Client,
  type Progress,
  type Tool,
} from "@modelcontextprotocol/client";
import { callKey, envelopeCapability } from "../envelope-keys.js";
import { callScope } from "./call-scope.js";
import { isLost, isUnknownSession, ReplyTooLarge } from "./failure.js";
import { openTransport } from "./open-transport.js";
import type { ConnectServer, HttpServer, StdioServer } from "./options.js";

/** One call of a tool. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: Record<string, unknown>;
  /** Metadata sent with the call, such as `traceparent`. */
  readonly _meta?: Record<string, unknown> | undefined;
  /** Creates the envelope, for servers that read envelopes. */
  readonly envelope: () => CallEnvelope | undefined;
}

/** A connection to an MCP server: opened when needed, and reopened after it was lost. */
export interface Connection {
  /** Name that the server reports; empty before the first connection. */
  readonly serverName: string;
  /** Calls a tool. Rejects with whatever went wrong. */
  call(
    call: ToolCall,
    signal: AbortSignal,
    onProgress: (progress: Progress) => void,
  ): Promise<CallToolResult>;
  /** Names of the server's tools. Connects where needed. */
  tools(signal: AbortSignal): Promise<readonly string[]>;
  /** Description of a tool, as last listed; `undefined` before the first list. */
  described(tool: string): readonly string[] | undefined;
  /** Ends it, and the calls in flight. A later call opens another. */
  close(): Promise<void>;
}

/** Options of {@link createConnection}. */
export interface ConnectionOptions {
  readonly server: StdioServer | HttpServer | ConnectServer;
  readonly connectTimeoutMs: number;
  readonly maxReplyBytes: number;
}

/** A client that is connected, or connecting. */
interface Session {
  readonly ready: Promise<Client>;
  readonly lifetime: AbortController;
  /** Once it is connected. */
  client: Client | undefined;
  /** The last error of the transport. */
  lastError: unknown;
}

/** Maximum time for a server to end its session, and for a late one to answer a ping, in milliseconds. */
const shutdownGraceMs = 2_000;

export function createConnection(options: ConnectionOptions): Connection {
  const { server, connectTimeoutMs, maxReplyBytes } = options;
  let current: Session | undefined;
  let serverName = "";
  let texts: ReadonlyMap<string, readonly string[]> = new Map();

  function session(): Session {
    current ??= open();
    return current;
  }

  function open(): Session {
    const lifetime = new AbortController();
    const opened: Session = {
      lifetime,
      client: undefined,
      lastError: undefined,
      ready: withDeadline(
        { timeoutMs: connectTimeoutMs, signal: lifetime.signal },
        async (signal) => {
          const client = new Client(
            { name: "constellation", version: releaseVersion },
            // Negotiation would start a process twice.
            { versionNegotiation: { mode: isProcess(server) ? "legacy" : "auto" } },
          );
          client.onerror = (error) => {
            opened.lastError = tooLargeIn(error) ?? opened.lastError;
          };
          client.onclose = () => drop(opened);
          lifetime.signal.addEventListener(
            "abort",
            () => void client.close().catch(() => undefined),
          );
          const transport = await openTransport(server, {
            maxReplyBytes,
            connectTimeoutMs,
            signal: lifetime.signal,
          });
          await client.connect(transport, { signal, timeout: maxTimerMs });
          serverName = client.getServerVersion()?.name ?? "";
          opened.client = client;
          return client;
        },
      ),
    };
    opened.ready.catch(() => drop(opened));
    return opened;
  }

  /** Drops a session, and closes it. */
  function drop(dropped: Session): void {
    if (current === dropped) current = undefined;
    const { lifetime } = dropped;
    if (!lifetime.signal.aborted) {
      lifetime.abort(new MeshError("SERVICE_UNAVAILABLE", "The connection was closed."));
    }
  }

  async function callOnce(
    used: Session,
    { name, arguments: given, _meta, envelope }: ToolCall,
    signal: AbortSignal,
    onProgress: (progress: Progress) => void,
  ): Promise<CallToolResult> {
    const client = await used.ready;
    const over = new AbortController();
    const call = readsEnvelopes(client) ? envelope() : undefined;
    try {
      return await new Promise<CallToolResult>((resolve, reject) => {
        callScope.run({ signal: over.signal, fail: reject }, () => {
          const meta = {
            ..._meta,
            ...(call !== undefined && { [callKey]: call }),
          };
          const params = { name, arguments: given, _meta: meta };
          client
            .callTool(params, { signal, timeout: maxTimerMs, onprogress: onProgress })
            .then(resolve, reject);
        });
      });
    } catch (thrown) {
      if (isLost(thrown)) drop(used);
      throw isLost(thrown) && used.lastError instanceof ReplyTooLarge ? used.lastError : thrown;
    } finally {
      over.abort();
      if (signal.aborted) void restartIfStuck(used, client);
    }
  }

  /** A server that is late may never answer: then the next call opens another session. */
  async function restartIfStuck(used: Session, client: Client): Promise<void> {
    if (current !== used || !isProcess(server)) return;
    await client.ping({ timeout: shutdownGraceMs }).catch(() => drop(used));
  }

  return {
    get serverName() {
      return serverName;
    },
    async call(call, signal, onProgress) {
      const used = session();
      try {
        return await callOnce(used, call, signal, onProgress);
      } catch (thrown) {
        if (!isUnknownSession(thrown)) throw thrown;
        drop(used); // the server did not know the session, and did nothing: retry in a new session
        return callOnce(session(), call, signal, onProgress);
      }
    },
    async tools(signal) {
      const used = session();
      try {
        const client = await used.ready;
        const { tools } = await client.listTools(undefined, {
          signal,
          timeout: maxTimerMs,
          cacheMode: "bypass",
        });
        texts = new Map(tools.map((tool) => [tool.name, describeTool(tool)]));
        return tools.map(({ name }) => name);
      } catch (thrown) {
        if (isLost(thrown) || isUnknownSession(thrown)) drop(used);
        throw thrown;
      }
    },
    described: (tool) => texts.get(tool),
    async close() {
      const closed = current;
      current = undefined;
      if (closed === undefined) return;
      const { client } = closed;
      await withDeadline({ timeoutMs: shutdownGraceMs }, async () => endSession(client)).catch(
        () => undefined,
      );
      await client?.close().catch(() => undefined);
      drop(closed);
    },
  };
}

/** Title and description of a tool, and what it takes. */
function describeTool({
  name,
  title = "",
  description = "",
  inputSchema,
}: Tool): readonly string[] {
  const { properties = {} } = inputSchema;
  const parameters = Object.entries(properties).map(([key, schema]) => {
    const about: unknown = isRecord(schema) ? schema.description : "";
    return `${key} ${typeof about === "string" ? about : ""}`;
  });
  return [[name, title, description, ...parameters].join("\n")];
}

/** Ends the session at a server that keeps sessions. */
async function endSession(client: Client | undefined): Promise<void> {
  const { transport } = client ?? {};
  if (transport === undefined || !("terminateSession" in transport)) return;
  const end: unknown = transport.terminateSession;
  if (typeof end === "function") await end.call(transport);
}

function readsEnvelopes(client: Client): boolean {
  const { extensions } = client.getServerCapabilities() ?? {};
  return extensions !== undefined && Object.hasOwn(extensions, envelopeCapability);
}

function isProcess(server: StdioServer | HttpServer | ConnectServer): server is StdioServer {
  return typeof server === "object" && "command" in server;
}

/** A reply beyond the buffer of the SDK appears as a plain error. */
function tooLargeIn(error: Error): ReplyTooLarge | undefined {
  if (error instanceof ReplyTooLarge) return error;
  return error.message.startsWith("ReadBuffer exceeded")
    ? new ReplyTooLarge("more than the buffer holds")
    : undefined;
}
