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
import { analysisOf, jsonSchemaOf } from "./analysis.js";
import { limitCall, orAbort } from "./call-limits.js";
import { withUsage } from "./failure.js";
import { createMeter, type ModelPrices } from "./meter.js";
import type { ModelFormat, ModelPort, ModelReply, ModelTool, ModelTurn } from "./port.js";
import { callTools } from "./tools.js";

/** What holds for every call of a client, where a request does not say. */
export interface ModelSettings {
  readonly model: string;
  readonly maxTokens: number;
  /** Milliseconds, or `Infinity`. */
  readonly timeoutMs: number;
  /** By model id. */
  readonly prices: Readonly<Record<string, ModelPrices>>;
}

const defaultMaxTurns = 8;

/** One call of the client: one exchange, or the several of a tool loop. */
interface Conversation<Raw> {
  readonly signal: AbortSignal;
  /** Tokens of all exchanges so far, read and written. */
  used(): number;
  exchange(said: Said<Raw>): Promise<ModelReply<Raw>>;
  complete(reply: ModelReply<Raw>): AICompletion;
}

interface Said<Raw> {
  readonly turns: readonly ModelTurn<Raw>[];
  readonly format?: ModelFormat | undefined;
  readonly tools?: readonly ModelTool[];
  /** Most tokens to write; what the request says where not given. */
  readonly maxTokens?: number;
}

/** Makes a client of a port: what every model has in common. */
export function createModelClient<Raw>(port: ModelPort<Raw>, settings: ModelSettings): AIClient {
  async function converse<Result>(
    request: AIRequest,
    talk: (conversation: Conversation<Raw>) => Promise<Result>,
  ): Promise<Result> {
    const { model = settings.model, maxTokens = settings.maxTokens, system } = request;
    const limits = limitCall(request.signal, request.timeoutMs ?? settings.timeoutMs);
    const meter = createMeter(settings.prices);
    const { signal } = limits;
    const conversation: Conversation<Raw> = {
      signal,
      used: () => tokensOf(meter.usage),
      exchange: ({ turns, format, tools = [], maxTokens: lowered = maxTokens }) =>
        port.exchange(
          { model, maxTokens: Math.min(maxTokens, lowered), system, turns, format, tools },
          {
            signal,
            remainingMs: limits.remainingMs,
            onText: listenerOf(request, signal),
            charge: meter.begin(model),
          },
        ),
      complete: (reply) => ({
        text: reply.text,
        stopReason: reply.stopReason,
        usage: meter.usage ?? { inputTokens: 0, outputTokens: 0 },
        model: reply.model,
      }),
    };
    try {
      return await orAbort(signal, () => talk(conversation));
    } catch (thrown) {
      throw withUsage(failureOf(signal.aborted ? signal.reason : thrown), meter.usage);
    } finally {
      limits.end();
    }
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
        const reply = await exchange({ turns: turnsOf(request), format });
        return analysisOf(complete(reply), request);
      }),
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

/** Tokens of what a model will read: one for three bytes, which is more than usual. */
function tokensIn(value: unknown): number {
  return Math.ceil(Buffer.byteLength(JSON.stringify(value) ?? "") / 3);
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

/** A listener that hears nothing after the end, and cannot break the call. */
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
      // Who listens does not decide.
    }
  };
}

/** What a port threw may hold a key, a header or the query: only a `MeshError` is passed on. */
function failureOf(thrown: unknown): MeshError {
  return thrown instanceof MeshError
    ? thrown
    : new MeshError("AI_UNAVAILABLE", "The model failed.");
}
