import type { ZodType } from "zod";
import { withoutUndefined } from "./unknown-value.js";

/**
 * The port to a language model. Adapters implement it; librarians reach a model only through
 * `context.ai`.
 *
 * Every method rejects with a `MeshError` and nothing else: `AI_UNAVAILABLE` (failed, refused by
 * the budget), `RATE_LIMITED`, or `TIMEOUT` (deadline, or cancelled through `signal`). Where the
 * model was charged all the same, `details.usage` holds an {@link AIUsage}.
 */
export interface AIClient {
  /** Writes text. */
  complete(request: AIRequest): Promise<AICompletion>;
  /**
   * Fills in a schema. The value has passed the schema. A reply that does not pass rejects with `AI_UNAVAILABLE`,
   * with what is wrong in `details.problem`, and the reply, cut to 10,000 characters, in `details.text`.
   */
  analyze<T>(request: AIAnalysisRequest<T>): Promise<AIAnalysis<T>>;
  /** Lets the model call tools until it is done, or `maxTurns` is reached. */
  runTools(request: AIToolRequest): Promise<AICompletion>;
  /** Id of the model used where a request names none, for display. */
  readonly model?: string | undefined;
  /**
   * Maximum number of tokens of a request and its reply together, where it is configured: prompts are
   * cut to it by whole sections (`fitSections` of `@constellation/authoring`).
   */
  readonly contextTokens?: number | undefined;
  /** Maximum number of tokens of a reply, where it is configured: no request gets more. */
  readonly maxTokens?: number | undefined;
  /**
   * The price of a model, so that a budget in US dollars can be reserved before a call. Without it the
   * router learns prices from `usage.costUsd`, and calls one after another until it knows one.
   *
   * @param model - Id of the model; the client's default where not given.
   * @returns `undefined` where the price is not known. Never throws.
   */
  findPrice?(model?: string): AIPrice | undefined;
}

/** Price of a model, in US dollars per token, 0 or more. */
export interface AIPrice {
  readonly inputUsd: number;
  readonly outputUsd: number;
}

/** One call of a model. */
export interface AIRequest {
  /** Instructions, the same for many calls: kept apart so that it can be cached. */
  readonly system?: string | undefined;
  /** The prompt: one text, or the turns of a conversation, of which the last is the user's. */
  readonly prompt: string | readonly AIMessage[];
  /** Model id; the client's default where not given. */
  readonly model?: string | undefined;
  /**
   * Names the prompt on spans, in events and records: `docs.answer`. A version, made of `system`, is
   * added there, so that runs before and after a change of the prompt can be compared.
   */
  readonly promptId?: string | undefined;
  /**
   * Set when the previous reply could not be used, for records: `attempt` counts from 2, `why` is cut to 1,000
   * characters.
   */
  readonly again?: { readonly attempt: number; readonly why: string } | undefined;
  /** How demanding the task is: a `small` one may go to a cheaper model, where the client has one. */
  readonly task?: "small" | undefined;
  /**
   * Maximum number of tokens to write. Integer, 1 or more.
   *
   * @default 4_096
   */
  readonly maxTokens?: number | undefined;
  /** Ends the call. Pass `context.signal`, so that the call ends with the hop. */
  readonly signal?: AbortSignal | undefined;
  /** Maximum time for the call, in milliseconds. Pass `context.remainingMs()`. */
  readonly timeoutMs?: number | undefined;
  /** Called with each piece of text as it is written. */
  readonly onText?: ((text: string) => void) | undefined;
}

/** One turn of a conversation. */
export interface AIMessage {
  readonly role: "user" | "assistant";
  readonly text: string;
}

/** A call whose reply must fit a schema. */
export interface AIAnalysisRequest<T> extends AIRequest {
  /** Schema of the reply, an object. */
  readonly schema: ZodType<T>;
  /** Name of the schema for the model: 1 to 64 letters, digits, `_` and `-`. */
  readonly name?: string | undefined;
}

