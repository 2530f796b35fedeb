import { attributes } from "@constellation/core";

/** What the spans of a call show, on both sides. Source: OpenTelemetry's conventions for MCP. */
export function spanAttributes(tool: string): Record<string, string> {
  return {
    [attributes.carrier]: "mcp",
    "mcp.method.name": "tools/call",
    "gen_ai.tool.name": tool,
  };
}
