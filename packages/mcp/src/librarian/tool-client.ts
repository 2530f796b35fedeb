import { sanitizeMarkdownLine } from "@constellation/authoring";
import {
  type CanAnswer,
  type Context,
  formatTraceparent,
  type Health,
  MeshError,
  type Response,
  withDeadline,
} from "@constellation/core";
import { estimateAnswers } from "@constellation/retrieval";
import { type OutgoingCall, openCall } from "@constellation/transport/envelope";
import type { Progress } from "@modelcontextprotocol/client";
import { replyKey } from "../envelope-keys.js";
import { spanAttributes } from "../span-attributes.js";
import { type Connection, createConnection } from "./connection.js";
import { readFailure } from "./failure.js";
import { type McpLibrarianOptions, mcpLibrarianDefaults } from "./options.js";
import { readResult } from "./read-result.js";

/** Calls one tool. Separate from the librarian, so that the SDK is loaded on demand. */
export interface ToolClient {
  /** @throws MeshError when the call fails. */
  answer(query: string, context: Context, signal: AbortSignal): Promise<Response>;
  /** @throws MeshError when the server, or the tool, is not there. */
  requireTool(signal: AbortSignal): Promise<void>;
  health(signal: AbortSignal): Promise<Health>;
  /** Estimated from the description of the tool. `undefined` until the server has listed its tools. */
  readonly estimate: CanAnswer;
  close(): Promise<void>;
}

/** Maximum number of progress lines of one call that are reported. */
const maxProgressLines = 1_000;

/** @param options - Checked. */
export function createToolClient(options: McpLibrarianOptions): ToolClient {
  const { id, tool, timeoutMs, server, answerFrom } = options;
  const defaults = mcpLibrarianDefaults;
  const confidence = options.confidence ?? defaults.confidence;
  const maxAnswerLength = options.maxAnswerLength ?? defaults.maxAnswerLength;
  const connection = createConnection({
    server,
    connectTimeoutMs: options.connectTimeoutMs ?? defaults.connectTimeoutMs,
    maxReplyBytes: options.maxReplyBytes ?? defaults.maxReplyBytes,
  });

  async function call(
    query: string,
    context: Context,
    signal: AbortSignal,
    outgoing: OutgoingCall,
  ) {
    const { report } = context;
    const given = {
      name: tool,
      arguments: buildArguments(options, query, context),
      _meta: traceFields(outgoing),
      envelope: () => outgoing.envelope(),
    };
    let lines = 0;
    const onProgress = (progress: Progress) => {
      if (++lines <= maxProgressLines) report?.({ message: formatProgress(progress) });
    };
    return withDeadline({ signal, timeoutMs, message: tooLate }, (ends) =>
      outgoing.within(() => connection.call(given, ends, onProgress)),
    );
  }

  return {
    async answer(query, context, signal) {
      // Names as in OpenTelemetry's conventions for MCP.
      const span = { name: `tools/call ${tool}`, attributes: spanAttributes(tool) };
      const outgoing = openCall(context, { ...options, span });
      const result = await call(query, context, signal, outgoing).catch((thrown: unknown) => {
        const failure = readFailure(thrown);
        outgoing.end(undefined, failure);
        throw failure;
      });
      outgoing.end(result._meta?.[replyKey]);
      try {
        const { serverName } = connection;
        const reading = {
          tool,
          server: serverName,
          confidence,
          maxAnswerLength,
          meshAnswerLength: options.maxAnswerLength,
          answerFrom,
        };
        return withLibrarian(readResult(result, reading), context.librarian?.id ?? id);
      } catch (thrown) {
        throw MeshError.from(thrown, id); // by `answerFrom`
      }
    },
    async requireTool(signal) {
      const { status, message } = await checkHealth(connection, tool, signal);
      if (status === "up") return;
      throw new MeshError("SERVICE_UNAVAILABLE", message ?? "The server has no such tool.");
    },
    health: (signal) => checkHealth(connection, tool, signal),
    estimate: estimateAnswers(() => connection.described(tool), {
      about: [options.description, ...(options.examples ?? [])].join("\n"),
    }),
    close: () => connection.close(),
  };
}

function withLibrarian(response: Response, librarian: string): Response {
  const { error } = response;
  return error === undefined ? response : { ...response, error: { ...error, librarian } };
}

const tooLate = "The server did not answer in time.";

function buildArguments(
  options: McpLibrarianOptions,
  query: string,
  context: Context,
): Record<string, unknown> {
  const { argumentsFor, queryArgument = mcpLibrarianDefaults.queryArgument } = options;
  if (argumentsFor === undefined) return { ...options.arguments, [queryArgument]: query };
  try {
    const given = { ...argumentsFor(query, context) };
    JSON.stringify(given); // a cycle or a bigint is the author's error, not the server's
    return given;
  } catch (thrown) {
    throw MeshError.from(thrown, options.id);
  }
}

function traceFields({ trace }: OutgoingCall): Record<string, unknown> | undefined {
  if (trace === undefined) return undefined;
  return {
    traceparent: formatTraceparent(trace),
    ...(trace.traceState !== undefined && { tracestate: trace.traceState }),
  };
}

function formatProgress({ progress, total, message }: Progress): string {
  if (message !== undefined) return sanitizeMarkdownLine(message, 1_000);
  return total === undefined ? `${progress}` : `${progress} of ${total}`;
}

async function checkHealth(
  connection: Connection,
  tool: string,
  signal: AbortSignal,
): Promise<Health> {
  try {
    const tools = await withDeadline({ signal }, (ends) => connection.tools(ends));
    if (tools.includes(tool)) return { status: "up" };
    return { status: "down", message: missing(tool, tools) };
  } catch (thrown) {
    return { status: "down", message: readFailure(thrown).message };
  }
}

function missing(tool: string, tools: readonly string[]): string {
  const names = sanitizeMarkdownLine(tools.slice(0, 100).join(", "), 500);
  return `The server has no tool "${tool}". It has: ${names === "" ? "none" : names}.`;
}
