import type { AIUsage } from "../contract/ai-client.js";
import type { ErrorCode } from "../contract/error-code.js";
import type { ErrorInfo } from "../contract/error-info.js";
import { withoutUndefined } from "../contract/without-undefined.js";
import type { MeshEvent, ModelContent, ModelMethod } from "./events.js";

/** A failure, without its details, which may be anything. */
export interface FailureRecord {
  readonly code: ErrorCode;
  /** Cut to 1,000 characters. */
  readonly message: string;
  /** Row of `errorReasons`, where one fits. */
  readonly reason?: string | undefined;
}

export function failureOf({ code, message, details }: ErrorInfo): FailureRecord {
  const reason = details?.reason;
  return {
    code,
    message: message.slice(0, 1_000),
    ...(typeof reason === "string" && { reason: reason.slice(0, 100) }),
  };
}

/** One call of a model. */
export interface ModelCallRecord {
  /** Number in its run, from 1. */
  readonly id: number;
  readonly method: ModelMethod;
  readonly model?: string | undefined;
  /** Id and version of the prompt: `docs.answer@1f0c9a3b`. Absent where the librarian names none. */
  readonly promptId?: string | undefined;
  /** From 2, where the reply before was of no use: `content.again` says why. */
  readonly attempt?: number | undefined;
  /** Milliseconds from the start of the run. */
  readonly startMs: number;
  /** Absent while it runs. */
  readonly durationMs?: number | undefined;
  /** What was charged. */
  readonly usage?: AIUsage | undefined;
  readonly stopReason?: string | undefined;
  readonly error?: ModelFailureRecord | undefined;
  /** Prompt and reply, only in a record with content. */
  readonly content?: ModelContent | undefined;
}

/** Why a model gave nothing that can be used. */
export interface ModelFailureRecord extends FailureRecord {
  /** The field of the schema and what was expected, or the words of the service. Cut to 500 characters. */
  readonly problem?: string | undefined;
  /** Status of the model's service. */
  readonly status?: number | undefined;
}

type ModelEvent = Extract<MeshEvent, { type: "model:start" | "model:end" }>;

/** Maximum number of calls that one hop keeps. */
const maxCalls = 100;

/**
 * Adds an event of a model to the calls of a hop.
 *
 * @param keep - Cleans what was said; without it that is left out.
 */
export function withModelEvent(
  calls: readonly ModelCallRecord[],
  event: ModelEvent,
  runStartedAt: number,
  keep: ((content: ModelContent) => ModelContent) | undefined,
): readonly ModelCallRecord[] {
  const { callId: id, method, model, promptId, attempt, at } = event;
  if (event.type === "model:start") {
    if (calls.length >= maxCalls) return calls;
    const startMs = at - runStartedAt;
    return [...calls, withoutUndefined({ id, method, model, promptId, attempt, startMs })];
  }
  const { durationMs, usage, stopReason } = event;
  const ended = withoutUndefined({
    model,
    durationMs,
    usage,
    stopReason,
    error: event.error && modelFailureOf(event.error),
    content: keep?.(event.content),
  });
  return calls.map((call) => (call.id === id ? { ...call, ...ended } : call));
}

function modelFailureOf(error: ErrorInfo): ModelFailureRecord {
  const { problem, status } = error.details ?? {};
  return {
    ...failureOf(error),
    ...(typeof problem === "string" && { problem: problem.slice(0, 500) }),
    ...(typeof status === "number" && { status }),
  };
}
