import type { AIUsage } from "../contract/ai-client.js";
import type { ErrorCode, ErrorInfo } from "../contract/error-code.js";
import type { DecisionRecord } from "../contract/journal.js";
import type { RemoteRun, SpentRecord, UnsettledLibrarian } from "../contract/remote-call.js";
import type { MissingBranch } from "../contract/response.js";
import { type Mutable, withoutUndefined } from "../contract/unknown-value.js";
import type {
  AgainRecord,
  MeshEvent,
  ModelMethod,
  Outcome,
  SharedFrom,
  StopReason,
  Via,
} from "./events.js";
import { addCall, type UsageRecord } from "./usage.js";

/**
 * What happened in a run, as plain data read from its events, without queries, answers and prompts: `recordContent`
 * of `@constellation/authoring` adds those.
 */
export interface RunRecord {
  readonly runId: string;
  /** Name of the mesh. */
  readonly mesh?: string | undefined;
  /** The run of another mesh that it belongs to. */
  readonly callerRunId?: string | undefined;
  /** The query as the caller asked it. */
  readonly query: string;
  /** Id of the librarian asked first. */
  readonly to: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** Duration in milliseconds; the time so far while it runs. */
  readonly durationMs: number;
  /** Absent while it runs. */
  readonly stopReason?: StopReason | undefined;
  readonly confidence?: number | undefined;
  readonly error?: FailureRecord | undefined;
  /** What all calls of models used. Absent: none was called. */
  readonly usage?: UsageRecord | undefined;
  /** Number of librarians that were stopped and have not settled. */
  readonly unsettled: number;
  /** Hops, tokens and money in all, those of other meshes included. Absent while it runs. */
  readonly spent?: SpentRecord | undefined;
  /** Refused hops beyond the first 1,000, which are not in `hops`. Absent: none. */
  readonly omittedRefusals?: number | undefined;
  /** In the order they began; a hop comes after the one that delegated or asked. */
  readonly hops: readonly HopRecord[];
}

/** One hop of a run: librarian, reason, times and outcome. */
export interface HopRecord {
  /** Number in its run, from 1. */
  readonly id: number;
  readonly parentId?: number | undefined;
  readonly to: string;
  readonly depth: number;
  readonly via: Via;
  /** Its query. */
  readonly query: string;
  /** Why it was chosen, where the delegating librarian gave a reason. */
  readonly reason?: string | undefined;
  /** Milliseconds from the start of the run. */
  readonly startMs: number;
  /** Wall time of the call, in milliseconds; so far, while it runs. */
  readonly durationMs: number;
  /** Absent while it runs. */
  readonly outcome?: Outcome | undefined;
  /** From 1. */
  readonly attempt: number;
  /** Why it repeats an earlier hop. Absent for the first call. */
  readonly again?: AgainRecord | undefined;
  /** Where its response is from, when its librarian was not called. */
  readonly shared?: SharedFrom | undefined;
  /** Its librarian was called and may have changed something outside. Absent: it only reads. */
  readonly effects?: "write" | undefined;
  readonly confidence?: number | undefined;
  /** Number of sources of its answer. */
  readonly sources?: number | undefined;
  readonly error?: FailureRecord | undefined;
  /** It ignored its abort signal. */
  readonly abandoned?: true | undefined;
  /** Milliseconds for which it blocked the event loop, where it did for 200 or more. */
  readonly blockedMs?: number | undefined;
  /** Milliseconds from its start to when it stopped after all. */
  readonly lateMs?: number | undefined;
  /** What it called in another mesh, as that mesh reports it. */
  readonly remote?: RemoteRun | undefined;
  /** Librarians of other meshes below it that ignored their abort signal. */
  readonly remoteUnsettled?: readonly UnsettledLibrarian[] | undefined;
  /** What people and events answered it, in the order it asked. */
  readonly decisions?: readonly DecisionRecord[] | undefined;
  /** Its fan-out, where it delegated to several. */
  readonly fanOut?: FanOutRecord | undefined;
  /** What its calls of models used, those of its merge included. Absent: none was called. */
  readonly usage?: UsageRecord | undefined;
  /** Its first 100 calls of models, those of its merge included. */
  readonly modelCalls?: readonly ModelCallRecord[] | undefined;
}

/** How the delegates of a hop became one response. */
export interface FanOutRecord {
  readonly strategy: string;
  readonly delegates: readonly string[];
  /** Absent while they run. */
  readonly used?: readonly string[] | undefined;
  readonly missing?: readonly MissingBranch[] | undefined;
  /** When its response was merged, in milliseconds from the start of the run. Absent while they run. */
  readonly endMs?: number | undefined;
}

/**
 * Reads the record of one run from its events.
 *
 * @param events - Of one run, from `run:start` on, in order.
 * @param at - Epoch milliseconds up to which durations of what still runs are measured.
 */
