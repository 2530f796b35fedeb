import { readJsonReply } from "@constellation/authoring";
import { z } from "zod";
import type { Turn } from "./llama.js";

const toolCall = z.object({ function: z.object({ name: z.string(), arguments: z.string() }) });

/** The part of a request to `/chat/completions` that the server reads. */
export const chatRequestSchema = z.object({
  model: z.string(),
  max_tokens: z.number().default(1_024),
  stream: z.boolean().default(false),
  messages: z.array(
    z.object({
      role: z.enum(["system", "user", "assistant", "tool"]),
      content: z.string().nullish(),
      tool_calls: z.array(toolCall).nullish(),
    }),
  ),
  response_format: z
    .object({ json_schema: z.object({ schema: z.record(z.string(), z.unknown()) }).optional() })
    .optional(),
  tools: z
    .array(
      z.object({
        function: z.object({
          name: z.string(),
          description: z.string().optional(),
          parameters: z.record(z.string(), z.unknown()).optional(),
        }),
      }),
    )
    .default([]),
});

/** A request to `/chat/completions`. */
export type ChatRequest = z.infer<typeof chatRequestSchema>;

/** The turns of a request. Tools are named in the instructions: the model's template has none. */
export function turnsOf({ messages, tools }: ChatRequest): readonly Turn[] {
  const system = messages.flatMap(({ role, content }) =>
    role === "system" ? (content ?? "") : [],
  );
  const listed = tools.map(({ function: tool }) => JSON.stringify(tool)).join("\n");
  const howTo =
    tools.length === 0
      ? []
      : [
          `To call one of these tools, write only {"name": ..., "arguments": {...}}. Else answer.\n${listed}`,
        ];
  return [
    { type: "system", text: [...system, ...howTo].join("\n\n") },
    ...messages.flatMap(({ role, content, tool_calls: calls }): readonly Turn[] => {
      if (role === "system") return [];
      if (role === "tool") return [{ type: "user", text: `The tool gave:\n${content ?? ""}` }];
      if (role === "user") return [{ type: "user", text: content ?? "" }];
      const made = calls?.map(({ function: { name, arguments: input } }) =>
        JSON.stringify({ name, arguments: JSON.parse(input) }),
      );
      return [{ type: "model", response: [[content ?? "", ...(made ?? [])].join("\n").trim()] }];
    }),
  ];
}

/** The tool that a text calls; `undefined` where it is an answer. */
export function toolCallIn(
  text: string,
  { tools }: ChatRequest,
): { readonly name: string; readonly input: unknown } | undefined {
  const { name, arguments: input } = readJsonReply(text) ?? {};
  const isTool = tools.some(({ function: tool }) => tool.name === name);
  return isTool && typeof name === "string" ? { name, input: input ?? {} } : undefined;
}

const known = new Set([
  "type",
  "properties",
  "items",
  "enum",
  "const",
  "oneOf",
  "maxItems",
  "minItems",
  "maxLength",
  "minLength",
  "required",
  "additionalProperties",
]);

/**
 * A JSON schema in the part of the standard that a grammar can hold: `anyOf` becomes `oneOf`; patterns
 * and ranges are left out, since the client checks them.
 */
export function grammarSchemaOf(schema: unknown): object {
  if (Array.isArray(schema)) return schema.map(grammarSchemaOf);
  if (typeof schema !== "object" || schema === null) return {};
  const { anyOf, properties, items, ...rest } = schema as Record<string, unknown>;
  return {
    ...Object.fromEntries(Object.entries(rest).filter(([key]) => known.has(key))),
    ...(Array.isArray(anyOf) && { oneOf: anyOf.map(grammarSchemaOf) }),
    ...(items !== undefined && { items: grammarSchemaOf(items) }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties as object).map(([key, each]) => [key, grammarSchemaOf(each)]),
      ),
    }),
  };
}
