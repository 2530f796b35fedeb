import type { AIClient } from "../../contract/ai-client.js";
import type { ErrorInfo } from "../../contract/error-info.js";
import type { MeshError } from "../../contract/mesh-error.js";
import type { Progress } from "../../contract/progress.js";
import type { RemoteCaller, RemoteReport } from "../../contract/remote-call.js";
import type { BreakerState } from "../../contract/resilience.js";
import type { MergeStrategy, MissingBranch, Response } from "../../contract/response.js";
import type { TraceContext } from "../../contract/trace-context.js";
import type { User } from "../../contract/user.js";
import type { Emitter } from "../../events/emitter.js";
import type { AgainRecord, SharedFrom, Via } from "../../events/events.js";
import type { Registration } from "../../registry/registration.js";
import type { Registry } from "../../registry/registry.js";
import type { Flight } from "../../resilience/flight.js";
import type { Slot, SlotPool } from "../../resilience/slot-pool.js";
import type { HopObservation } from "./hop-observation.js";
import type { HopScope } from "./hop-scope.js";
import type { RunLimits } from "./run-limits.js";
import type { RouterSettings } from "./settings.js";
import type { Settlement } from "./settlement.js";

// What a run consists of, as types: they refer to each other, so they stand together. Moments are on
// the clock of `now()`, in milliseconds.

/** What the runs of a router have in common. */
export interface Mesh {
  readonly settings: RouterSettings;
  readonly registry: Registry;
  readonly emitter: Emitter;
  /** By key, the calls under way that equal calls of other runs share. */
  readonly flights: Map<string, Hop>;
  /** Slots for calls of librarians. */
  readonly slots: SlotPool;
  /** Takes a query from one librarian to the next: the path of every query. */
  readonly follow: (hop: Hop) => Promise<Response>;
  /** The same, for a caller that continues in the turn in which the response comes. */
  readonly startFollow: (hop: Hop, done: Done) => void;
  /** How a librarian is called. */
  readonly librarianCall: CallKind;
  /** Those without a response yet. */
  readonly runs: Set<RunState>;
  isClosed: boolean;
}

/** What a query ends with: its response, or one that is about to come and does not reject. */
export type Done = (response: Response | Promise<Response>) => void;

/** Everything that happens for one query. */
export interface RunState {
  readonly mesh: Mesh;
  /** Random, and made when it is first read. */
  readonly id: string;
  readonly query: string;
  readonly user: User | undefined;
  /** What its first hop has: metadata without secrets, and the budget of the run. */
  readonly scope: HopScope;
  /** Secret keys of the caller's metadata; `undefined`: none. */
  readonly secrets: Readonly<Record<string, unknown>> | undefined;
  readonly ai: AIClient | undefined;
  readonly merge: MergeStrategy;
  /** The mesh it is called from. */
  readonly caller: RemoteCaller | undefined;
  readonly callerTrace: TraceContext | undefined;
  readonly limits: RunLimits;
  /**
   * The last call of each librarian, for those that may be asked the same again; `undefined` until a
   * librarian was asked by several ways.
   */
  shared: Map<Registration, Hop> | undefined;
  readonly calls: PendingCalls;
  readonly settlement: Settlement;
  /** Absent when no one watches. */
  readonly observer: RunObserver | undefined;
}

/** The calls a run waits for, and what stops them. */
export interface PendingCalls {
  /** Why no call may start; `undefined` while calls may. */
  readonly closed: MeshError | undefined;
  /** Adds a call that starts now, and stops it when its time is up. */
  add(call: Call, current: number): void;
  /** Removes a call that was added. */
  remove(call: Call): void;
  /** Stops every call below a hop. */
  stopBelow(hop: Hop, error: MeshError): void;
  /** Stops every call, and lets no other start. */
  close(error: MeshError): void;
  /** Releases the timer. */
  release(): void;
}

/** Where a call is: under way; stopped, while its code still runs; or its code has settled. */
export type CallState = "pending" | "stopped" | "settled";

/** One call of code that is not ours: a librarian, or a merge function. */
export interface Call {
  readonly kind: CallKind;
  readonly run: RunState;
  /** The hop it is made for. */
  readonly parent: Hop | undefined;
  /** Moment at which it is stopped. */
  readonly endsAt: number;
  state: CallState;
  stoppedBy: MeshError | undefined;
  controller: AbortController | undefined;
  resolve: ((response: Response) => void) | undefined;
  /** Neighbours among the pending calls. */
  previous: Call | undefined;
  next: Call | undefined;
}

/** What differs between the calls of a librarian and of a merge function. */
export interface CallKind {
  /** Calls the code. May throw. */
  start(call: Call): unknown;
  /** Makes a response of what the code returned. Never throws. */
  accept(call: Call, returned: unknown): Response;
  /** Reads what the code threw. */
  readThrown(call: Call, thrown: unknown): MeshError;
  /** Makes a response of a failure. Never throws. */
  fail(call: Call, error: MeshError): Response;
  /** It is over, with this response. */
  ended(call: Call, response: Response, failure: MeshError | undefined): void;
  /** Whether others wait for the same code, which then continues although the call was stopped. */
  isAwaited(call: Call): boolean;
  /** It was stopped, and its code has now settled, with this response where others wait for it. */
  settledLate(call: Call, response: Response | undefined): void;
}

