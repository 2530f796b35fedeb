import type { AITool } from "@constellation/core";
import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";

/** Names of the tools that every server has. */
const ownNames = ["query", "query_librarian", "list_librarians"];

/** Whether a value is a list of tools with names of their own and an object as input. */
export function areTools(value: unknown): value is readonly AITool[] {
  if (!Array.isArray(value)) return false;
  const names = value.map((tool: Partial<AITool> | null) => tool?.name);
  const isFine = value.every(
    (tool: Partial<AITool> | null) =>
      typeof tool?.name === "string" &&
      /^[a-zA-Z0-9_-]{1,64}$/.test(tool.name) &&
      !ownNames.includes(tool.name) &&
      typeof tool.description === "string" &&
      typeof tool.run === "function" &&
      tool.input instanceof z.ZodObject,
  );
  return isFine && new Set(names).size === names.length;
}

/** Adds tools of the host's own: each reads, and its text is the result as it is. */
export function addTools(server: McpServer, tools: readonly AITool[]): void {
  for (const { name, description, input, run } of tools) {
    server.registerTool(
      name,
      {
        description,
        inputSchema: input as z.ZodObject, // as checked
        annotations: { readOnlyHint: true, openWorldHint: false },
      },
      async (given, { mcpReq }) => {
        try {
          return { content: [{ type: "text", text: await run(given, { signal: mcpReq.signal }) }] };
        } catch {
          // What a tool throws may hold what clients must not read.
          return { isError: true, content: [{ type: "text", text: "The tool failed." }] };
        }
      },
    );
  }
}
