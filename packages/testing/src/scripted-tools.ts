import type { AIToolRequest } from "@constellation/core";
import { toAbortError } from "@constellation/core";
import type { AIToolCall } from "./ai-script.js";

/** What a scripted model received from one tool it called. */
export interface ToolResult {
  readonly name: string;
  /** Whether the tool gave a result; false when there is none, its input was wrong, or it threw. */
  readonly ran: boolean;
  /** The result, or why there is none. */
  readonly text: string;
}

/**
 * Calls tools one after the other, as a real client does: input that does not pass never reaches
 * `run`, and what a tool throws stays in it.
 *
 * @param results - Where the results go, as they come.
 * @throws MeshError as soon as the request's signal aborts.
 */
export async function playTools(
  toolCalls: readonly AIToolCall[],
  { tools, signal = new AbortController().signal }: AIToolRequest,
  results: ToolResult[],
): Promise<void> {
  for (const { name, input } of toolCalls) {
    if (signal.aborted) throw toAbortError(signal);
    const tool = tools.find((candidate) => candidate.name === name);
    const checked = await tool?.input.safeParseAsync(input);
    if (tool === undefined || checked === undefined) {
      results.push({ name, ran: false, text: "unknown tool" });
    } else if (!checked.success) {
      results.push({ name, ran: false, text: checked.error.message });
    } else {
      try {
        results.push({ name, ran: true, text: await tool.run(checked.data, { signal }) });
      } catch {
        results.push({ name, ran: false, text: "the tool failed" });
      }
    }
  }
}
