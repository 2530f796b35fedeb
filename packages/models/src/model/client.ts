import {
  type AIAnalysis,
  type AIAnalysisRequest,
  type AIClient,
  type AICompletion,
  type AIRequest,
  type AIToolRequest,
  type AIUsage,
  MeshError,
} from "@constellation/core";
import { estimateTokens, withDeadline } from "@constellation/core/authoring";
import { analysisOf, jsonSchemaOf } from "./analysis.js";
import { mayFallBack, withUsage } from "./failure.js";
import { createMeter, type Meter } from "./meter.js";
import type { ModelSettings } from "./model-options.js";
import type {
  ModelCall,
  ModelFormat,
  ModelPort,
  ModelReply,
  ModelTool,
  ModelTurn,
} from "./port.js";
import { callTools } from "./tools.js";

const defaultMaxTurns = 8;
const defaultMaxTokens = 4_096;

/** One call of the client: one exchange, or the several of a tool loop. */
interface Conversation<Raw> {
  readonly signal: AbortSignal;
  /** Tokens of all exchanges so far, read and written. */
  used(): number;
  exchange(part: Part<Raw>): Promise<ModelReply<Raw>>;
  complete(reply: ModelReply<Raw>): AICompletion;
}

/** What one exchange sends beside what holds for the whole conversation. */
interface Part<Raw> {
  readonly turns: readonly ModelTurn<Raw>[];
  readonly format?: ModelFormat | undefined;
  readonly tools?: readonly ModelTool[];
  readonly problemOf?: ModelCall<Raw>["problemOf"];
  /** Maximum number of tokens to write; what the request says where not given. */
  readonly maxTokens?: number;
}

/** Makes a client of a port: what every model has in common. */
export function createModelClient<Raw>(port: ModelPort<Raw>, settings: ModelSettings): AIClient {
  async function converse<Result>(
    request: AIRequest,
    talk: (conversation: Conversation<Raw>) => Promise<Result>,
  ): Promise<Result> {
    const meter = createMeter(settings.prices);
    const { signal: caller, timeoutMs = settings.timeoutMs } = request;
    const endsAt = performance.now() + timeoutMs;
    const message = "The model did not answer in time.";
    try {
      return await withDeadline({ signal: caller, timeoutMs, message }, (signal) =>
        talk(conversationOf(request, { signal, meter, endsAt })),
      );
    } catch (thrown) {
      throw withUsage(failureOf(thrown), meter.usage);
    }
  }

  function conversationOf(
    request: AIRequest,
    { signal, meter, endsAt }: { signal: AbortSignal; meter: Meter; endsAt: number },
  ): Conversation<Raw> {
    const { system } = request;
    const limit = settings.maxTokens ?? Number.POSITIVE_INFINITY;
    const maxTokens = Math.min(request.maxTokens ?? settings.maxTokens ?? defaultMaxTokens, limit);
    const models = modelsFor(request, settings);
    let isStreaming = false;
    const listener = listenerOf(request, signal);
    const onText =
      listener &&
      ((text: string) => {
        isStreaming ||= text !== "";
        listener(text);
      });

    async function exchange(part: Part<Raw>): Promise<ModelReply<Raw>> {
      const { turns, format, tools = [], problemOf, maxTokens: lowered = maxTokens } = part;
      const room = settings.contextTokens - tokensIn([system, turns, tools, format?.schema]);
      if (room < 1) throw contextTooSmall(settings.contextTokens);
      for (;;) {
        const [model = settings.model] = models;
        try {
          return await port.exchange(
            { model, maxTokens: Math.min(maxTokens, lowered, room), system, turns, format, tools },
            {
              signal,
              remainingMs: () => Math.max(0, endsAt - performance.now()),
              onText,
              charge: meter.begin(model),
              onRetry: meter.retried,
              promptId: request.promptId,
              ...(problemOf !== undefined && { problemOf }),
            },
          );
        } catch (thrown) {
          const isLast = models.length < 2 || isStreaming || signal.aborted;
          if (isLast || !mayFallBack(failureOf(thrown))) throw thrown;
          models.shift(); // for the rest of the conversation, whose replies are in its vendor's form
        }
      }
    }

    return {
      signal,
      exchange,
      used: () => tokensOf(meter.usage),
      complete: (reply) => ({
        text: reply.text,
        stopReason: reply.stopReason,
        usage: meter.usage ?? { inputTokens: 0, outputTokens: 0 },
        model: reply.model,
      }),
    };
  }

  return {
    complete: (request) =>
      converse(request, async ({ exchange, complete }) =>
        complete(await exchange({ turns: turnsOf(request) })),
      ),
    analyze: <T>(request: AIAnalysisRequest<T>): Promise<AIAnalysis<T>> =>
      converse(request, async ({ exchange, complete }) => {
        const { name = "reply", schema } = request;
        const format = { name, schema: jsonSchemaOf(schema, `the schema "${name}"`) };
        let read: Promise<AIAnalysis<T>> | undefined;
        const reply = await exchange({
          turns: turnsOf(request),
          format,
          problemOf(written) {
            read = analysisOf(complete(written), request);
            return read.then(() => undefined, failureOf);
          },
        });
        return read ?? analysisOf(complete(reply), request);
      }),
    model: settings.model,
    ...(Number.isFinite(settings.contextTokens) && { contextTokens: settings.contextTokens }),
    ...(settings.maxTokens !== undefined && { maxTokens: settings.maxTokens }),
    priceOf(model = settings.model) {
      const price = Object.hasOwn(settings.prices, model) ? settings.prices[model] : undefined;
      return price && { inputUsd: price.input / 1e6, outputUsd: price.output / 1e6 };
    },
    runTools: (request) =>
      converse(request, async (conversation) => {
        const { reply, isDone } = await loop(request, conversation);
        const completion = conversation.complete(reply);
        return isDone ? completion : { ...completion, stopReason: "max-turns" };
      }),
  };
}

