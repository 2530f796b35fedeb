import { defineLibrarian } from "@constellation/authoring";
import type { Librarian, LibrarianDefinition } from "@constellation/core";
import { checkOptions, type McpLibrarianOptions, mcpLibrarianDefaults } from "./options.js";
import type { ToolClient } from "./tool-client.js";

/**
 * Creates a librarian that answers by calling a tool of an MCP server.
 *
 * The tool's text is the answer, its resource links are the sources, its data is in
 * `metadata.structured`; the tools of another mesh are read with their confidence and sources. All of
 * it is untrusted: bounded, sanitized, and treated as text. A tool that reports an error gives
 * `DATA_SOURCE_ERROR`, one that returns nothing `NOT_FOUND`; a server that is unreachable, dies or is
 * late gives `SERVICE_UNAVAILABLE` or `TIMEOUT`. When the caller cancels, the call is cancelled at the
 * server too; its progress is reported, and the trace context is sent with it.
 *
 * @throws TypeError or RangeError for a wrong option, naming the key and the value.
 */
export function createMcpLibrarian(options: McpLibrarianOptions): LibrarianDefinition<Librarian> {
  const checked = checkOptions(options);
  const { id, description, name, team, capabilities, examples, delegatesTo, timeoutMs } = checked;
  const { effects = mcpLibrarianDefaults.effects, eager = mcpLibrarianDefaults.eager } = checked;
  let opened: Promise<ToolClient> | undefined;

  function open(): Promise<ToolClient> {
    opened ??= import("./tool-client.js").then(({ createToolClient }) => createToolClient(checked));
    return opened;
  }

  return defineLibrarian(
    {
      id,
      description,
      name,
      team,
      capabilities,
      examples,
      delegatesTo,
      effects,
      acts: checked.acts,
      timeoutMs,
      // Estimates do not connect: there is none before the tool was used or the health of its server was checked.
      canAnswer: async (probe) => (await opened)?.estimate(probe),
      ...(eager && { start: async (signal) => (await open()).requireTool(signal) }),
      close: async () => (await opened)?.close(),
      health: async (signal) => (await open()).health(signal),
    },
    async (query, context) => (await open()).answer(query, context, context.signal),
  );
}
