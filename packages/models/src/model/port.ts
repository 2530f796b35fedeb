import type { AIStopReason, MeshError } from "@constellation/core";

/**
 * One exchange with a model: all that an adapter does. Limits, tool loops, validation, prices and
 * the words of errors are the client's.
 *
 * @typeParam Raw - A reply in the vendor's own form, so that it can be sent back as it came.
 */
export interface ModelPort<Raw> {
  /**
   * Sends the conversation so far, and gives the reply. Must stop when `call.signal` aborts.
   *
   * @throws MeshError for what it can name; anything else becomes `AI_UNAVAILABLE`.
   */
  exchange(request: ModelRequest<Raw>, call: ModelCall<Raw>): Promise<ModelReply<Raw>>;
}

/** A conversation, and what may be written next. */
export interface ModelRequest<Raw> {
  readonly model: string;
  readonly maxTokens: number;
  readonly system: string | undefined;
  readonly turns: readonly ModelTurn<Raw>[];
  readonly format: ModelFormat | undefined;
  readonly tools: readonly ModelTool[];
}

/** One turn: text, a reply of the model as it came, or what its tools gave. */
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

/** What one tool call gave. */
export interface ToolOutcome {
  readonly id: string;
  readonly text: string;
  readonly isError: boolean;
}

/** What an exchange may use while it lasts. */
export interface ModelCall<Raw = unknown> {
  /** Aborts with a `MeshError` as its reason. */
  readonly signal: AbortSignal;
  /** Milliseconds until it aborts at the latest; `Infinity` where nothing limits the call. */
  remainingMs(): number;
  /** Takes each piece of text. Never throws. Without it there is no need to stream. */
  readonly onText: ((text: string) => void) | undefined;
  /** Takes what this exchange has used so far; replaces the earlier count. */
  charge(usage: TokenUsage): void;
  /** The request is sent again. */
  onRetry(): void;
  /** Id and version of the prompt, for the span. */
  readonly promptId: string | undefined;
  /**
   * Why a reply cannot be used, for the span: the client itself decides what follows from it. Where a
   * reply may be anything it is absent. Never rejects.
   */
  problemOf?(reply: ModelReply<Raw>): Promise<MeshError | undefined>;
}

/** Tokens of one exchange, 0 or more. */
export interface TokenUsage {
  /** Model that answers, as its service names it. */
  readonly model: string;
  /** Everything read, cached parts included. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens?: number | undefined;
  readonly cacheWriteTokens?: number | undefined;
}

/** What the model replied. */
export interface ModelReply<Raw> {
  readonly text: string;
  readonly stopReason: AIStopReason;
  /** Model that answered. */
  readonly model: string;
  /** Tools it wants called. The conversation continues after them. */
  readonly toolCalls: readonly ToolCall[];
  readonly raw: Raw;
}

/** A tool that the model wants called. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}
