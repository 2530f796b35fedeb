import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from "@ai-sdk/provider";
import { estimateTokens } from "@constellation/authoring";
import type { AIStopReason } from "@constellation/core";
import { isRecord } from "@constellation/core/checks";
import { z } from "zod";
import { brokenReply, unknownEnd } from "../model/failure.js";
import type { StructuredOutput } from "../model/output-choice.js";
import type { ModelReply, ModelRequest, TokenUsage } from "../model/port.js";
import { instructions, isOpen } from "../model/schema-in-words.js";
import { parseToolInput } from "../model/tools.js";

const metadataSchema = z.record(z.string(), z.unknown()).optional();

/** Parts of a reply that are read, and sent back as they came; the others are left out. */
const partSchema = z.union([
  z.object({
    type: z.enum(["text", "reasoning"]),
    text: z.string(),
    providerMetadata: metadataSchema,
  }),
  z.object({
    type: z.literal("tool-call"),
    toolCallId: z.string(),
    toolName: z.string(),
    input: z.unknown(),
    providerExecuted: z.boolean().optional(),
    providerMetadata: metadataSchema,
  }),
]);

/** A part of a reply. */
export type ReplyPart = z.infer<typeof partSchema>;

/** A reply, whichever version of the specification its model has. */
export interface ProviderReply {
  readonly parts: readonly ReplyPart[];
  readonly finishReason: unknown;
  readonly usage: unknown;
  readonly id: string | undefined;
  readonly model: string | undefined;
}

/** @returns `undefined` for a part that is not needed. */
export function readPart(part: unknown): ReplyPart | undefined {
  const read = partSchema.safeParse(part);
  return read.success ? read.data : undefined;
}

/** Writes a conversation as the options of a call. */
export function createCallOptions(
  { system, turns, format, tools, maxTokens }: ModelRequest<readonly ReplyPart[]>,
  way: StructuredOutput,
): Pick<
  LanguageModelV4CallOptions,
  "prompt" | "maxOutputTokens" | "responseFormat" | "tools" | "toolChoice"
> {
  const isHeld = way === "json-schema" && format !== undefined && !isOpen(format.schema);
  const content = instructions({ system, format }, isHeld);
  const named = format && { schema: format.schema as object, name: format.name };
  return {
    prompt: [
      ...(content === undefined ? [] : [{ role: "system" as const, content }]),
      ...turns.map(toMessage),
    ],
    maxOutputTokens: maxTokens,
    ...(format !== undefined &&
      way !== "words" && { responseFormat: { type: "json", ...(isHeld && named) } }),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, schema }) => ({
        type: "function" as const,
        ...{ name, description, inputSchema: schema as object },
      })),
      toolChoice: { type: "auto" },
    }),
  };
}

function toMessage(
  turn: ModelRequest<readonly ReplyPart[]>["turns"][number],
  index: number,
  turns: ModelRequest<readonly ReplyPart[]>["turns"],
): LanguageModelV4Prompt[number] {
  if (turn.role === "model") return { role: "assistant", content: turn.raw.map(toPart) };
  if (turn.role === "tools") {
    const before = turns[index - 1];
    const calls = before?.role === "model" ? before.raw : [];
    return {
      role: "tool",
      content: turn.results.map(({ id, text, isError }) => ({
        type: "tool-result",
        toolCallId: id,
        toolName: toolNameOf(calls, id),
        output: { type: isError ? "error-text" : "text", value: text },
      })),
    };
  }
  return { role: turn.role, content: [{ type: "text", text: turn.text }] };
}

function toolNameOf(parts: readonly ReplyPart[], id: string): string {
  const call = parts.find((part) => part.type === "tool-call" && part.toolCallId === id);
  return call?.type === "tool-call" ? call.toolName : "";
}

/** What a provider added to a part, such as a signature, goes back with it. */
function toPart(part: ReplyPart) {
  const { providerMetadata } = part;
  const own = providerMetadata === undefined ? {} : { providerOptions: providerMetadata as never };
  if (part.type !== "tool-call") return { type: part.type, text: part.text, ...own };
  const { toolCallId, toolName, input } = part;
  return { type: part.type, toolCallId, toolName, input: parseToolInput(input), ...own };
}

/** @throws MeshError for a reply without an end, or with an unknown one. */
export function toModelReply(
  { parts, finishReason, model }: ProviderReply,
  requested: string,
): ModelReply<readonly ReplyPart[]> {
  const stopReason = toStopReason(finishReason);
  return {
    text: parts.map((part) => (part.type === "text" ? part.text : "")).join(""),
    stopReason,
    model: model ?? requested,
    toolCalls: parts.flatMap((part) =>
      part.type === "tool-call" && part.providerExecuted !== true
        ? { id: part.toolCallId, name: part.toolName, input: parseToolInput(part.input) }
        : [],
    ),
    raw: parts,
  };
}

const stopReasons: ReadonlyMap<unknown, AIStopReason> = new Map([
  ["stop", "end"],
  ["tool-calls", "end"],
  ["length", "max-tokens"],
  ["content-filter", "refusal"],
]);

/** Stop reasons of services that the specification does not name. */
const rawStopReasons: ReadonlyMap<unknown, AIStopReason> = new Map([
  ["stop_sequence", "stop-sequence"],
  ["model_context_window_exceeded", "context-full"],
  ["model_length", "context-full"],
  ["refusal", "refusal"],
]);

/** Version 2 has one word; later versions add the word of the service. */
export function finishReasonsOf(reason: unknown): readonly string[] {
  const { raw, unified } = isRecord(reason) ? reason : { raw: undefined, unified: reason };
  return [raw, unified].filter((each) => typeof each === "string").slice(0, 1);
}

function toStopReason(reason: unknown): AIStopReason {
  const { raw, unified } = isRecord(reason) ? reason : { raw: undefined, unified: reason };
  if (unified === undefined) throw brokenReply("the reply has no end");
  const known = rawStopReasons.get(raw) ?? stopReasons.get(unified);
  if (known === undefined) throw unknownEnd(raw ?? unified);
  return known;
}

/** Reads the usage of a reply. Where it is not reported, one token per three bytes is counted. */
export function readUsage(
  { usage, model, parts }: Pick<ProviderReply, "usage" | "model" | "parts">,
  requested: string,
  sent: string,
): TokenUsage {
  const { inputTokens, outputTokens, cachedInputTokens } = isRecord(usage) ? usage : {};
  const [read, written] = [totalOf(inputTokens), totalOf(outputTokens)];
  const cacheRead = isRecord(inputTokens) ? inputTokens.cacheRead : cachedInputTokens;
  const cacheWrite = isRecord(inputTokens) ? inputTokens.cacheWrite : undefined;
  return {
    model: model ?? requested,
    inputTokens: read ?? estimateTokens(sent),
    outputTokens: written ?? estimateTokens(JSON.stringify(parts)),
    ...(isPositive(cacheRead) && { cacheReadTokens: cacheRead }),
    ...(isPositive(cacheWrite) && { cacheWriteTokens: cacheWrite }),
    ...((read === undefined || written === undefined) && { estimated: true }),
  };
}

function totalOf(tokens: unknown): number | undefined {
  const total = isRecord(tokens) ? tokens.total : tokens;
  return typeof total === "number" && Number.isFinite(total) ? total : undefined;
}

function isPositive(tokens: unknown): tokens is number {
  return typeof tokens === "number" && tokens > 0;
}
