import type { AIStopReason, MeshError } from "@constellation/core";

/**
 * One exchange with a model, which is all an adapter implements. The client does the rest: limits, tool
 * loops, validation, prices and error texts.
 *
 * @typeParam Raw - A reply in the vendor's own form, so that it can be sent back as it came.
 */
export interface ModelPort<Raw> {
  /**
   * Sends the conversation so far and returns the reply. Must stop when `call.signal` aborts.
   *
   * @throws MeshError for known failures. The client converts any other exception to `AI_UNAVAILABLE`.
   */
  exchange(request: ModelRequest<Raw>, call: ModelCall<Raw>): Promise<ModelReply<Raw>>;
}

/** A conversation and the limits of its next reply. */
export interface ModelRequest<Raw> {
  readonly model: string;
  readonly maxTokens: number;
  readonly system: string | undefined;
  readonly turns: readonly ModelTurn<Raw>[];
  readonly format: ModelFormat | undefined;
  readonly tools: readonly ModelTool[];
}

/** One turn: text, an unchanged reply of the model, or the results of its tools. */
export type ModelTurn<Raw> =
  | { readonly role: "user" | "assistant"; readonly text: string }
  | { readonly role: "model"; readonly raw: Raw }
  | { readonly role: "tools"; readonly results: readonly ToolOutcome[] };

/** A JSON schema that the reply must fit. */
export interface ModelFormat {
  readonly name: string;
  readonly schema: JsonSchema;
}

/** A tool as the model sees it. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonSchema;
}

/** JSON Schema, draft 2020-12, of an object. */
export interface JsonSchema {
  readonly type: "object";
  readonly [keyword: string]: unknown;
}

/** The result of one tool call. */
export interface ToolOutcome {
  readonly id: string;
  readonly text: string;
  readonly isError: boolean;
}

/** What the client offers to an exchange while it lasts. */
export interface ModelCall<Raw = unknown> {
  /** Aborts with a `MeshError` as its reason. */
  readonly signal: AbortSignal;
  /** Milliseconds until the signal aborts at the latest; `Infinity` for a call without a limit. */
  remainingMs(): number;
  /** Receives each piece of text. Never throws. Without it the reply need not be streamed. */
  readonly onText: ((text: string) => void) | undefined;
  /** Records the usage of this exchange so far; replaces the earlier count. */
  charge(usage: TokenUsage): void;
  /** Records that the request is sent again. */
  onRetry(): void;
  /** Id and version of the prompt, for the span. */
  readonly promptId: string | undefined;
  /**
   * Finds why a reply cannot be used, for the span only; the client decides what follows. Absent where
   * any reply is valid. Never rejects.
   */
  findProblem?(reply: ModelReply<Raw>): Promise<MeshError | undefined>;
}

/** Tokens of one exchange, 0 or more. */
export interface TokenUsage {
  /** The answering model, as its service names it. */
  readonly model: string;
  /** Everything read, cached parts included. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens?: number | undefined;
  readonly cacheWriteTokens?: number | undefined;
  /** True where the service did not report all of them. */
  readonly estimated?: true | undefined;
}

/** A reply of the model. */
export interface ModelReply<Raw> {
  readonly text: string;
  readonly stopReason: AIStopReason;
  /** The model that answered. */
  readonly model: string;
  /** Tool calls that the model requests. The conversation continues after them. */
  readonly toolCalls: readonly ToolCall[];
  readonly raw: Raw;
}

/** A tool call that the model requests. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/**
 * Remaining time in milliseconds above which a reply is streamed even without a listener: the `fetch`
 * of Node.js gives up on a response that has not begun after 5 minutes.
 */
export const longCallMs = 240_000;