/** One librarian call. Its parents are its path. */
export interface Hop extends Call, HopScope {
  readonly to: string;
  readonly query: string;
  readonly via: Via;
  readonly depth: number;
  /** `undefined`: no librarian has this id. */
  readonly registration: Registration | undefined;
  /** Shared with the hop above, where that is the same. */
  readonly scope: HopScope;
  /** Moment at which it and everything below it must be over. */
  readonly endsBy: number;
  startedAt: number;
  /** Its response, kept where it may be used again in the run. */
  response: Response | undefined;
  extras: HopExtras | undefined;
  /** Set by the observer. */
  observation: HopObservation | undefined;
}

/** What few hops have; made when it is first needed. */
export interface HopExtras {
  stoppedBy: MeshError | undefined;
  /** `undefined`: its calls are not limited. */
  slot: Slot | undefined;
  /** The call that had the same librarian before it in the run. */
  earlier: Hop | undefined;
  /** Those that wait for the same work. */
  flight: Flight<Response> | undefined;
  /** Why nothing new may start below it. */
  closed: MeshError | undefined;
  /** It has called `context.ask`. */
  hasAsked: boolean;
  /** Its query, letter case and spacing aside; made when it is first compared. */
  normalisedQuery: string | undefined;
  /** Which call of the same work it is, from 1. */
  attempt: number;
  /** The call before it, and why there is another. */
  again: { readonly kind: AgainRecord["kind"]; readonly of: Hop } | undefined;
  /** Milliseconds it waited for its slot. */
  waitedMs: number;
  /** What it waits for before its librarian is called. */
  wait: Call | undefined;
  /** Hops below it, and itself, that wait for the work of another one. */
  waitingBelow: Set<Hop> | undefined;
  /** The hop whose work it waits for. */
  waitsFor: Hop | undefined;
  /** Where its response comes from, when its librarian is not called. */
  replay: Replay | undefined;
  /** Something below it changes something outside. */
  hasWritten: boolean;
}

/** A response that a hop has without a call of its librarian. */
export interface Replay {
  readonly from: SharedFrom;
  readonly response: Response;
  /** The hop whose librarian was called; `undefined` for a cache. */
  readonly leader: Hop | undefined;
}

/** A response of a fan-out, with its place in the order asked. -1: the delegating librarian's own. */
export interface Arrival {
  readonly index: number;
  readonly response: Response;
}

/** Several delegates of one response. */
export interface FanOut {
  /** The hop that delegates. */
  readonly hop: Hop;
  /** Its own response. */
  readonly own: Response;
  /** Those asked, in that order. */
  readonly children: readonly Hop[];
  /** What has come back so far, in the order it came. */
  readonly arrivals: Arrival[];
  /** Those not asked. */
  readonly notAsked: readonly MissingBranch[];
  /** Name of its strategy, for people: `quorum(2)`. */
  readonly strategy: string;
  readonly startedAt: number;
}

/** One response, and what it was made of. */
export interface Merged {
  readonly response: Response;
  /** Hops whose answers are in it, in the order asked. */
  readonly used: readonly Hop[];
  readonly missing: readonly MissingBranch[];
}

/** Reports a run to events and spans. It never decides, and never throws. */
export interface RunObserver {
  runStarted(run: RunState, to: string): void;
  runEnded(run: RunState, response: Response): void;
  runSettled(run: RunState): void;
  hopStarted(hop: Hop): void;
  hopRefused(hop: Hop, error: ErrorInfo): void;
  hopEnded(hop: Hop, response: Response, failure: MeshError | undefined): void;
  /** The delegates of a hop have responded. */
  delegationEnded(hop: Hop): void;
  /** A librarian that was stopped has settled. */
  hopSettledLate(hop: Hop): void;
  /** The breaker of a hop's librarian has another state. */
  breakerChanged(hop: Hop, state: BreakerState): void;
  progressed(hop: Hop, progress: string | Progress): void;
  /** The same model, whose calls for a hop are reported. */
  modelOf(hop: Hop, ai: AIClient): AIClient;
  /** Another mesh that the hop called has reported what it did. */
  remoteReported(hop: Hop, report: RemoteReport): void;
  fanOutStarted(fanOut: FanOut): void;
  mergeStarted(fanOut: FanOut): void;
  fanOutEnded(fanOut: FanOut, merged: Merged): void;
  /** Calls `work` with the span of the run, of a hop or of a merge as the active one. */
  within<Result>(place: RunState | Hop | FanOut, work: () => Result): Result;
  /** The place of a hop in the trace. */
  traceOf(hop: Hop): TraceContext | undefined;
  /** No event will follow. */
  close(): void;
}
