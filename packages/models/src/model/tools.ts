import type { AITool } from "@constellation/core";
import { describeIssues } from "./analysis.js";
import type { ToolCall, ToolOutcome } from "./port.js";

/**
 * Calls the tools of one reply, one after the other. Invalid input never reaches a tool, and a tool's
 * exception never reaches the model.
 *
 * @throws The signal's reason once it has aborted: no further tool is called.
 */
export async function callTools(
  calls: readonly ToolCall[],
  tools: readonly AITool[],
  signal: AbortSignal,
): Promise<readonly ToolOutcome[]> {
  const outcomes: ToolOutcome[] = [];
  for (const call of calls) {
    signal.throwIfAborted();
    const outcome = await callTool(call, tools, signal);
    outcomes.push({ id: call.id, ...outcome });
  }
  signal.throwIfAborted();
  return outcomes;
}

async function callTool(
  { name, input }: ToolCall,
  tools: readonly AITool[],
  signal: AbortSignal,
): Promise<Omit<ToolOutcome, "id">> {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) return { text: "unknown tool", isError: true };
  try {
    const checked = await tool.input.safeParseAsync(input);
    if (!checked.success) return { text: describeIssues(checked.error.issues), isError: true };
    const text: unknown = await tool.run(checked.data, { signal });
    if (typeof text === "string") return { text, isError: false };
  } catch {
    // The error's text may hold what the model and its readers must not see.
  }
  return { text: "the tool failed", isError: true };
}

/** The input of a tool as a service sends it. Text that is not JSON stays text: it fails validation, which the model gets as the result. */
export function parseToolInput(input: unknown): unknown {
  if (typeof input !== "string") return input;
  try {
    return JSON.parse(input === "" ? "{}" : input);
  } catch {
    return input;
  }
}
