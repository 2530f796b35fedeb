import { attributes } from "@constellation/core";

/** Attributes of the spans of a call, on both sides. Source: OpenTelemetry's conventions for MCP. */
export function spanAttributes(tool: string): Record<string, string> {
  return {
    [attributes.carrier]: "mcp",
    "mcp.method.name": "tools/call",
    "gen_ai.tool.name": tool,
  };
}
