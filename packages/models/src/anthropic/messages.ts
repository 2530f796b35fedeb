import type {
  ContentBlock,
  Message,
  MessageCreateParamsNonStreaming,
  MessageParam,
  TextBlockParam,
  Tool,
} from "@anthropic-ai/sdk/resources/messages";
import type { AIStopReason } from "@constellation/core";
import { brokenReply, unknownEnd } from "../model/failure.js";
import type { ModelReply, ModelRequest, ModelTool, ModelTurn, TokenUsage } from "../model/port.js";
import { instructions } from "../model/schema-in-words.js";
import type { AnthropicSettings } from "./options.js";

/** A reply's blocks as they came, so that thinking and tool calls go back unchanged. */
export type Blocks = readonly ContentBlock[];

/** A schema in the API's form, or `undefined` where the API cannot enforce it. */
export type OutputSchema = Record<string, unknown> | undefined;

/** Writes a conversation as the body of a request to the Messages API. */
export function toMessageParams(
  request: ModelRequest<Blocks>,
  { cache, effort }: AnthropicSettings,
  schema: OutputSchema,
): MessageCreateParamsNonStreaming {
  const { model, maxTokens, turns, tools } = request;
  const system = instructions(request, schema !== undefined);
  const output = {
    ...(effort !== undefined && { effort }),
    ...(schema !== undefined && { format: { type: "json_schema" as const, schema } }),
  };
  const mark = cache === false ? {} : { cache_control: { type: "ephemeral" as const, ttl: cache } };
  // The API reads tools, then system, then messages: a mark at the end of what is stable caches both.
  const marksTools = system === undefined;
  return {
    model,
    max_tokens: maxTokens,
    messages: turns.map(toMessageParam),
    ...(!marksTools && { system: [{ type: "text", text: system, ...mark } as TextBlockParam] }),
    ...(tools.length > 0 && {
      tools: tools.map((tool, index) =>
        toAnthropicTool(tool, marksTools && index === tools.length - 1 ? mark : {}),
      ),
    }),
    ...(Object.keys(output).length > 0 && { output_config: output }),
  };
}

function toMessageParam(turn: ModelTurn<Blocks>): MessageParam {
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

function toAnthropicTool(
  { name, description, schema }: ModelTool,
  mark: Pick<Tool, "cache_control">,
): Tool {
  return { name, description, input_schema: { ...schema }, ...mark };
}

/**
 * Reads the API's reply.
 *
 * @throws MeshError for a reply that has no stop reason, or an unknown one.
 */
export function readReply(message: Message): ModelReply<Blocks> {
  const { content, stop_reason, model } = message;
  if (!Array.isArray(content) || stop_reason === null || stop_reason === undefined) {
    throw brokenReply("the reply has no end");
  }
  return {
    text: content.map((block) => (block.type === "text" ? block.text : "")).join(""),
    stopReason: toStopReason(stop_reason),
    model,
    toolCalls: content.flatMap((block) =>
      block.type === "tool_use" ? { id: block.id, name: block.name, input: block.input } : [],
    ),
    raw: content,
  };
}

function toStopReason(reason: NonNullable<Message["stop_reason"]>): AIStopReason {
  switch (reason) {
    case "end_turn":
    case "tool_use":
      return "end";
    case "max_tokens":
      return "max-tokens";
    case "stop_sequence":
      return "stop-sequence";
    case "refusal":
      return "refusal";
    case "model_context_window_exceeded":
      return "context-full";
    case "pause_turn":
      return "max-turns"; // the maximum number of continuations was reached
    default:
      throw unknownEnd(reason);
  }
}

/** Reads the token usage of a message. The API counts cached parts separately. */
export function readUsage({ model, usage }: Message): TokenUsage | undefined {
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
