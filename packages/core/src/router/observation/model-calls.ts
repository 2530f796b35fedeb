import { createHash } from "node:crypto";
import {
  type AIClient,
  type AICompletion,
  type AIRequest,
  type AIUsage,
  withCalls,
} from "../../contract/ai-client.js";
import { MeshError } from "../../contract/mesh-error.js";
import { isRecord, withoutUndefined } from "../../contract/unknown-value.js";
import type { ModelContent, ModelMethod } from "../../events/events.js";

/** One call of a model, as it begins. */
export interface ModelCallStart {
  readonly method: ModelMethod;
  /** Id of the model that was asked for; absent where the client does not name its own. */
  readonly model: string | undefined;
  /** Id and version of the prompt; absent where the request names none. */
  readonly promptId: string | undefined;
  /** From 2, where the previous reply could not be used. */
  readonly attempt: number | undefined;
}

/** One call of a model that has ended. */
export interface ModelCallEnd extends ModelCallStart {
  readonly durationMs: number;
  /** What was charged. */
  readonly usage: AIUsage | undefined;
  readonly stopReason: AICompletion["stopReason"] | undefined;
  readonly error: MeshError | undefined;
  readonly content: ModelContent;
}

/** Maximum length of one text of {@link ModelContent}, in characters. */
const maxTextLength = 65_536;

/**
 * Wraps a client, so that its calls are reported.
 *
 * @param started - Called when a call begins. @returns Called once it is over. Neither throws.
 */
export function observeModel(
  client: AIClient,
  started: (call: ModelCallStart) => (end: ModelCallEnd) => void,
): AIClient {
  return withCalls(client, async (method, request, call) => {
    const promptId = promptVersion(request.promptId, request.system);
    const model = shortText(request.model) ?? shortText(client.model);
    const start = { method, model, promptId, attempt: request.again?.attempt };
    const ended = started(start);
    const startedAt = performance.now();
    const over = () => ({ ...start, durationMs: performance.now() - startedAt });
    try {
      const result = await call(promptId === undefined ? request : { ...request, promptId });
      ended({ ...over(), ...describeSuccess(result, request) });
      return result;
    } catch (thrown) {
      ended({ ...over(), ...describeFailure(thrown, request) });
      throw thrown;
    }
  });
}

type Ended = Omit<ModelCallEnd, keyof ModelCallStart | "durationMs">;

/** @param result - Of any client: may be anything. */
function describeSuccess(result: unknown, request: AIRequest): Ended & { model?: string } {
  const { model, usage, stopReason, text } = isRecord(result) ? result : {};
  return {
    ...withoutUndefined({ model: shortText(model) }),
    usage: isRecord(usage) ? (usage as unknown as AIUsage) : undefined, // amounts are checked when they are added
    stopReason: shortText(stopReason) as AICompletion["stopReason"] | undefined,
    error: undefined,
    content: readContent(request, text),
  };
}

function describeFailure(thrown: unknown, request: AIRequest): Ended {
  const error = MeshError.copyOf(thrown) ?? new MeshError("AI_UNAVAILABLE", "The model failed.");
  const { usage, text, problem } = error.details ?? {};
  return {
    usage: isRecord(usage) ? (usage as unknown as AIUsage) : undefined,
    stopReason: undefined,
    error,
    content: withoutUndefined({ ...readContent(request, text), problem: cut(problem, 1_000) }),
  };
}

function readContent({ system, prompt, again }: AIRequest, reply: unknown): ModelContent {
  return withoutUndefined({
    system: cut(system),
    prompt: joinPrompt(prompt).slice(0, maxTextLength),
    reply: cut(reply),
    again: cut(again?.why, 1_000),
  });
}

function joinPrompt(prompt: unknown): string {
  if (typeof prompt === "string") return prompt;
  if (!Array.isArray(prompt)) return "";
  return prompt
    .map((turn: unknown) => (isRecord(turn) ? `${String(turn.role)}: ${String(turn.text)}` : ""))
    .join("\n\n");
}

function shortText(value: unknown): string | undefined {
  return cut(value, 200);
}

function cut(value: unknown, maxLength = maxTextLength): string | undefined {
  return typeof value === "string" ? value.slice(0, maxLength) : undefined;
}

/** Maximum length of a prompt's id, in characters, the version aside. */
const maxIdLength = 100;

/**
 * A prompt's id with its version, `docs.answer@1f0c9a3b`: another version means other instructions.
 *
 * @param system - The instructions that the version is made of.
 * @returns `undefined` for a prompt without an id.
 */
function promptVersion(id: unknown, system: unknown): string | undefined {
  if (typeof id !== "string" || id === "") return undefined;
  const text = typeof system === "string" ? system : "";
  const version = createHash("sha256").update(text).digest("hex").slice(0, 8);
  return `${id.slice(0, maxIdLength)}@${version}`;
}
