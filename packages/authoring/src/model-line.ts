import type { MeshEvent } from "@constellation/core";
import { sanitizeText } from "./sanitize-text.js";

type ModelEvent = Extract<MeshEvent, { type: "model:start" | "model:end" }>;

/** Progress line for an event of a model. `undefined` for a reply. */
export function modelLine(event: ModelEvent): string | undefined {
  if (event.type === "model:start") {
    const name = event.model === undefined ? "" : ` (${line(event.model, 64)})`;
    return `asking the model${name}`;
  }
  const { error } = event;
  return error === undefined
    ? undefined
    : `continuing without the model: ${modelFailureLine(error)}`;
}

/** Why a model failed: the message, and the field of the schema or the service's message. */
export function modelFailureLine(error: {
  readonly code: string;
  readonly message: string;
  readonly problem?: string | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}): string {
  const { code, message, problem = error.details?.problem } = error;
  const detail = typeof problem === "string" && problem !== "" ? ` (${problem})` : "";
  return `${line(`${message}${detail}`, 300)} [${code}]`;
}

/** Cut first, because the rest need not be cleaned. */
function line(text: string, maxLength: number): string {
  return sanitizeText(text.slice(0, maxLength * 4), { singleLine: true, maxLength });
}
