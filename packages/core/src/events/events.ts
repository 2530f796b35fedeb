import type { AIStopReason, AIUsage } from "../contract/ai-client.js";
import type { ErrorCode, ErrorInfo } from "../contract/error-code.js";
import type { DecisionRecord } from "../contract/journal.js";
import type { RemoteRun, SpentRecord, UnsettledLibrarian } from "../contract/remote-call.js";
import type { BreakerState } from "../contract/resilience.js";
import type { MissingBranch, Progress, Response } from "../contract/response.js";

/** Fields of every event. */
interface RunEvent {
  /** Id of the run: the `requestId` of its contexts. */
  readonly runId: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Fields of every event of a hop. */
interface HopEvent extends RunEvent {
  /** Number of the hop in its run, from 1. */
  readonly hopId: number;
  /** Id of the librarian. */
  readonly to: string;
}

/** What started a hop: the caller, a response that delegates, `context.ask`, or `fallback`. */
export type Via = "entry" | "delegate" | "ask" | "fallback";

/**
 * Where a hop has its response from when its librarian was not called: an equal call of the same run
 * (`run`) or of another one (`flight`), the cache, the cache after a failure (`stale`), or what the run had
 * recorded before it was interrupted (`journal`).
 */
export type SharedFrom = "run" | "flight" | "cache" | "stale" | "journal";

/** Outcome of a hop. `refused`: the librarian was not called. `waiting`: it continues when someone answers. */
export type Outcome =
  | "answer"
  | "partial"
  | "delegate"
  | "error"
  | "cancelled"
  | "refused"
  | "waiting";

/**
 * Why a hop repeats an earlier one: its librarian failed with an error that may be temporary (`retry`), or did not
 * respond in time and is called a second time in parallel (`hedge`).
 */
export interface AgainRecord {
  readonly kind: "retry" | "hedge";
  /** Number of the hop before. */
  readonly hopId: number;
}

/** The position of a hop in its run. */
export interface HopPlace extends HopEvent {
  /** Hop that delegated or asked; absent for the first. */
  readonly parentId?: number | undefined;
  /** Place on the path, from 0. */
  readonly depth: number;
  readonly via: Via;
  /** Its query. */
  readonly query: string;
  /** Why it was chosen: `reason` in the delegate's context, cut to 1,000 characters. */
  readonly reason?: string | undefined;
}

/** Which method of the client was called. */
export type ModelMethod = "complete" | "analyze" | "runTools";

/** Which call of a model an event is about. */
interface ModelCallPlace {
  /** Number of the call in its run, from 1. */
  readonly callId: number;
  readonly method: ModelMethod;
  /** Absent where the client does not name its model. */
  readonly model?: string | undefined;
  /** Id and version of the prompt: `docs.answer@1f0c9a3b`. Absent where the librarian names none. */
  readonly promptId?: string | undefined;
  /** From 2, where the previous reply could not be used. */
  readonly attempt?: number | undefined;
}

/** Prompt and reply of a model, each text cut to 65,536 characters. */
export interface ModelContent {
  readonly system?: string | undefined;
  /** Turns of a conversation are joined, each after its role. */
  readonly prompt: string;
  readonly reply?: string | undefined;
  /** Why the reply could not be used, where it could not. */
  readonly problem?: string | undefined;
  /** Why it was asked again: the problem of the previous reply. Cut to 1,000 characters. */
  readonly again?: string | undefined;
}

/** Why a run ended. `waiting`: it continues when someone answers. `failed`: an error with none of the other reasons. */
export type StopReason =
  | "waiting"
  | "answered"
  | "partial"
  | "not-found"
  | "refused"
  | "deadline"
  | "cancelled"
  | "loop"
  | "depth"
  | "budget"
  | "failed";

/** Events of a router, in the order in which they occur in a run. */
export interface MeshEvents {
  /** A run began. `timeoutMs` is its time in all. */
  "run:start": RunEvent & {
    readonly to: string;
    readonly query: string;
    readonly timeoutMs: number;
    /** Name of the mesh: `name` of its router; a random one where the router has none. */
    readonly mesh: string;
    /** The run of another mesh that it belongs to. */
    readonly callerRunId?: string | undefined;
  };
  /**
   * A librarian is about to be called. `timeoutMs` is its time; `attempt` counts from 1; `waitedMs` is
   * how long it waited for a slot, absent where it did not. With `shared` the librarian is not called.
   */
  "hop:start": HopPlace & {
    readonly timeoutMs: number;
    readonly attempt: number;
    /** Absent for the first call. */
    readonly again?: AgainRecord | undefined;
    readonly waitedMs?: number | undefined;
    readonly shared?: SharedFrom | undefined;
    /** The librarian may change something outside. Absent: it only reads. */
    readonly effects?: "write" | undefined;
  };
  /** A librarian reported progress, or a piece of the answer. */
  "hop:progress": HopEvent & { readonly progress: Progress };
  /** A librarian returned, failed, or was stopped. `durationMs` is wall time of its call. */
  "hop:end": HopEvent & {
    readonly durationMs: number;
    readonly outcome: Outcome;
    readonly confidence?: number | undefined;
    /** Number of sources of its answer. */
    readonly sources?: number | undefined;
    /** Ids it delegates to. */
    readonly delegates?: readonly string[] | undefined;
    readonly error?: ErrorInfo | undefined;
    /**
     * Milliseconds for which the librarian blocked the event loop, where it did for 200 or more: nothing else in the
     * process ran, no other query and no timer.
     */
    readonly blockedMs?: number | undefined;
    /** The exception, for the author of the librarian. May hold secrets: keep it in this process. */
    readonly cause?: unknown;
    /** Response of the librarian, or the error that replaced it. Keep it in this process. */
    readonly response?: Response | undefined;
  };
  /** A librarian that waited has its answer, from this process or an earlier one. */
  "wait:answered": HopEvent & DecisionRecord;
  /** A librarian, or the merge of its delegates, calls a model. `callId` counts from 1 in a run. */
  "model:start": HopEvent & ModelCallPlace;
  /** A call of a model has ended. `model` is the one that answered, where one did. */
  "model:end": HopEvent &
    ModelCallPlace & {
      readonly durationMs: number;
      /** What was charged; absent where nothing was. */
      readonly usage?: AIUsage | undefined;
      readonly stopReason?: AIStopReason | undefined;
      /** Why the reply of the model could not be used. */
      readonly error?: ErrorInfo | undefined;
      /** Prompt and reply. May hold secrets: keep it in this process. */
      readonly content: ModelContent;
    };
  /** A librarian was not called: a loop, a limit, an unknown id, no time left. */
  "hop:refused": HopPlace & { readonly error: ErrorInfo };
  /** A librarian ignores its abort signal. The run continues without it. */
  "hop:abandoned": HopEvent & { readonly reason: "deadline" | "cancelled" };
  /** The circuit breaker of a librarian has another state. */
  "breaker:change": RunEvent & { readonly to: string; readonly state: BreakerState };
  /** A librarian that was stopped has settled. What it returned is dropped. */
  "hop:late": HopEvent & { readonly lateMs: number };
  /** Another mesh that a librarian called has reported what it did. It is not verified, and for records only. */
  "hop:remote": HopEvent & {
    readonly run: RemoteRun;
    readonly spent: SpentRecord;
    /** Librarians there, and further down, that ignored their abort signal. */
    readonly unsettled: readonly UnsettledLibrarian[];
  };
  /** A librarian delegates to several. `notAsked` counts those over `maxFanout`. */
  "fanout:start": HopEvent & {
    readonly delegates: readonly string[];
    readonly strategy: string;
    readonly notAsked: number;
  };
  /** Its branches were merged into one response, or the run ended before that. */
  "fanout:end": HopEvent & {
    readonly strategy: string;
    /** Ids of the librarians whose answers are in the response. */
    readonly used: readonly string[];
    readonly missing: readonly MissingBranch[];
    readonly durationMs: number;
  };
  /** A run has its response. Librarians that ignore their signal may still be busy. */
  "run:end": RunEvent & {
    readonly durationMs: number;
    readonly response: Response;
    readonly stopReason: StopReason;
    /** Number of librarians that were stopped and have not settled. */
    readonly unsettled: number;
    readonly spent: SpentRecord;
  };
  /** The last librarian of a run has stopped. Only after a `run:end` with some unsettled. */
  "run:settled": RunEvent;
}

export type MeshEventName = keyof MeshEvents;

/** Any event; `type` discriminates. */
export type MeshEvent = {
  readonly [Name in MeshEventName]: { readonly type: Name } & MeshEvents[Name];
}[MeshEventName];

/** Every event name, in the order in which they occur in a run. */
export const meshEventNames = [
  "run:start",
  "hop:start",
  "hop:progress",
  "wait:answered",
  "model:start",
  "model:end",
  "hop:end",
  "hop:refused",
  "hop:abandoned",
  "hop:late",
  "breaker:change",
  "hop:remote",
  "fanout:start",
  "fanout:end",
  "run:end",
  "run:settled",
] as const satisfies readonly MeshEventName[];

const stopReasons: Partial<Record<ErrorCode, StopReason>> = {
  NOT_FOUND: "not-found",
  INVALID_QUERY: "refused",
  UNAUTHORIZED: "refused",
  LOOP_DETECTED: "loop",
  MAX_DEPTH_EXCEEDED: "depth",
  TIMEOUT: "deadline",
};

/** Reads from a final response why its run ended. */
export function stopReasonOf({ answer, partial, error, metadata }: Response): StopReason {
  if (metadata?.waiting !== undefined) return "waiting";
  if (answer !== undefined) return partial === true ? "partial" : "answered";
  if (error === undefined) return "failed";
  const reason = error.details?.reason;
  if (reason === "cancelled") return "cancelled";
  if (reason === "budget-exceeded") return "budget";
  return stopReasons[error.code] ?? "failed";
}
