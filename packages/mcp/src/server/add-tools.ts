import type { AITool } from "@constellation/core";
import type { CallToolResult, McpServer, ServerContext } from "@modelcontextprotocol/server";
import { z } from "zod";
import { readRequest } from "./request-info.js";

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

/** A tool, and who may call it. */
export interface ServedTool {
  readonly tool: AITool;
  /** Checked at each call, because rights may have changed since the tool was listed. */
  readonly mayUse: (context: ServerContext) => boolean;
}

/** Adds further tools, which only read. Their text is the unchanged result. */
export function addTools(server: McpServer, tools: readonly ServedTool[]): void {
  for (const { tool, mayUse } of tools) {
    const { name, description, input } = tool;
    server.registerTool(
      name,
      {
        description,
        inputSchema: input as z.ZodObject, // as checked
        annotations: { readOnlyHint: true, openWorldHint: false },
      },
      async (given, context) => {
        if (!mayUse(context)) return failure("UNAUTHORIZED: the user may not use this tool.");
        try {
          const work = Promise.resolve(tool.run(given, { signal: context.mcpReq.signal }));
          readRequest(context).waitUntil?.(work); // it may continue when its client is gone
          const text = await work;
          return { content: [{ type: "text", text }] };
        } catch {
          return failure("The tool failed."); // its exception may contain data that clients must not read
        }
      },
    );
  }
}

function failure(text: string): CallToolResult {
  return { isError: true, content: [{ type: "text", text }] };
}