export function recordOf(events: readonly MeshEvent[], at: number = Date.now()): RunRecord {
  const hops = new Map<number, Mutable<HopRecord>>();
  const record: Mutable<RunRecord> = {
    runId: "",
    query: "",
    to: "",
    startedAt: at,
    durationMs: 0,
    unsettled: 0,
    hops: [],
  };
  let stopped = 0;

  for (const event of events) {
    if (event.type === "run:start") {
      const { runId, query, to, mesh, callerRunId } = event;
      const started = { runId, mesh, query, to, startedAt: event.at, durationMs: at - event.at };
      Object.assign(record, started, withoutUndefined({ callerRunId }));
    } else if (event.type === "run:end") {
      const { durationMs, stopReason, response, spent } = event;
      const { confidence, error } = response;
      const ended = { durationMs, stopReason, spent, confidence, error: error && toFailure(error) };
      Object.assign(record, withoutUndefined(ended));
      stopped = event.unsettled;
    } else if (event.type === "run:settled") {
      stopped = 0;
    } else if (event.type === "hop:start" || event.type === "hop:refused") {
      hops.set(event.hopId, begin(event, record.startedAt, at));
    } else if (event.type !== "breaker:change") {
      if (event.type === "hop:late" && stopped > 0) stopped--;
      const hop = hops.get(event.hopId);
      if (hop === undefined) continue;
      Object.assign(hop, withoutUndefined(readChange(hop, event, record.startedAt)));
      if (event.type === "model:end") record.usage = addCall(record.usage, event.usage);
    }
  }
  record.hops = [...hops.values()];
  record.unsettled = stopped;
  return record;
}

type StartEvent = Extract<MeshEvent, { type: "hop:start" | "hop:refused" }>;

function begin(event: StartEvent, runStartedAt: number, at: number): Mutable<HopRecord> {
  const { hopId: id, parentId, to, depth, via, query, reason } = event;
  const startMs = event.at - runStartedAt;
  const place = { id, parentId, to, depth, via, query, reason, startMs };
  if (event.type === "hop:refused") {
    const outcome = { durationMs: 0, attempt: 1, outcome: "refused" } as const;
    return withoutUndefined({ ...place, ...outcome, error: toFailure(event.error) });
  }
  const { attempt, again, shared, effects } = event;
  return withoutUndefined({
    ...place,
    durationMs: at - event.at,
    attempt,
    again,
    shared,
    effects,
  });
}

/** The changes that an event of a hop makes in its record. */
function readChange(hop: HopRecord, event: MeshEvent, runStartedAt: number): Partial<HopRecord> {
  const { modelCalls = [], decisions = [], usage, fanOut } = hop;
  switch (event.type) {
    case "model:start":
      return { modelCalls: withModelEvent(modelCalls, event, runStartedAt) };
    case "model:end":
      return {
        usage: addCall(usage, event.usage),
        modelCalls: withModelEvent(modelCalls, event, runStartedAt),
      };
    case "hop:end": {
      const { durationMs, outcome, confidence, sources, blockedMs, error } = event;
      const failure = error && toFailure(error);
      return { durationMs, outcome, confidence, sources, blockedMs, error: failure };
    }
    case "hop:abandoned":
      return { abandoned: true };
    case "wait:answered": {
      const { type: _, runId: _run, at: _at, hopId: _hop, to: _to, ...decision } = event;
      return { decisions: [...decisions, decision] };
    }
    case "hop:late":
      return { lateMs: event.lateMs };
    case "hop:remote": {
      const { run: remote, unsettled } = event;
      return { remote, remoteUnsettled: unsettled.length > 0 ? unsettled : undefined };
    }
    case "fanout:start":
      return { fanOut: { strategy: event.strategy, delegates: event.delegates } };
    case "fanout:end": {
      const { strategy, used, missing } = event;
      const delegates = fanOut?.delegates ?? used;
      return { fanOut: { strategy, delegates, used, missing, endMs: event.at - runStartedAt } };
    }
    default:
      return {};
  }
}

/** A failure, without its details, which may be anything. */
export interface FailureRecord {
  readonly code: ErrorCode;
  /** Cut to 1,000 characters. */
  readonly message: string;
  /** Row of `errorReasons`, where one fits. */
  readonly reason?: string | undefined;
}

function toFailure({ code, message, details }: ErrorInfo): FailureRecord {
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
  /** From 2, where the previous reply could not be used. */
  readonly attempt?: number | undefined;
  /** Milliseconds from the start of the run. */
  readonly startMs: number;
  /** Absent while it runs. */
  readonly durationMs?: number | undefined;
  /** What was charged. */
  readonly usage?: AIUsage | undefined;
  readonly stopReason?: string | undefined;
  readonly error?: ModelFailureRecord | undefined;
}

/** Why the reply of a model could not be used. */
export interface ModelFailureRecord extends FailureRecord {
  /** The field of the schema and what was expected, or the message of the service. Cut to 500 characters. */
  readonly problem?: string | undefined;
  /** Status of the model's service. */
  readonly status?: number | undefined;
}

type ModelEvent = Extract<MeshEvent, { type: "model:start" | "model:end" }>;

/** Maximum number of calls that one hop keeps. */
const maxCalls = 100;

/** Adds an event of a model to the calls of a hop. */
function withModelEvent(
  calls: readonly ModelCallRecord[],
  event: ModelEvent,
  runStartedAt: number,
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
    error: event.error && toModelFailure(event.error),
  });
  return calls.map((call) => (call.id === id ? { ...call, ...ended } : call));
}

function toModelFailure(error: ErrorInfo): ModelFailureRecord {
  const { problem, status } = error.details ?? {};
  return {
    ...toFailure(error),
    ...(typeof problem === "string" && { problem: problem.slice(0, 500) }),
    ...(typeof status === "number" && { status }),
  };
}
