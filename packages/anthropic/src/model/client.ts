import {
  type AIAnalysis,
  type AIAnalysisRequest,
  type AIClient,
  type AICompletion,
  type AIRequest,
  type AIToolRequest,
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
  exchange(said: Said<Raw>): Promise<ModelReply<Raw>>;
  complete(reply: ModelReply<Raw>): AICompletion;
}

interface Said<Raw> {
  readonly turns: readonly ModelTurn<Raw>[];
  readonly format?: ModelFormat | undefined;
  readonly tools?: readonly ModelTool[];
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
      exchange: ({ turns, format, tools = [] }) =>
        port.exchange(
          { model, maxTokens, system, turns, format, tools },
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
  { exchange, signal }: Conversation<Raw>,
): Promise<{ readonly reply: ModelReply<Raw>; readonly isDone: boolean }> {
  const { maxTurns = defaultMaxTurns } = request;
  const tools = request.tools.map(({ name, description, input }) => ({
    name,
    description,
    schema: jsonSchemaOf(input, `the input of tool "${name}"`),
  }));
  const turns: ModelTurn<Raw>[] = [...turnsOf<Raw>(request)];
  for (let turn = 1; ; turn++) {
    const reply = await exchange({ turns, tools });
    // A call that was cut off may lack a part of its input.
    if (reply.toolCalls.length === 0 || reply.stopReason !== "end") return { reply, isDone: true };
    if (turn >= maxTurns) return { reply, isDone: false };
    const results = await callTools(reply.toolCalls, request.tools, signal);
    turns.push({ role: "model", raw: reply.raw }, { role: "tools", results });
  }
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
