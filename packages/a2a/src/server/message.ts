import { randomUUID } from "node:crypto";
import { type Message, type Part, Role } from "@a2a-js/sdk";
import { publicError } from "@constellation/authoring";
import type { Response } from "@constellation/core";

/** The text of a message: its text parts, joined. */
export function textOf(message: Message): string {
  return message.parts
    .flatMap(({ content }) => (content?.$case === "text" ? [content.value] : []))
    .join("\n\n");
}

/** A part of text. */
export function textPart(text: string, mediaType = "text/plain"): Part {
  return { content: { $case: "text", value: text }, mediaType, filename: "", metadata: undefined };
}

/** A response without its answer, as a data part. */
export function dataPart(response: Response): Part {
  const { confidence, partial = false, sources = [], metadata, error } = response;
  const value = {
    ...(confidence !== undefined && { confidence }),
    partial,
    sources: sources.map((source) => ({ ...source })),
    missing: (metadata?.missing ?? []).map((branch) => ({ ...branch })),
    ...(metadata?.waiting !== undefined && { waiting: metadata.waiting }),
    ...(error !== undefined && { error: publicError(error) }),
  };
  return {
    content: { $case: "data", value: JSON.parse(JSON.stringify(value)) as unknown }, // drops undefined
    mediaType: "application/json",
    filename: "",
    metadata: undefined,
  };
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
