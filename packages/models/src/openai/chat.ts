import type { AIStopReason } from "@constellation/core";
import type {
  ChatCompletionCreateParams,
  ChatCompletionMessageParam,
} from "openai/resources/chat/completions";
import { z } from "zod";
import type { ModelReply, ModelRequest, ModelTurn, TokenUsage } from "../model/port.js";
import { askInWords, isOpen } from "../model/schema-in-words.js";
import type { OpenAICompatibleSettings, StructuredOutput } from "./options.js";

const toolCallSchema = z.object({
  id: z.string().nullish(),
  function: z.object({ name: z.string(), arguments: z.string().nullish() }),
});

/** The model's message: what is read of it, and sent back. */
const messageSchema = z.object({
  content: z.string().nullish(),
  refusal: z.string().nullish(),
  tool_calls: z.array(toolCallSchema).nullish(),
});

/** @see messageSchema */
export type ChatMessage = z.infer<typeof messageSchema>;

const usageSchema = z.object({
  prompt_tokens: z.number(),
  completion_tokens: z.number().nullish(),
  prompt_tokens_details: z.object({ cached_tokens: z.number().nullish() }).nullish(),
});

/** What is read of a whole reply. */
export const completionSchema = z.object({
  id: z.string().nullish(),
  model: z.string().nullish(),
  choices: z
    .array(z.object({ message: messageSchema, finish_reason: z.string().nullish() }))
    .min(1),
  usage: usageSchema.nullish().catch(undefined),
});

/** @see completionSchema */
export type Completion = z.infer<typeof completionSchema>;

/** What is read of one event of a stream. */
export const chunkSchema = z.object({
  id: z.string().nullish(),
  model: z.string().nullish(),
  choices: z
    .array(
      z.object({
        delta: z
          .object({
            content: z.string().nullish(),
            refusal: z.string().nullish(),
            tool_calls: z
              .array(
                z.object({
                  index: z.number().nullish(),
                  id: z.string().nullish(),
                  function: z
                    .object({ name: z.string().nullish(), arguments: z.string().nullish() })
                    .nullish(),
                }),
              )
              .nullish(),
          })
          .nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  usage: usageSchema.nullish().catch(undefined),
  error: z.object({ message: z.string().nullish(), code: z.unknown() }).nullish(),
});

/** Writes a conversation as the body of a chat completion. */
export function bodyOf(
  request: ModelRequest<ChatMessage>,
  { maxTokensField }: OpenAICompatibleSettings,
  structuredOutput: StructuredOutput,
  isStreamed: boolean,
): ChatCompletionCreateParams {
  const { model, maxTokens, turns, format, tools } = request;
  const isHeld =
    structuredOutput === "json-schema" && format !== undefined && !isOpen(format.schema);
  const system =
    format !== undefined && !isHeld ? askInWords(request.system, format) : request.system;
  const responseFormat: ChatCompletionCreateParams["response_format"] = isHeld
    ? { type: "json_schema", json_schema: { name: format.name, schema: format.schema } }
    : format !== undefined && structuredOutput !== "words"
      ? { type: "json_object" }
      : undefined;
  return {
    model,
    [maxTokensField]: maxTokens,
    messages: [
      ...(system === undefined || system === ""
        ? []
        : [{ role: "system" as const, content: system }]),
      ...turns.flatMap(messagesOf),
    ],
    ...(responseFormat !== undefined && { response_format: responseFormat }),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, schema }) => ({
        type: "function" as const,
        function: { name, description, parameters: { ...schema } },
      })),
    }),
    ...(isStreamed && { stream: true, stream_options: { include_usage: true } }),
  };
}

function messagesOf(turn: ModelTurn<ChatMessage>): readonly ChatCompletionMessageParam[] {
  switch (turn.role) {
    case "model":
      return [
        {
          role: "assistant",
          content: turn.raw.content ?? null,
          tool_calls: toolCallsOf(turn.raw).map(({ id, name, json }) => ({
            id,
            type: "function",
            function: { name, arguments: json },
          })),
        },
      ];
    case "tools":
      return turn.results.map(({ id, text }) => ({
        role: "tool",
        tool_call_id: id,
        content: text,
      }));
    default:
      return [{ role: turn.role, content: turn.text }];
  }
}

/** Reads a reply. A reply that ended early has no finish reason, and gives `undefined`. */
export function replyOf(
  { choices, model }: Completion,
  requested: string,
): ModelReply<ChatMessage> | undefined {
  const [choice] = choices;
  if (choice === undefined || choice.finish_reason == null) return undefined;
  const { message, finish_reason: reason } = choice;
  const isRefusal = message.refusal != null && message.refusal !== "";
  return {
    text: isRefusal ? (message.refusal ?? "") : (message.content ?? ""),
    stopReason: isRefusal ? "refusal" : stopReasonOf(reason),
    model: model ?? requested,
    toolCalls: toolCallsOf(message).map(({ id, name, json }) => ({
      id,
      name,
      input: inputOf(json),
    })),
    raw: message,
  };
}

function stopReasonOf(reason: string): AIStopReason {
  if (reason === "length") return "max-tokens";
  return reason === "content_filter" ? "refusal" : "end";
}

/** Some servers give a tool call no id: its place then names it. */
function toolCallsOf({ tool_calls: calls }: ChatMessage) {
  return (calls ?? []).map(({ id, function: { name, arguments: json } }, index) => ({
    id: id ?? `call_${index}`,
    name,
    json: json ?? "{}",
  }));
}

/** Input that is not JSON fits no schema, which the model then gets as the result. */
function inputOf(json: string): unknown {
  try {
    return JSON.parse(json === "" ? "{}" : json);
  } catch {
    return json;
  }
}

/** Reads what a reply used; where the server does not report it, estimates a token for three bytes. */
export function usageOf(
  { usage, model, choices }: Completion,
  requested: string,
  sent: string,
): TokenUsage {
  const answeredBy = model ?? requested;
  if (usage == null) {
    const written = choices.map(({ message }) => JSON.stringify(message)).join("");
    return {
      model: answeredBy,
      inputTokens: estimateTokens(Buffer.byteLength(sent)),
      outputTokens: estimateTokens(Buffer.byteLength(written)),
    };
  }
  const cached = usage.prompt_tokens_details?.cached_tokens ?? 0;
  return {
    model: answeredBy,
    inputTokens: usage.prompt_tokens,
    outputTokens: usage.completion_tokens ?? 0,
    ...(cached > 0 && { cacheReadTokens: cached }),
  };
}

/** Estimates the tokens of a text: one for three bytes. */
export function estimateTokens(bytes: number): number {
  return Math.ceil(bytes / 3);
}
