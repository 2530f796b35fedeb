import {
  type Context,
  formatTraceparent,
  type Health,
  MeshError,
  type Response,
} from "@constellation/core";
import type { Progress } from "@modelcontextprotocol/client";
import { type Connection, createConnection } from "./connection.js";
import { failureOf } from "./failure.js";
import { type McpLibrarianOptions, mcpLibrarianDefaults } from "./options.js";
import { readResult } from "./read-result.js";
import { sanitizeMarkdownLine } from "./untrusted-markdown.js";
import { within } from "./within.js";

/** Where a librarian's tool is called. Apart from the librarian, so that the SDK is loaded when it is needed. */
export interface ToolDesk {
  /** Never rejects. */
  answer(query: string, context: Context): Promise<Response>;
  /** @throws MeshError when the server, or the tool, is not there. */
  requireTool(signal: AbortSignal): Promise<void>;
  health(signal: AbortSignal): Promise<Health>;
  close(): Promise<void>;
}

/** Maximum number of progress lines of one call that are reported. */
const maxProgressLines = 1_000;

/** @param options - Checked. */
export function createToolDesk(options: McpLibrarianOptions): ToolDesk {
  const { id, tool, timeoutMs, server } = options;
  const defaults = mcpLibrarianDefaults;
  const confidence = options.confidence ?? defaults.confidence;
  const maxAnswerLength = options.maxAnswerLength ?? defaults.maxAnswerLength;
  const connection = createConnection({
    server,
    connectTimeoutMs: options.connectTimeoutMs ?? defaults.connectTimeoutMs,
    maxReplyBytes: options.maxReplyBytes ?? defaults.maxReplyBytes,
  });

  async function call(query: string, context: Context): Promise<Response> {
    const { report, signal, deadline } = context;
    const asked = {
      name: tool,
      arguments: argumentsOf(options, query, context),
      _meta: traceOf(context),
    };
    let lines = 0;
    const tell = (progress: Progress) => {
      if (++lines <= maxProgressLines) report?.({ message: lineOf(progress) });
    };
    const result = await within({ signal, deadline, timeoutMs }, (ending) =>
      connection.call(asked, ending, tell),
    );
    return readResult(result, {
      tool,
      server: connection.serverName,
      confidence,
      maxAnswerLength,
    });
  }

  return {
    async answer(query, context) {
      try {
        const response = await call(query, context);
        const { error } = response;
        return error === undefined ? response : { ...response, error: { ...error, librarian: id } };
      } catch (thrown) {
        return { error: { ...failureOf(thrown).toInfo(), librarian: id } };
      }
    },
    async requireTool(signal) {
      const tools = await connection.tools(signal).catch((thrown: unknown) => {
        throw failureOf(thrown);
      });
      if (!tools.includes(tool)) throw new MeshError("DATA_SOURCE_ERROR", missing(tool, tools));
    },
    health: (signal) => healthOf(connection, tool, signal),
    close: () => connection.close(),
  };
}

function argumentsOf(
  options: McpLibrarianOptions,
  query: string,
  context: Context,
): Record<string, unknown> {
  const { argumentsFor, queryArgument = mcpLibrarianDefaults.queryArgument } = options;
  if (argumentsFor === undefined) return { ...options.arguments, [queryArgument]: query };
  try {
    return { ...argumentsFor(query, context) };
  } catch (thrown) {
    throw MeshError.from(thrown, options.id);
  }
}

function traceOf({ trace }: Context): Record<string, unknown> | undefined {
  if (trace === undefined) return undefined;
  return {
    traceparent: formatTraceparent(trace),
    ...(trace.traceState !== undefined && { tracestate: trace.traceState }),
  };
}

function lineOf({ progress, total, message }: Progress): string {
  if (message !== undefined) return sanitizeMarkdownLine(message, 1_000);
  return total === undefined ? `${progress}` : `${progress} of ${total}`;
}

async function healthOf(
  connection: Connection,
  tool: string,
  signal: AbortSignal,
): Promise<Health> {
  try {
    const tools = await within({ signal }, (ending) => connection.tools(ending));
    if (tools.includes(tool)) return { status: "up" };
    return { status: "down", message: missing(tool, tools) };
  } catch (thrown) {
    return { status: "down", message: failureOf(thrown).message };
  }
}

function missing(tool: string, tools: readonly string[]): string {
  const names = sanitizeMarkdownLine(tools.slice(0, 100).join(", "), 500);
  return `The server has no tool "${tool}". It has: ${names === "" ? "none" : names}.`;
}
