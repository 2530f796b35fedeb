import type { AIStopReason } from "@constellation/core";

/** What a server does with one request. Text alone is short for `{ text }`. */
export type ModelStep =
  | string
  | ModelAnswer
  | ((request: RecordedRequest) => string | ModelAnswer | Promise<string | ModelAnswer>);

/** Steps played one for each request, or a function that makes a step for every request. */
export type ModelScript =
  | readonly ModelStep[]
  | ((request: RecordedRequest) => string | ModelAnswer | Promise<string | ModelAnswer>);

/** One answer of a server. */
export interface ModelAnswer {
  /** What the model writes; several pieces come as such where the request streams. */
  readonly text?: string | readonly string[] | undefined;
  /** What the model writes, as JSON. */
  readonly value?: unknown;
  /** Tools it wants called. */
  readonly toolCalls?: readonly { readonly name: string; readonly input: unknown }[] | undefined;
  /** @default "end" */
  readonly stopReason?: Exclude<AIStopReason, "max-turns"> | undefined;
  /** Replaces the counts made from the length of the texts: a token for four characters. */
  readonly usage?: AnswerUsage | undefined;
  /** Model that answers; the one asked for where not given. */
  readonly model?: string | undefined;
  /** Milliseconds before anything is sent. `Infinity` never answers. @default 0 */
  readonly afterMs?: number | undefined;
  /** Milliseconds before each piece of text after the first. @default 0 */
  readonly betweenMs?: number | undefined;
  /** Answers with a failure instead, as the service words it. */
  readonly status?: number | undefined;
  /** Message of the failure. */
  readonly message?: string | undefined;
  /** Asks to wait, in a failure. Milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** Cuts the connection before the answer, or in the middle of it. */
  readonly cut?: "before" | "during" | undefined;
  /** A body to send as it is, with status 200 where no other is given. */
  readonly garbage?: string | undefined;
}

/** Tokens of an answer. */
export interface AnswerUsage {
  /** Everything read, cached parts included. */
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  readonly cacheReadTokens?: number | undefined;
  readonly cacheWriteTokens?: number | undefined;
}

/** A request as it came. */
export interface RecordedRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Its JSON, or its text where it is none. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Whether the client closed the connection before it had the whole answer. */
  readonly isClosed: boolean;
}

/** An answer with every default filled in. */
export interface PlannedAnswer extends ModelAnswer {
  readonly pieces: readonly string[];
  readonly calls: readonly {
    readonly id: string;
    readonly name: string;
    readonly input: unknown;
  }[];
  readonly tokens: { readonly [Key in keyof AnswerUsage]-?: number };
  readonly answeredBy: string;
}

/** Fills in what a step leaves out. */
export function planAnswer(
  step: string | ModelAnswer,
  body: RecordedRequest["body"],
): PlannedAnswer {
  const answer: ModelAnswer = typeof step === "string" ? { text: step } : step;
  const { text = answer.value === undefined ? "" : JSON.stringify(answer.value) } = answer;
  const pieces = typeof text === "string" ? piecesOf(text) : text;
  const calls = (answer.toolCalls ?? []).map((call) => ({ id: `call_${nextId++}`, ...call }));
  const written = pieces.join("").length + (calls.length > 0 ? JSON.stringify(calls).length : 0);
  const read =
    JSON.stringify(body.messages ?? "").length + JSON.stringify(body.system ?? "").length;
  return {
    ...answer,
    pieces,
    calls,
    tokens: {
      inputTokens: answer.usage?.inputTokens ?? Math.ceil(read / 4),
      outputTokens: answer.usage?.outputTokens ?? Math.ceil(written / 4),
      cacheReadTokens: answer.usage?.cacheReadTokens ?? 0,
      cacheWriteTokens: answer.usage?.cacheWriteTokens ?? 0,
    },
    answeredBy: answer.model ?? String(body.model ?? "scripted-model"),
  };
}

let nextId = 1;

/** Words, each with the space after it, as a model writes them. */
function piecesOf(text: string): readonly string[] {
  return text.match(/\S+\s*|\s+/g) ?? [];
}
