import { estimateTokens } from "@constellation/authoring";
import type { AIStopReason } from "@constellation/core";
import { z } from "zod";
import { unknownEnd } from "../model/failure.js";
import type { StructuredOutput } from "../model/output-choice.js";
import type { ModelReply, ModelRequest, ModelTurn, TokenUsage } from "../model/port.js";
import { instructions, isOpen } from "../model/schema-in-words.js";
import { parseToolInput } from "../model/tools.js";
import type { OpenAICompatibleSettings } from "./options.js";

const toolCallSchema = z.object({
  id: z.string().nullish(),
  function: z.object({ name: z.string(), arguments: z.string().nullish() }),
});

/** The fields of the model's message that are read and sent back. */
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

/** The fields that are read from a whole reply. */
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

/** The fields that are read from one event of a stream. */
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
export function createRequestBody(
  request: ModelRequest<ChatMessage>,
  { maxTokensField }: OpenAICompatibleSettings,
  structuredOutput: StructuredOutput,
  isStreamed: boolean,
): object {
  const { model, maxTokens, turns, format, tools } = request;
  const isHeld =
    structuredOutput === "json-schema" && format !== undefined && !isOpen(format.schema);
  const system = instructions(request, isHeld);
  const responseFormat = isHeld
    ? { type: "json_schema", json_schema: { name: format.name, schema: format.schema } }
    : format !== undefined && structuredOutput !== "words"
      ? { type: "json_object" }
      : undefined;
  return {
    model,
    [maxTokensField]: maxTokens,
    messages: [
      ...(system === undefined ? [] : [{ role: "system" as const, content: system }]),
      ...turns.flatMap(toMessages),
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

function toMessages(turn: ModelTurn<ChatMessage>): readonly object[] {
  switch (turn.role) {
    case "model":
      return [
        {
          role: "assistant",
          content: turn.raw.content ?? null,
          tool_calls: readToolCalls(turn.raw).map(({ id, name, json }) => ({
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

/**
 * Reads a reply. Returns `undefined` for a reply that ended early and so has no finish reason.
 *
 * @throws MeshError for an unknown finish reason.
 */
export function readReply(
  { choices, model }: Completion,
  requested: string,
): ModelReply<ChatMessage> | undefined {
  const [choice] = choices;
  if (choice === undefined || !choice.finish_reason) return undefined;
  const { message, finish_reason: reason } = choice;
  const isRefusal = message.refusal != null && message.refusal !== "";
  return {
    text: isRefusal ? (message.refusal ?? "") : (message.content ?? ""),
    stopReason: isRefusal ? "refusal" : toStopReason(reason),
    model: model ?? requested,
    toolCalls: readToolCalls(message).map(({ id, name, json }) => ({
      id,
      name,
      input: parseToolInput(json),
    })),
    raw: message,
  };
}

/** Finish reasons of OpenAI and of servers with its protocol: vLLM, TGI, llama.cpp, Mistral, Gemini, LiteLLM. */
const stopReasons: ReadonlyMap<string, AIStopReason> = new Map<string, AIStopReason>([
  ["stop", "end"],
  ["tool_calls", "end"],
  ["function_call", "end"],
  ["end_turn", "end"],
  ["tool_use", "end"],
  ["eos", "end"],
  ["eos_token", "end"],
  ["stop_sequence", "stop-sequence"],
  ["length", "max-tokens"],
  ["max_tokens", "max-tokens"],
  ["model_length", "context-full"],
  ["content_filter", "refusal"],
  ["safety", "refusal"],
  ["refusal", "refusal"],
]);

function toStopReason(reason: string): AIStopReason {
  const known = stopReasons.get(reason.toLowerCase());
  if (known === undefined) throw unknownEnd(reason);
  return known;
}

/** Some servers send a tool call without an id; its index then becomes the id. */
function readToolCalls({ tool_calls: calls }: ChatMessage) {
  return (calls ?? []).map(({ id, function: { name, arguments: json } }, index) => ({
    id: id ?? `call_${index}`,
    name,
    json: json ?? "{}",
  }));
}

/** Reads the usage of a reply. If the server does not report it, estimates one token per three bytes. */
export function readUsage(
  { usage, model, choices }: Completion,
  requested: string,
  sent: string,
): TokenUsage {
  const answeredBy = model ?? requested;
  if (usage == null) {
    const written = choices.map(({ message }) => JSON.stringify(message)).join("");
    return {
      model: answeredBy,
      inputTokens: estimateTokens(sent),
      outputTokens: estimateTokens(written),
      estimated: true,
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
