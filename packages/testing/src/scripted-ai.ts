import { pause } from "@constellation/authoring";
import type {
  AIAnalysis,
  AIAnalysisRequest,
  AIClient,
  AICompletion,
  AIRequest,
  AIToolRequest,
  AIUsage,
} from "@constellation/core";
import { deadlineError, MeshError, withDeadline } from "@constellation/core";
import type { AIMethod, AIReply, AIScript } from "./ai-script.js";
import { ScriptError } from "./script-error.js";
import { playTools, type ToolResult } from "./scripted-tools.js";

/** One call of a scripted client. */
export interface AICall {
  readonly method: AIMethod;
  /** As the librarian made it: `schema`, `tools` and `maxTurns` are there where the method takes them. */
  readonly request: AIRequest & Partial<AIAnalysisRequest<unknown>> & Partial<AIToolRequest>;
  /** Results of its tools, in call order. Empty for the other methods. */
  readonly toolResults: readonly ToolResult[];
}

/** A model client that plays back a script. */
export interface ScriptedAI extends AIClient {
  /** Its calls so far, oldest first: those refused for an aborted signal too. */
  readonly calls: readonly AICall[];
  /** Usage of all calls together. */
  readonly usage: Required<Pick<AIUsage, "inputTokens" | "outputTokens" | "costUsd">>;
  /**
   * Checks that every step was played, and that no call was without a step.
   *
   * @throws ScriptError naming the steps not played, or the calls that had no step.
   */
  assertComplete(): void;
}

const model = "scripted-model";
const defaultMaxTurns = 8;
/** Maximum number of characters of a reply in an error, as in the contract. */
const replyLength = 10_000;

/**
 * Makes a model client that plays back replies, one for each call, and behaves as a real one: it
 * checks an analysis against the request's schema, runs tools, streams to `onText`, ends with its
 * signal and its time limit, and rejects with a `MeshError` and nothing else.
 *
 * Usage that a step does not name is one token for four characters. A call without a step rejects
 * with `AI_UNAVAILABLE`, and `assertComplete` reports it.
 *
 * @param script - Steps played in order, or a function that makes a step for each call.
 *
 * @example
 * ```ts
 * const ai = scriptedAI([{ value: { answer: "Restart it.", confidence: "high" } }, aiRateLimit()]);
 * const response = await librarian("what now?", testContext({ ai }));
 * ai.assertComplete();
 * ```
 */
export function scriptedAI(script: AIScript): ScriptedAI {
  const calls: AICall[] = [];
  const total = { inputTokens: 0, outputTokens: 0, costUsd: 0 };
  const unexpected: string[] = [];
  let played = 0;

  async function nextReply(method: AIMethod, request: AIRequest): Promise<AIReply> {
    const step = typeof script === "function" ? script : script[played];
    if (step === undefined) throw unplanned(method, "the script has no step left");
    played++;
    const reply = typeof step === "function" ? await step(request, method) : step;
    if (typeof reply === "string") return { text: reply };
    if (reply.only !== undefined && reply.only !== method) {
      throw unplanned(method, `step ${played} is for ${reply.only}`);
    }
    return reply;
  }

  function unplanned(method: AIMethod, why: string): MeshError {
    unexpected.push(`${method} (${why})`);
    return new MeshError("AI_UNAVAILABLE", `The scripted model was not to be called: ${why}.`);
  }

  /** Plays one step. `finish` makes the result of it, and may reject. */
  async function play<Result>(
    method: AIMethod,
    request: AIRequest,
    finish: (reply: AIReply, completion: AICompletion) => Promise<Result>,
    toolResults: readonly ToolResult[] = [],
  ): Promise<Result> {
    calls.push({ method, request, toolResults });
    try {
      return await withDeadline({ signal: request.signal }, async () => {
        const reply = await nextReply(method, request);
        await takeTime(reply, request);
        const usage = estimateUsage(reply, request);
        if (reply.error === undefined || reply.usage !== undefined) {
          total.inputTokens += usage.inputTokens;
          total.outputTokens += usage.outputTokens;
          total.costUsd += usage.costUsd ?? 0;
        }
        if (reply.error !== undefined) throw reply.error;
        const text = toReplyText(reply);
        if (text !== "") request.onText?.(text);
        const { stopReason = "end" } = reply;
        return finish(reply, { text, stopReason, usage, model: reply.model ?? model });
      });
    } catch (thrown) {
      throw asMeshError(thrown);
    }
  }

  return {
    calls,
    usage: total,
    complete: (request) => play("complete", request, async (_reply, completion) => completion),
    analyze: (request) =>
      play("analyze", request, (reply, completion) => toAnalysis(reply, completion, request)),
    async runTools(request) {
      const toolResults: ToolResult[] = [];
      return play(
        "runTools",
        request,
        async ({ toolCalls = [] }, completion) => {
          const { maxTurns = defaultMaxTurns } = request;
          await playTools(toolCalls.slice(0, maxTurns), request, toolResults);
          // Each tool call is one reply of the model, the text another.
          return toolCalls.length < maxTurns
            ? completion
            : { ...completion, text: "", stopReason: "max-turns" };
        },
        toolResults,
      );
    },
    assertComplete() {
      const left = typeof script === "function" ? 0 : Math.max(0, script.length - played);
      const problems = [
        left > 0 ? `${left} of ${script.length} steps not played` : "",
        unexpected.length > 0 ? `called without a step: ${unexpected.join(", ")}` : "",
      ].filter((problem) => problem !== "");
      if (problems.length > 0) throw new ScriptError(`model: ${problems.join("; ")}`);
    },
  };
}

/** Waits as long as the reply takes, or as the request allows. */
async function takeTime({ afterMs = 0 }: AIReply, request: AIRequest): Promise<void> {
  const { signal, timeoutMs = Number.POSITIVE_INFINITY } = request;
  if (afterMs <= timeoutMs) {
    if (afterMs > 0) await pause(afterMs, signal);
  } else {
    await pause(timeoutMs, signal);
    throw deadlineError();
  }
}

async function toAnalysis<T>(
  reply: AIReply,
  completion: AICompletion,
  { schema }: AIAnalysisRequest<T>,
): Promise<AIAnalysis<T>> {
  const written = "value" in reply ? reply.value : parseJson(completion.text);
  const checked = await schema.safeParseAsync(written);
  if (checked.success && completion.stopReason !== "refusal") {
    return { ...completion, value: checked.data };
  }
  throw new MeshError("AI_UNAVAILABLE", "The model's reply does not fit the schema.", {
    details: {
      problem: checked.success ? "the model refused" : (checked.error.issues[0]?.message ?? ""),
      text: completion.text.slice(0, replyLength),
      stopReason: completion.stopReason,
      usage: completion.usage,
    },
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function toReplyText({ text, value }: AIReply): string {
  if (text !== undefined) return text;
  return value === undefined ? "" : (JSON.stringify(value) ?? "");
}

function estimateUsage(reply: AIReply, { system = "", prompt }: AIRequest): AIUsage {
  const read = typeof prompt === "string" ? prompt : prompt.map(({ text }) => text).join("");
  return {
    inputTokens: Math.ceil((system.length + read.length) / 4),
    outputTokens: Math.ceil(toReplyText(reply).length / 4),
    ...reply.usage,
  };
}

/** The contract allows nothing else. */
function asMeshError(thrown: unknown): MeshError {
  if (thrown instanceof MeshError) return thrown;
  return new MeshError("AI_UNAVAILABLE", "The model failed.", { cause: thrown });
}
