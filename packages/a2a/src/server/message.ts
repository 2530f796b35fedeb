import { randomUUID } from "node:crypto";
import { type Message, type Part, Role } from "@a2a-js/sdk";
import { publicError } from "@constellation/authoring";
import type { Response } from "@constellation/core";

/** The text of a message: its text parts, joined. */
export function joinText(message: Message): string {
  return message.parts
    .flatMap(({ content }) => (content?.$case === "text" ? [content.value] : []))
    .join("\n\n");
}

/** A part of an answer: exactly one of text, a file, the address of a file, and JSON data. */
export type AnswerPart = (
  | { readonly text: string }
  | { readonly bytes: Uint8Array }
  | { readonly url: string }
  | { readonly data: unknown }
) & {
  /** Media type, such as `text/csv`. */
  readonly mediaType?: string | undefined;
  readonly filename?: string | undefined;
};

/** A part of text. */
export function textPart(text: string, mediaType = "text/plain"): Part {
  return toPart({ text, mediaType });
}

/** A part in the form of the protocol. */
export function toPart(part: AnswerPart): Part {
  const { mediaType = "", filename = "" } = part;
  return { content: toContent(part), mediaType, filename, metadata: undefined };
}

function toContent(part: AnswerPart): Part["content"] {
  if ("text" in part) return { $case: "text", value: part.text };
  if ("url" in part) return { $case: "url", value: part.url };
  if ("bytes" in part) return { $case: "raw", value: Buffer.from(part.bytes) };
  return { $case: "data", value: JSON.parse(JSON.stringify(part.data)) as unknown }; // drops undefined
}

/** A response without its answer, as a data part. */
export function dataPart(response: Response): Part {
  const { headline, confidence, partial = false, sources = [], metadata, error } = response;
  const value = {
    ...(headline !== undefined && { headline }),
    ...(confidence !== undefined && { confidence }),
    partial,
    sources: sources.map((source) => ({ ...source })),
    missing: (metadata?.missing ?? []).map((branch) => ({ ...branch })),
    ...(metadata?.waiting !== undefined && { waiting: metadata.waiting }),
    ...(error !== undefined && { error: publicError(error) }),
  };
  return toPart({ data: value, mediaType: "application/json" });
}

/** A message of the agent, about a task. */
export function agentMessage(taskId: string, contextId: string, parts: Part[]): Message {
  return {
    messageId: randomUUID(),
    taskId,
    contextId,
    role: Role.ROLE_AGENT,
    parts,
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
}