/** Talks until the model calls no more tools, or `maxTurns` replies have come. */
async function loop<Raw>(
  request: AIToolRequest,
  { exchange, signal, used }: Conversation<Raw>,
): Promise<{ readonly reply: ModelReply<Raw>; readonly isDone: boolean }> {
  const { maxTurns = defaultMaxTurns, maxTotalTokens = Infinity } = request;
  const tools = request.tools.map(({ name, description, input }) => ({
    name,
    description,
    schema: jsonSchemaOf(input, `the input of tool "${name}"`),
  }));
  const turns: ModelTurn<Raw>[] = [...turnsOf<Raw>(request)];
  let reads = tokensIn([request.system, turns, tools]);
  for (let turn = 1; ; turn++) {
    const before = used();
    const maxTokens = Math.floor(maxTotalTokens - before - reads);
    if (maxTokens < 1) throw overBudget();
    const reply = await exchange({ turns, tools, maxTokens });
    // A call that was cut off may lack a part of its input.
    if (reply.toolCalls.length === 0 || reply.stopReason !== "end") return { reply, isDone: true };
    if (turn >= maxTurns) return { reply, isDone: false };
    const results = await callTools(reply.toolCalls, request.tools, signal);
    turns.push({ role: "model", raw: reply.raw }, { role: "tools", results });
    // The next reply reads all of this one again, and what the tools gave.
    reads = used() - before + tokensIn(results);
  }
}

/** The models to ask, in order: the one the request names, the small one, or the default; then fallbacks. */
function modelsFor({ model, task }: AIRequest, settings: ModelSettings): string[] {
  const small = task === "small" ? settings.smallModel : undefined;
  const first = model ?? small ?? settings.model;
  return [...new Set([first, ...settings.fallbackModels])];
}

function contextTooSmall(contextTokens: number): MeshError {
  return new MeshError("AI_UNAVAILABLE", "The request does not fit the model's context.", {
    suggestion: "Send less, or raise contextTokens if the model has a larger context.",
    details: {
      problem: `the request leaves no room in ${contextTokens} tokens`,
      stopReason: "context-full",
    },
  });
}

function tokensIn(value: unknown): number {
  return estimateTokens(JSON.stringify(value) ?? "");
}

function tokensOf(usage: AIUsage | undefined): number {
  return usage === undefined ? 0 : usage.inputTokens + usage.outputTokens;
}

function overBudget(): MeshError {
  return new MeshError(
    "AI_UNAVAILABLE",
    "The next reply could go beyond the budget of the tool loop.",
    {
      reason: "budget-exceeded",
      suggestion: "Give the run more tokens, or let tools return less.",
    },
  );
}

function turnsOf<Raw>({ prompt }: AIRequest): readonly ModelTurn<Raw>[] {
  return typeof prompt === "string" ? [{ role: "user", text: prompt }] : prompt;
}

/** A listener that is not called after the end, and cannot break the call. */
function listenerOf(
  { onText }: AIRequest,
  signal: AbortSignal,
): ((text: string) => void) | undefined {
  if (onText === undefined) return undefined;
  return (text) => {
    if (signal.aborted || text === "") return;
    try {
      onText(text);
    } catch {
      // Exceptions thrown by a listener are caught.
    }
  };
}

/** What a port threw may hold a key, a header or the query: only a `MeshError` is forwarded. */
function failureOf(thrown: unknown): MeshError {
  return thrown instanceof MeshError
    ? thrown
    : new MeshError("AI_UNAVAILABLE", "The model failed.");
}
