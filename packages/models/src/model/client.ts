import { estimateTokens } from "@constellation/authoring";
import {
  type AIAnalysis,
  type AIAnalysisRequest,
  type AIClient,
  type AICompletion,
  type AIRequest,
  type AIToolRequest,
  type AIUsage,
  MeshError,
  withDeadline,
} from "@constellation/core";
import { checkUsage } from "@constellation/core/checks";
import { parseAnalysis, toObjectSchema } from "./analysis.js";
import { mayFallBack, withUsage } from "./failure.js";
import { findListedPrice } from "./listed-prices.js";
import { createMeter, type Meter } from "./meter.js";
import type { ModelSettings } from "./model-options.js";
import type {
  ModelCall,
  ModelFormat,
  ModelPort,
  ModelReply,
  ModelTool,
  ModelTurn,
  TokenUsage,
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

/** The parts of a request that differ between the exchanges of a conversation. */
interface Part<Raw> {
  readonly turns: readonly ModelTurn<Raw>[];
  readonly format?: ModelFormat | undefined;
  readonly tools?: readonly ModelTool[];
  readonly findProblem?: ModelCall<Raw>["findProblem"];
  /** Maximum number of tokens to write. Default: the request's maximum. */
  readonly maxTokens?: number;
}

/** Creates a client from a port. It contains everything that all models share. */
export function createPortClient<Raw>(port: ModelPort<Raw>, settings: ModelSettings): AIClient {
  async function converse<Result>(
    request: AIRequest,
    talk: (conversation: Conversation<Raw>) => Promise<Result>,
  ): Promise<Result> {
    const meter = createMeter(settings.prices, settings.priceList);
    const { signal: caller, timeoutMs = settings.timeoutMs } = request;
    const endsAt = performance.now() + timeoutMs;
    const message = "The model did not answer in time.";
    try {
      return await withDeadline({ signal: caller, timeoutMs, message }, (signal) =>
        talk(createConversation(request, { signal, meter, endsAt })),
      );
    } catch (thrown) {
      const failure = toMeshError(thrown);
      const isStopped = failure.code === "TIMEOUT";
      throw withUsage(failure, isStopped ? meter.usageWhenStopped : meter.usage);
    }
  }

  function createConversation(
    request: AIRequest,
    { signal, meter, endsAt }: { signal: AbortSignal; meter: Meter; endsAt: number },
  ): Conversation<Raw> {
    const { system } = request;
    const limit = settings.maxTokens ?? Number.POSITIVE_INFINITY;
    const maxTokens = Math.min(request.maxTokens ?? settings.maxTokens ?? defaultMaxTokens, limit);
    const models = modelsFor(request, settings);
    let isStreaming = false;
    const listener = createTextListener(request, signal);
    const onText =
      listener &&
      ((text: string) => {
        isStreaming ||= text !== "";
        listener(text);
      });

    async function exchange(part: Part<Raw>): Promise<ModelReply<Raw>> {
      const { turns, format, tools = [], findProblem, maxTokens: lowered = maxTokens } = part;
      const room = settings.contextTokens - tokensIn([system, turns, tools, format?.schema]);
      if (room < 1) throw contextTooSmall(settings.contextTokens);
      for (;;) {
        const [model = settings.model] = models;
        const sent = [system, turns, tools, format?.schema];
        const reads = toUsage(undefined, sent, { text: "", toolCalls: [] });
        const charge = meter.begin(model, { model, ...reads });
        let charged: TokenUsage | undefined;
        try {
          const reply = await port.exchange(
            { model, maxTokens: Math.min(maxTokens, lowered, room), system, turns, format, tools },
            {
              signal,
              remainingMs: () => Math.max(0, endsAt - performance.now()),
              onText,
              charge(used) {
                charged = used;
                charge(used);
              },
              onRetry: meter.retried,
              promptId: request.promptId,
              ...(findProblem !== undefined && { findProblem }),
            },
          );
          charge({ model: reply.model, ...charged, ...toUsage(charged, sent, reply) });
          return reply;
        } catch (thrown) {
          const isLast = models.length < 2 || isStreaming || signal.aborted;
          if (isLast || !mayFallBack(toMeshError(thrown))) throw thrown;
          models.shift(); // for the rest of the conversation, whose replies are in one vendor's form
        }
      }
    }

    return {
      signal,
      exchange,
      used: () => countTokens(meter.usage),
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
        complete(await exchange({ turns: toTurns(request) })),
      ),
    analyze: <T>(request: AIAnalysisRequest<T>): Promise<AIAnalysis<T>> =>
      converse(request, async ({ exchange, complete }) => {
        const { name = "reply", schema } = request;
        const format = { name, schema: toObjectSchema(schema, `the schema "${name}"`) };
        let read: Promise<AIAnalysis<T>> | undefined;
        const reply = await exchange({
          turns: toTurns(request),
          format,
          findProblem(written) {
            read = parseAnalysis(complete(written), request);
            return read.then(() => undefined, toMeshError);
          },
        });
        return read ?? parseAnalysis(complete(reply), request);
      }),
    model: settings.model,
    ...(Number.isFinite(settings.contextTokens) && { contextTokens: settings.contextTokens }),
    ...(settings.maxTokens !== undefined && { maxTokens: settings.maxTokens }),
    findPrice(model = settings.model) {
      const price = Object.hasOwn(settings.prices, model) ? settings.prices[model] : undefined;
      if (price !== undefined) {
        return { inputUsd: price.input / 1e6, outputUsd: price.output / 1e6 };
      }
      return settings.priceList && findListedPrice(model, settings.priceList);
    },
    runTools: (request) =>
      converse(request, async (conversation) => {
        const { reply, isDone } = await loop(request, conversation);
        const completion = conversation.complete(reply);
        return isDone ? completion : { ...completion, stopReason: "max-turns" };
      }),
  };
}

/** Continues until the model calls no more tools, or has sent `maxTurns` replies. */
async function loop<Raw>(
  request: AIToolRequest,
  { exchange, signal, used }: Conversation<Raw>,
): Promise<{ readonly reply: ModelReply<Raw>; readonly isDone: boolean }> {
  const { maxTurns = defaultMaxTurns, maxTotalTokens = Infinity } = request;
  const tools = request.tools.map(({ name, description, input }) => ({
    name,
    description,
    schema: toObjectSchema(input, `the input of tool "${name}"`),
  }));
  const turns: ModelTurn<Raw>[] = [...toTurns<Raw>(request)];
  let reads = tokensIn([request.system, turns, tools]);
  for (let turn = 1; ; turn++) {
    const before = used();
    const maxTokens = Math.floor(maxTotalTokens - before - reads);
    if (maxTokens < 1) throw overBudget();
    const reply = await exchange({ turns, tools, maxTokens });
    // A truncated tool call may lack a part of its input.
    if (reply.toolCalls.length === 0 || reply.stopReason !== "end") return { reply, isDone: true };
    if (turn >= maxTurns) return { reply, isDone: false };
    const results = await callTools(reply.toolCalls, request.tools, signal);
    turns.push({ role: "model", raw: reply.raw }, { role: "tools", results });
    // The next exchange reads this whole reply again, and the results of the tools.
    reads = used() - before + tokensIn(results);
  }
}

/** The models to use, in order: the requested, small or default model, then the fallbacks. */
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

/** The usage of an exchange as its service reports it, where that is plausible. */
function toUsage(
  charged: TokenUsage | undefined,
  sent: unknown,
  { text, toolCalls }: Pick<ModelReply<unknown>, "text" | "toolCalls">,
): AIUsage {
  return checkUsage(charged, {
    readBytes: bytesIn(sent),
    writtenBytes: bytesIn(text) + (toolCalls.length === 0 ? 0 : bytesIn(toolCalls)),
  });
}

function bytesIn(value: unknown): number {
  return Buffer.byteLength(typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
}

function tokensIn(value: unknown): number {
  return estimateTokens(JSON.stringify(value) ?? "");
}

function countTokens(usage: AIUsage | undefined): number {
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

function toTurns<Raw>({ prompt }: AIRequest): readonly ModelTurn<Raw>[] {
  return typeof prompt === "string" ? [{ role: "user", text: prompt }] : prompt;
}

/** A listener that is not called after the end, and cannot break the call. */
function createTextListener(
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

/** Errors of a port may hold a key, a header or the query. Only a `MeshError` is forwarded. */
function toMeshError(thrown: unknown): MeshError {
  return thrown instanceof MeshError
    ? thrown
    : new MeshError("AI_UNAVAILABLE", "The model failed.");
}
