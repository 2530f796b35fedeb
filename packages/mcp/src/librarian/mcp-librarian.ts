import type { LibrarianDefinition } from "@constellation/core";
import { checkOptions, type McpLibrarianOptions, mcpLibrarianDefaults } from "./options.js";
import type { ToolDesk } from "./tool-desk.js";

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
  const { id, description, name, team, capabilities, examples, timeoutMs } = checked;
  const { effects = mcpLibrarianDefaults.effects, eager = mcpLibrarianDefaults.eager } = checked;
  let opened: Promise<ToolDesk> | undefined;

  function desk(): Promise<ToolDesk> {
    opened ??= import("./tool-desk.js").then(({ createToolDesk }) => createToolDesk(checked));
    return opened;
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
    librarian: async (query, context = {}) => (await desk()).answer(query, context),
    ...(eager && { start: async (signal) => (await desk()).requireTool(signal) }),
    close: async () => (await opened)?.close(),
    health: async (signal) => (await desk()).health(signal),
  };
}