/** A call during which the model may use tools. */
export interface AIToolRequest extends AIRequest {
  readonly tools: readonly AITool[];
  /**
   * Maximum number of replies of the model. Integer, 1 or more.
   *
   * @default 8
   */
  readonly maxTurns?: number | undefined;
  /**
   * Maximum number of tokens of all replies together, read and written: what tools return is read again for each
   * later reply. Before a reply that could go beyond it the loop ends with `AI_UNAVAILABLE`, reason
   * `budget-exceeded`. `context.ai` sets it to what is left of the run's budget.
   *
   * @default Infinity
   */
  readonly maxTotalTokens?: number | undefined;
}

/** A tool that the model may call. */
export interface AITool {
  /** 1 to 64 letters, digits, `_` and `-`. */
  readonly name: string;
  readonly description: string;
  /** Schema of the input. Input that does not pass never reaches `run`; the model gets the reason. */
  readonly input: ZodType;
  /** Returns the result as text. An exception reaches the model only as "the tool failed". */
  run(input: unknown, options: { readonly signal: AbortSignal }): Promise<string>;
}

/** Text of a model, with the stop reason and the usage. */
export interface AICompletion {
  readonly text: string;
  readonly stopReason: AIStopReason;
  readonly usage: AIUsage;
  /** Model that answered. */
  readonly model: string;
}

/** A completion whose text has passed the schema. */
export interface AIAnalysis<T> extends AICompletion {
  readonly value: T;
}

/**
 * Why the model stopped: it was done, it reached `maxTokens`, it met a stop sequence, it refused,
 * its context was full, or `maxTurns` of a tool loop were used up.
 */
export type AIStopReason =
  | "end"
  | "max-tokens"
  | "stop-sequence"
  | "refusal"
  | "context-full"
  | "max-turns";

/** Usage of one call, or of all calls of a tool loop together, in tokens, 0 or more. */
export interface AIUsage {
  /** Input tokens, cached parts included. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Part of `inputTokens` that came from a cache. */
  readonly cacheReadTokens?: number | undefined;
  /** Part of `inputTokens` that was put into a cache. */
  readonly cacheWriteTokens?: number | undefined;
  /** US dollars, where the client knows prices. */
  readonly costUsd?: number | undefined;
  /** Requests that were sent again because the service was busy. Absent: none. */
  readonly retries?: number | undefined;
  /**
   * True where the service reported no tokens, or impossible numbers: what is missing is estimated
   * from the texts of the call, at one token for three bytes.
   */
  readonly estimated?: true | undefined;
}

/** Limits on what a run, or a part of it, may spend on models. 0 allows nothing; absent: no limit. */
export interface Budget {
  /** Tokens, input and output together. 0 or more. */
  readonly tokens?: number | undefined;
  /** US dollars. 0 or more. */
  readonly costUsd?: number | undefined;
}

/**
 * Called in place of a call of a model. `call` makes it, with the same request or another one.
 *
 * @beta
 */
export type AroundCall = <Request extends AnyRequest, Result extends AICompletion>(
  method: "complete" | "analyze" | "runTools",
  request: Request,
  call: (request: Request) => Promise<Result>,
) => Promise<Result>;

/**
 * A request of any method.
 *
 * @beta
 */
export type AnyRequest = AIRequest & Partial<AIAnalysisRequest<unknown> & AIToolRequest>;

/**
 * Wraps a client: each of its calls goes through a function.
 *
 * @beta
 */
export function withCalls(client: AIClient, around: AroundCall): AIClient {
  const { model, contextTokens, maxTokens } = client;
  return {
    complete: (request) => around("complete", request, (each) => client.complete(each)),
    analyze: (request) => around("analyze", request, (each) => client.analyze(each)),
    runTools: (request) => around("runTools", request, (each) => client.runTools(each)),
    ...withoutUndefined({ model, contextTokens, maxTokens }),
    ...(client.findPrice !== undefined && { findPrice: (id) => client.findPrice?.(id) }),
  };
}

/**
 * The same request, with each tool wrapped by `wrap`.
 *
 * @beta
 */
export function withTools<Request extends AnyRequest>(
  request: Request,
  wrap: (run: AITool["run"]) => AITool["run"],
): Request {
  const tools = request.tools?.map((tool): AITool => {
    const { name, description, input } = tool;
    return { name, description, input, run: wrap((given, options) => tool.run(given, options)) };
  });
  return tools === undefined ? request : { ...request, tools };
}
