import { StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { createBoundedFetch } from "./bounded-fetch.js";
import type { ConnectServer, HttpServer, StdioServer } from "./options.js";

/** Bounds of a transport. */
export interface TransportBounds {
  readonly maxReplyBytes: number;
  readonly connectTimeoutMs: number;
  /** Aborts when the connection is over. */
  readonly signal: AbortSignal;
}

/** Creates the transport of one connection. The code that starts processes is loaded on demand. */
export async function openTransport(
  server: StdioServer | HttpServer | ConnectServer,
  { maxReplyBytes, connectTimeoutMs, signal }: TransportBounds,
): Promise<Transport> {
  if (typeof server === "function") return server();
  if ("url" in server) {
    return new StreamableHTTPClientTransport(new URL(server.url), {
      fetch: createBoundedFetch({ maxBytes: maxReplyBytes, timeoutMs: connectTimeoutMs, signal }),
      ...(server.headers !== undefined && { requestInit: { headers: { ...server.headers } } }),
    });
  }
  const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
  const { command, args = [], env, cwd } = server;
  return new StdioClientTransport({
    command,
    args: [...args],
    stderr: "ignore", // logs of the process are not read
    maxBufferSize: maxReplyBytes,
    ...(env !== undefined && { env: { ...env } }),
    ...(cwd !== undefined && { cwd }),
  });
}
