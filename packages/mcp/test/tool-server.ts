import type { Transport } from "@modelcontextprotocol/client";
import {
  type CallToolResult,
  InMemoryTransport,
  McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";

/** What the tool of a server does in a test. */
export type Tool = (
  query: string,
  context: ServerContext,
) => CallToolResult | Promise<CallToolResult>;

/** A server of another party with one tool, `search`. */
export function toolServer(tool: Tool): McpServer {
  const server = new McpServer({ name: "tickets", version: "1" });
  server.registerTool(
    "search",
    { description: "searches", inputSchema: z.looseObject({ query: z.string() }) },
    ({ query }, context) => tool(query, context),
  );
  return server;
}

/** Connects to such a server in this process, anew each time. */
export function inMemory(tool: Tool): () => Promise<Transport> {
  return async () => {
    const [near, far] = InMemoryTransport.createLinkedPair();
    await toolServer(tool).connect(far);
    return near;
  };
}

/** A result that is text. */
export function text(...texts: readonly string[]): CallToolResult {
  return { content: texts.map((each) => ({ type: "text", text: each })) };
}
