import {
  type Context,
  formatTraceparent,
  type Health,
  type LibrarianDefinition,
  MeshError,
  type Response,
} from "@constellation/core";
import type { Progress } from "@modelcontextprotocol/client";
import { type Connection, createConnection } from "./connection.js";
import { failureOf } from "./failure.js";
import { checkOptions, type McpLibrarianOptions, mcpLibrarianDefaults } from "./options.js";
import { readResult } from "./read-result.js";
import { plainText } from "./untrusted-text.js";
import { within } from "./within.js";

/**
 * Creates a librarian that answers by calling a tool of an MCP server.
 *
 * The tool's text is the answer, its resource links are the sources, its data is in
 * `metadata.structured`; the tools of another mesh are read as what they are, with confidence and
 * sources. All of it is somebody else's data: bounded, stripped, and never more than text. A tool that
 * reports an error gives `DATA_SOURCE_ERROR`, one that gives nothing `NOT_FOUND`; a server that is not
 * there, dies or is late gives `SERVICE_UNAVAILABLE` or `TIMEOUT`. The call ends at the server too when
 * nobody waits any more, its progress is reported, and the trace goes along.
 *
 * @throws TypeError or RangeError for a wrong option, naming the key and the value.
 */
export function createMcpLibrarian(options: McpLibrarianOptions): LibrarianDefinition {
  const checked = checkOptions(options);
  const { id, description, name, team, capabilities, examples, timeoutMs, tool } = checked;
  const { connectTimeoutMs, confidence, maxAnswerLength, maxReplyBytes, effects, eager } =
    withDefaults(checked);
  const connection = createConnection({ server: checked.server, connectTimeoutMs, maxReplyBytes });

  async function answer(query: string, context: Context): Promise<Response> {
    const call = {
      name: tool,
      arguments: argumentsOf(checked, query, context),
      _meta: traceOf(context),
    };
    const { report } = context;
    const tell = (progress: Progress) => report?.({ message: lineOf(progress) });
    const { signal, deadline } = context;
    const result = await within({ signal, deadline, timeoutMs }, (ending) =>
      connection.call(call, ending, tell),
    );
    const server = connection.serverName;
    const response = readResult(result, { tool, server, confidence, maxAnswerLength });
    const { error } = response;
    return error === undefined ? response : { ...response, error: { ...error, librarian: id } };
  }

  return {
    id,
    description,
    name,
    team,
    capabilities,
    examples,
    effects,
    timeoutMs,
    librarian: async (query, context = {}) => {
      try {
        return await answer(query, context);
      } catch (thrown) {
        return { error: { ...failureOf(thrown).toInfo(), librarian: id } };
      }
    },
    ...(eager && { start: (signal) => requireTool(connection, tool, signal) }),
    close: () => connection.close(),
    health: (signal) => healthOf(connection, tool, signal),
  };
}

function withDefaults(options: McpLibrarianOptions) {
  const defaults = mcpLibrarianDefaults;
  return {
    connectTimeoutMs: options.connectTimeoutMs ?? defaults.connectTimeoutMs,
    confidence: options.confidence ?? defaults.confidence,
    maxAnswerLength: options.maxAnswerLength ?? defaults.maxAnswerLength,
    maxReplyBytes: options.maxReplyBytes ?? defaults.maxReplyBytes,
    effects: options.effects ?? defaults.effects,
    eager: options.eager ?? defaults.eager,
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
  if (message !== undefined) return plainText(message).slice(0, 1_000);
  return total === undefined ? `${progress}` : `${progress} of ${total}`;
}

async function requireTool(
  connection: Connection,
  tool: string,
  signal: AbortSignal,
): Promise<void> {
  const tools = await connection.tools(signal).catch((thrown: unknown) => {
    throw failureOf(thrown);
  });
  if (!tools.includes(tool)) throw new MeshError("DATA_SOURCE_ERROR", missing(tool, tools));
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
  const names = tools.map(plainText).join(", ").slice(0, 500);
  return `The server has no tool "${tool}". It has: ${names === "" ? "none" : names}.`;
}
