import type { AIUsage } from "../contract/ai-client.js";
import type { MeshEvent, ModelContent, ModelMethod } from "./events.js";
import { type FailureRecord, failureOf } from "./failure-record.js";

/** One call of a model. */
export interface ModelCallRecord {
  /** Number in its run, from 1. */
  readonly id: number;
  readonly method: ModelMethod;
  readonly model?: string | undefined;
  /** Milliseconds from the start of the run. */
  readonly startMs: number;
  /** Absent while it runs. */
  readonly durationMs?: number | undefined;
  /** What was charged. */
  readonly usage?: AIUsage | undefined;
  readonly stopReason?: string | undefined;
  readonly error?: FailureRecord | undefined;
  /** Prompt and reply, only in a record with content. */
  readonly content?: ModelContent | undefined;
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
  const { callId: id, method, model, at } = event;
  if (event.type === "model:start") {
    if (calls.length >= maxCalls) return calls;
    const named = model !== undefined && { model };
    return [...calls, { id, method, ...named, startMs: at - runStartedAt }];
  }
  const { durationMs, usage, stopReason, error, content } = event;
  return calls.map((call) =>
    call.id !== id
      ? call
      : {
          ...call,
          ...(model !== undefined && { model }),
          durationMs,
          ...(usage !== undefined && { usage }),
          ...(stopReason !== undefined && { stopReason }),
          ...(error !== undefined && { error: failureOf(error) }),
          ...(keep !== undefined && { content: keep(content) }),
        },
  );
}
