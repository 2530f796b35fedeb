import type { AIClient, AIRequest, AIStopReason, AIUsage } from "@constellation/core";
import { MeshError } from "@constellation/core";

/** A method of a model client. */
export type AIMethod = keyof AIClient;

/** Reaction of a scripted model to one call. Text alone is short for `{ text }`. */
export type AIStep =
  | string
  | AIReply
  | ((request: AIRequest, method: AIMethod) => string | AIReply | Promise<string | AIReply>);

/** Steps played one for each call, or a function that makes a step for every call. */
export type AIScript = readonly AIStep[] | Extract<AIStep, (...args: never[]) => unknown>;

/** One reply of a scripted model. */
export interface AIReply {
  /** Text of the reply. For `analyze`, JSON, unless `value` is given. */
  readonly text?: string | undefined;
  /** Value of the reply. Checked against the schema, as a real client does. */
  readonly value?: unknown;
  /** Tools it calls before it writes, in this order. Each counts as one of `maxTurns`. */
  readonly toolCalls?: readonly AIToolCall[] | undefined;
  /** @default "end" */
  readonly stopReason?: AIStopReason | undefined;
  /** Replaces the counts made from the length of the texts. */
  readonly usage?: Partial<AIUsage> | undefined;
  /** Model that answers. @default "scripted-model" */
  readonly model?: string | undefined;
  /** Milliseconds it takes. `Infinity` waits for the signal or the time limit. @default 0 */
  readonly afterMs?: number | undefined;
  /** Rejects with this instead. Anything but a `MeshError` becomes `AI_UNAVAILABLE`. */
  readonly error?: unknown;
  /** The method that the step is for: a call of another method fails. */
  readonly only?: AIMethod | undefined;
}

/** A tool that a scripted model calls. */
export interface AIToolCall {
  readonly name: string;
  readonly input: unknown;
}

/** The model refuses to answer. `analyze` rejects, since a refusal fits no schema. */
export function aiRefusal(text = "I cannot help with that."): AIReply {
  return { text, stopReason: "refusal" };
}

/** The model reaches `maxTokens` in the middle of its text. */
export function aiTruncation(text: string): AIReply {
  return { text, stopReason: "max-tokens" };
}

/** The model's service refuses because of too many requests: `RATE_LIMITED`. */
export function aiRateLimit(): AIReply {
  return { error: new MeshError("RATE_LIMITED", "The model refuses: too many requests.") };
}

/** The model cannot be reached: `AI_UNAVAILABLE`. */
export function aiFailure(): AIReply {
  return { error: new MeshError("AI_UNAVAILABLE", "The model could not be reached.") };
}
