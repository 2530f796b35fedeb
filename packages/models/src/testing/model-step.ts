import type { AIStopReason } from "@constellation/core";

/** What a server does with one request. Text alone is short for `{ text }`. */
export type ModelStep =
  | string
  | ModelAnswer
  | ((request: RecordedRequest) => string | ModelAnswer | Promise<string | ModelAnswer>);

/** Steps, one for each request in order, or a function that creates a step for each request. */
export type ModelScript =
  | readonly ModelStep[]
  | ((request: RecordedRequest) => string | ModelAnswer | Promise<string | ModelAnswer>);

/** One answer of a server. */
export interface ModelAnswer {
  /** Text that the model writes. If the request streams, several pieces are sent one by one. */
  readonly text?: string | readonly string[] | undefined;
  /** Value that the model writes as JSON. */
  readonly value?: unknown;
  /** Tool calls that the model requests. */
  readonly toolCalls?: readonly { readonly name: string; readonly input: unknown }[] | undefined;
  /** @default "end" */
  readonly stopReason?: Exclude<AIStopReason, "max-turns"> | undefined;
  /** Replaces the estimated counts: one token per four characters. */
  readonly usage?: AnswerUsage | undefined;
  /** The answering model. Default: the requested one. */
  readonly model?: string | undefined;
  /** Milliseconds before anything is sent. With `Infinity` the server never answers. @default 0 */
  readonly afterMs?: number | undefined;
  /** Milliseconds before each piece of text after the first. @default 0 */
  readonly betweenMs?: number | undefined;
  /** Status of a failure to answer with instead, in the service's form. */
  readonly status?: number | undefined;
  /** Message of the failure. */
  readonly message?: string | undefined;
  /** Wait that a failure asks for, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** Closes the connection before the answer or in the middle of it. */
  readonly cut?: "before" | "during" | undefined;
  /** A body to send unchanged. Its status is 200 unless `status` is set. */
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

/** A received request. */
export interface RecordedRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Its parsed JSON, or its text where that is not JSON. */
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
  const pieces = typeof text === "string" ? splitPieces(text) : text;
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
function splitPieces(text: string): readonly string[] {
  return text.match(/\S+\s*|\s+/g) ?? [];
}
