import { MeshError } from "@constellation/core";
import { type CallToolResult, Client, type Progress } from "@modelcontextprotocol/client";
import { longestTimerMs } from "../option-checks.js";
import { ownVersion } from "../own-version.js";
import { callScope } from "./call-scope.js";
import { isLost, isUnknownSession, ReplyTooLarge } from "./failure.js";
import { openTransport } from "./open-transport.js";
import type { ConnectServer, HttpServer, StdioServer } from "./options.js";
import { within } from "./within.js";

/** One call of a tool. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: Record<string, unknown>;
  /** Goes along with the call, such as `traceparent`. */
  readonly _meta?: Record<string, unknown> | undefined;
}

/** The way to an MCP server: made when it is needed, and anew when it was lost. */
export interface Connection {
  /** Name the server gave itself; empty before there was a connection. */
  readonly serverName: string;
  /** Calls a tool. Rejects with whatever went wrong. */
  call(
    call: ToolCall,
    signal: AbortSignal,
    tell: (progress: Progress) => void,
  ): Promise<CallToolResult>;
  /** Names of the server's tools. Connects where needed. */
  tools(signal: AbortSignal): Promise<readonly string[]>;
  /** Ends it, and what is under way. A later call begins another. */
  close(): Promise<void>;
}

/** Options of {@link createConnection}. */
export interface ConnectionOptions {
  readonly server: StdioServer | HttpServer | ConnectServer;
  readonly connectTimeoutMs: number;
  readonly maxReplyBytes: number;
}

/** A client that is connected, or about to be. */
interface Line {
  readonly ready: Promise<Client>;
  readonly lifetime: AbortController;
  /** Once it is connected. */
  client: Client | undefined;
  /** What the transport complained about last. */
  trouble: unknown;
}

/** Most time a server gets to say goodbye, and one that was late to show that it lives. */
const farewellMs = 2_000;

export function createConnection(options: ConnectionOptions): Connection {
  const { server, connectTimeoutMs, maxReplyBytes } = options;
  let current: Line | undefined;
  let serverName = "";

  function line(): Line {
    current ??= open();
    return current;
  }

  function open(): Line {
    const lifetime = new AbortController();
    const opened: Line = {
      lifetime,
      client: undefined,
      trouble: undefined,
      ready: within({ timeoutMs: connectTimeoutMs, signal: lifetime.signal }, async (signal) => {
        const client = new Client(
          { name: "constellation", version: ownVersion },
          // Asking a process it starts would mean to start it twice.
          { versionNegotiation: { mode: isProcess(server) ? "legacy" : "auto" } },
        );
        client.onerror = (error) => {
          opened.trouble = troubleOf(error) ?? opened.trouble;
        };
        client.onclose = () => drop(opened);
        lifetime.signal.addEventListener("abort", () => void client.close().catch(() => undefined));
        const transport = await openTransport(server, {
          maxReplyBytes,
          connectTimeoutMs,
          signal: lifetime.signal,
        });
        await client.connect(transport, { signal, timeout: longestTimerMs });
        serverName = client.getServerVersion()?.name ?? "";
        opened.client = client;
        return client;
      }),
    };
    opened.ready.catch(() => drop(opened));
    return opened;
  }

  /** Forgets a line, and ends whatever of it is left. */
  function drop(dropped: Line): void {
    if (current === dropped) current = undefined;
    const { lifetime } = dropped;
    if (!lifetime.signal.aborted) {
      lifetime.abort(new MeshError("SERVICE_UNAVAILABLE", "The connection was closed."));
    }
  }

  async function callOnce(
    used: Line,
    { name, arguments: given, _meta }: ToolCall,
    signal: AbortSignal,
    tell: (progress: Progress) => void,
  ): Promise<CallToolResult> {
    const client = await used.ready;
    const over = new AbortController();
    try {
      return await new Promise<CallToolResult>((resolve, reject) => {
        callScope.run({ signal: over.signal, fail: reject }, () => {
          const params = { name, arguments: given, ...(_meta !== undefined && { _meta }) };
          client
            .callTool(params, { signal, timeout: longestTimerMs, onprogress: tell })
            .then(resolve, reject);
        });
      });
    } catch (thrown) {
      if (isLost(thrown)) drop(used);
      throw isLost(thrown) && used.trouble instanceof ReplyTooLarge ? used.trouble : thrown;
    } finally {
      over.abort();
      if (signal.aborted) void restartIfStuck(used, client);
    }
  }

  /** A server that was late may be stuck for good: then the next call begins anew. */
  async function restartIfStuck(used: Line, client: Client): Promise<void> {
    if (current !== used || !isProcess(server)) return;
    await client.ping({ timeout: farewellMs }).catch(() => drop(used));
  }

  return {
    get serverName() {
      return serverName;
    },
    async call(call, signal, tell) {
      const used = line();
      try {
        return await callOnce(used, call, signal, tell);
      } catch (thrown) {
        if (!isUnknownSession(thrown)) throw thrown;
        drop(used); // the server forgot us, and did nothing: once more, as a new client
        return callOnce(line(), call, signal, tell);
      }
    },
    async tools(signal) {
      const used = line();
      try {
        const client = await used.ready;
        const { tools } = await client.listTools(undefined, {
          signal,
          timeout: longestTimerMs,
          cacheMode: "bypass",
        });
        return tools.map(({ name }) => name);
      } catch (thrown) {
        if (isLost(thrown) || isUnknownSession(thrown)) drop(used);
        throw thrown;
      }
    },
    async close() {
      const closed = current;
      current = undefined;
      if (closed === undefined) return;
      const { client } = closed;
      await within({ timeoutMs: farewellMs }, async () => endSession(client)).catch(
        () => undefined,
      );
      await client?.close().catch(() => undefined);
      drop(closed);
    },
  };
}

/** Tells a server with sessions that this one is over. */
async function endSession(client: Client | undefined): Promise<void> {
  const { transport } = client ?? {};
  if (transport === undefined || !("terminateSession" in transport)) return;
  const end: unknown = transport.terminateSession;
  if (typeof end === "function") await end.call(transport);
}

function isProcess(server: StdioServer | HttpServer | ConnectServer): server is StdioServer {
  return typeof server === "object" && "command" in server;
}

/** A reply over the bound of the SDK's own buffer shows as a plain error. */
function troubleOf(error: Error): ReplyTooLarge | undefined {
  if (error instanceof ReplyTooLarge) return error;
  return error.message.startsWith("ReadBuffer exceeded")
    ? new ReplyTooLarge("more than the buffer holds")
    : undefined;
}
