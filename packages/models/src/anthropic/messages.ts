import type {
  ContentBlock,
  Message,
  MessageCreateParamsNonStreaming,
  MessageParam,
  TextBlockParam,
  Tool,
} from "@anthropic-ai/sdk/resources/messages";
import type { AIStopReason } from "@constellation/core";
import type { ModelReply, ModelRequest, ModelTool, ModelTurn, TokenUsage } from "../model/port.js";
import { askInWords } from "../model/schema-in-words.js";
import type { AnthropicSettings } from "./options.js";

/** A reply's blocks as they came, so that thinking and tool calls go back unchanged. */
export type Blocks = readonly ContentBlock[];

/** A schema as the API takes it, or `undefined` where it cannot hold the model to it. */
export type OutputSchema = Record<string, unknown> | undefined;

/** Writes a conversation as the body of a request to the Messages API. */
export function paramsOf(
  request: ModelRequest<Blocks>,
  { cache, effort }: AnthropicSettings,
  schema: OutputSchema,
): MessageCreateParamsNonStreaming {
  const { model, maxTokens, turns, format, tools } = request;
  const system =
    format !== undefined && schema === undefined
      ? askInWords(request.system, format)
      : request.system;
  const output = {
    ...(effort !== undefined && { effort }),
    ...(schema !== undefined && { format: { type: "json_schema" as const, schema } }),
  };
  const mark = cache === false ? {} : { cache_control: { type: "ephemeral" as const, ttl: cache } };
  // The API reads tools, then system, then messages: a mark at the end of what is stable caches both.
  const marksTools = system === undefined || system === "";
  return {
    model,
    max_tokens: maxTokens,
    messages: turns.map(messageOf),
    ...(!marksTools && { system: [{ type: "text", text: system, ...mark } as TextBlockParam] }),
    ...(tools.length > 0 && {
      tools: tools.map((tool, index) =>
        toolOf(tool, marksTools && index === tools.length - 1 ? mark : {}),
      ),
    }),
    ...(Object.keys(output).length > 0 && { output_config: output }),
  };
}

function messageOf(turn: ModelTurn<Blocks>): MessageParam {
  switch (turn.role) {
    case "model":
      return { role: "assistant", content: [...turn.raw] };
    case "tools":
      return {
        role: "user",
        content: turn.results.map(({ id, text, isError }) => ({
          type: "tool_result",
          tool_use_id: id,
          content: text,
          ...(isError && { is_error: true }),
        })),
      };
    default:
      return { role: turn.role, content: turn.text };
  }
}

function toolOf({ name, description, schema }: ModelTool, mark: Pick<Tool, "cache_control">): Tool {
  return { name, description, input_schema: { ...schema }, ...mark };
}

/** Reads the API's reply. A reply that ended early has no stop reason, and gives `undefined`. */
export function replyOf(message: Message): ModelReply<Blocks> | undefined {
  const { content, stop_reason, model } = message;
  if (!Array.isArray(content) || stop_reason === null || stop_reason === undefined)
    return undefined;
  return {
    text: content.map((block) => (block.type === "text" ? block.text : "")).join(""),
    stopReason: stopReasonOf(stop_reason),
    model,
    toolCalls: content.flatMap((block) =>
      block.type === "tool_use" ? { id: block.id, name: block.name, input: block.input } : [],
    ),
    raw: content,
  };
}

function stopReasonOf(reason: NonNullable<Message["stop_reason"]>): AIStopReason {
  switch (reason) {
    case "max_tokens":
      return "max-tokens";
    case "stop_sequence":
      return "stop-sequence";
    case "refusal":
      return "refusal";
    case "model_context_window_exceeded":
      return "context-full";
    default:
      return "end"; // with tool calls, or a turn that only server tools pause
  }
}

/** Reads what a message used. The API counts cached parts apart. */
export function usageOf({ model, usage }: Message): TokenUsage | undefined {
  const input: unknown = usage?.input_tokens;
  if (typeof input !== "number") return undefined;
  const read = usage.cache_read_input_tokens ?? 0;
  const written = usage.cache_creation_input_tokens ?? 0;
  return {
    model,
    inputTokens: input + read + written,
    outputTokens: usage.output_tokens ?? 0,
    ...(read > 0 && { cacheReadTokens: read }),
    ...(written > 0 && { cacheWriteTokens: written }),
  };
}
