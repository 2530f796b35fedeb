import type { AIClient } from "../../contract/ai-client.js";
import type { ErrorInfo } from "../../contract/error-code.js";
import type { DecisionRecord, RunJournal } from "../../contract/journal.js";
import type { MeshError } from "../../contract/mesh-error.js";
import type { RemoteCaller, RemoteReport } from "../../contract/remote-call.js";
import type { BreakerState } from "../../contract/resilience.js";
import type {
  MergeStrategy,
  MissingBranch,
  Progress,
  Response,
  ResponseFields,
} from "../../contract/response.js";
import type { DataScope } from "../../contract/take-data.js";
import type { RunThread } from "../../contract/thread.js";
import type { TraceContext } from "../../contract/trace-context.js";
import type { User } from "../../contract/user.js";
import type { ResponseGiver } from "../../contract/validate-response.js";
import type { Waiting } from "../../contract/waiting.js";
import type { Emitter } from "../../events/emitter.js";
import type { AgainRecord, SharedFrom, Via } from "../../events/events.js";
import type { UsageRecord } from "../../events/usage.js";
import type { Registration } from "../../registry/registration.js";
import type { Registry } from "../../registry/registry.js";
import type { Flight } from "../../resilience/flight.js";
import type { Slot, SlotPool } from "../../resilience/slot-pool.js";
import type { ActiveSpan } from "../../tracing/spans.js";
import type { BudgetLedger, HopLease } from "./budget-ledger.js";
import type { RouterSettings } from "./router-options.js";

// The types that a run consists of, in one file because they refer to each other. Moments are on
// the clock of `now()`, in milliseconds.

/** What all runs of a router share. */
export interface Mesh {
  readonly settings: RouterSettings;
  readonly registry: Registry;
  readonly emitter: Emitter;
  /** By key, the calls under way that equal calls of other runs share. */
  readonly flights: Map<string, Hop>;
  /** Slots for calls of librarians. */
  readonly slots: SlotPool;
  /**
   * Runs without a response yet. Not a Set: while entries come and go, V8 copies its table, and each old one keeps
   * what was in it, and the next one.
   */
  readonly runs: RunState[];
  isClosed: boolean;
}

/** What a query ends with: its response, or one that is about to come and does not reject. */
export type Done = (response: Response | Promise<Response>) => void;

/** Takes a query from one librarian to the next until one answers, and calls `done` once. */
export type StartFollow = (hop: Hop, done: Done) => void;

/** Everything that happens for one query. */
export interface RunState {
  readonly mesh: Mesh;
  /** Its index among the runs of its router. */
  place: number;
  /** Random, and made when it is first read. */
  readonly id: string;
  readonly query: string;
  readonly user: User | undefined;
  /** What it has spent and may spend. Made when it is first read. */
  readonly ledger: BudgetLedger;
  /** Scope of its first hop: metadata without secrets. */
  readonly scope: HopScope;
  /** Secret keys of the caller's metadata; `undefined`: none. */
  readonly secrets: Readonly<Record<string, unknown>> | undefined;
  /** Identifies the run in the origin of its data. Created when first read. */
  readonly dataScope: DataScope;
  readonly ai: AIClient | undefined;
  readonly merge: MergeStrategy;
  /** As the caller gave it. */
  readonly idempotencyKey: string | undefined;
  /** The mesh it is called from. */
  readonly caller: RemoteCaller | undefined;
  readonly callerTrace: TraceContext | undefined;
  readonly limits: RunLimits;
  /**
   * The last call of each librarian, for those that may be asked the same again; `undefined` until a
   * librarian was asked by several ways.
   */
  shared: Map<Registration, Hop> | undefined;
  /** Ids of librarians that may have changed something outside, in the order called. */
  written: Set<string> | undefined;
  /** Resolves when the process that has called this one knows that something is changed. */
  announced: Promise<void> | undefined;
  readonly calls: PendingCalls;
  /** Absent where the router has no journal. */
  readonly journal: RunJournal | undefined;
  /** The thread it is asked in, if any; set before its first hop. */
  thread: RunThread | undefined;
  /** What its librarians wait for; made when one waits. */
  waits: OpenWaits | undefined;
  /** The router is closing before the run has ended. */
  isInterrupted: boolean;
  /** Absent when no one watches. */
  readonly observer: RunObserver | undefined;
}

/** How long a run may take, and how much of it is left. */
export interface RunLimits {
  readonly timeoutMs: number;
  readonly startedAt: number;
  readonly endsAt: number;
  /** Maximum number of librarians on one path, those of the calling mesh included. */
  readonly maxDepth: number;
  /** Hops that may be made now. */
  hopsLeft: number;
  /** Gets further hops from the calling process; `undefined`: there are none. */
  readonly lease: HopLease | undefined;
  /** Hops that were made, here and in the meshes called from here. */
  hopsUsed: number;
  /** Hops that were refused. */
  refusals: number;
  /** Epoch milliseconds at zero of the clock; set when it is first needed, so that it stays the same. */
  epoch: number | undefined;
}

/** What the librarians of a run wait for: people and events. */
export interface OpenWaits {
  /** What it waits for now that everything else has ended. */
  readonly pending: readonly Waiting[];
  /** A librarian waits. @returns Rejects when its hop ends because of it. */
  add(hop: Hop, waiting: Waiting): Promise<never>;
  /** What was asked below a hop is not needed any more. */
  withdrawBelow(hop: Hop): void;
}

/** The calls and waits of a run, what stops them, and whether all of them have stopped. */
export interface PendingCalls {
  /** Why no call may start; `undefined` while calls may. */
  readonly closed: MeshError | undefined;
  /** The run has its response. */
  readonly isOver: boolean;
  /** Calls that were stopped and whose code has not settled. */
  readonly unsettled: number;
  /** Called when something was removed; set while a librarian waits. */
  onChange: (() => void) | undefined;
  /** The calls and waits at this moment. */
  pending(): readonly Stoppable[];
  /** Adds a call or wait that starts now, and stops it when its time is up. */
  add(pending: Stoppable, current: number): void;
  /** Removes what was added. */
  remove(pending: Stoppable): void;
  /** Stops everything below a hop. */
  stopBelow(hop: Hop, error: MeshError): void;
  /** Stops everything, and lets nothing else start. */
  close(error: MeshError): void;
  /** The run has its response: closes, and releases the timer. */
  end(): void;
  /** Releases the timer. */
  release(): void;
  /** A call was stopped: its code may still run. */
  callStopped(): void;
  /** The code of a call that was stopped has settled. @returns Whether that was the last one of a run that is over. */
  callSettled(): boolean;
  /** Resolves when the run has its response and all code that it called has settled. */
  settled(): Promise<void>;
}

/** A call or wait of a run: it ends by itself, at its deadline, or when it is stopped. */
export interface Stoppable {
  /** The hop it is made for. */
  readonly parent: Hop | undefined;
  /** Moment at which it is stopped. */
  readonly endsAt: number;
  /** The hop that waits for the work of another one, where it does. */
  readonly follower?: Hop | undefined;
  /** Neighbours in the linked list. */
  previous: Stoppable | undefined;
  next: Stoppable | undefined;
  /** Ends it now, for this reason. */
  stop(error: MeshError): void;
}

/** State of a call: under way; stopped while its code still runs; or settled. */
export type CallState = "pending" | "stopped" | "settled";

/** One call of untrusted code: a librarian, or a merge function. */
export interface Call extends Stoppable {
  readonly kind: CallKind;
  readonly run: RunState;
  state: CallState;
  stoppedBy: MeshError | undefined;
  controller: AbortController | undefined;
  resolve: ((response: Response) => void) | undefined;
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

/** What hops of one path share, until a delegate changes it. */
export interface HopScope {
  /** With the rights that the hops above left it. */
  readonly user: User | undefined;
  /** Frozen, with everything in it that is plain data. */
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
  /** Why its metadata cannot be used, and nothing may be asked; mostly `undefined`. */
  readonly metadataProblem: string | undefined;
  /** Why its librarian was chosen; may be anything. */
  readonly reason: unknown;
  readonly merge: MergeStrategy | undefined;
  /** What a call of `context.ask` may spend; `undefined`: what its run may. */
  readonly ledger: BudgetLedger | undefined;
}

/** What an observer keeps of a hop. */
export interface HopObservation {
  /** Number of the hop in its run, from 1. */
  readonly id: number;
  span: ActiveSpan | undefined;
  /** What its calls of models used so far, those of its merge included. */
  usage: UsageRecord | undefined;
  /** Milliseconds for which its librarian blocked the event loop; `undefined`: none that count. */
  blockedMs: number | undefined;
  /** Number of its reports of progress. */
  progress: number;
}

/** One librarian call. Its parents are its path. */
export interface Hop extends Call, HopScope, ResponseGiver {
  readonly to: string;
  readonly query: string;
  readonly via: Via;
  readonly depth: number;
  readonly ledger: BudgetLedger;
  /** `undefined`: no librarian has this id. */
  readonly registration: Registration | undefined;
  /** Shared with the hop above, where that is the same. */
  readonly scope: HopScope;
  /** Moment at which it and everything below it must be over. */
  readonly endsBy: number;
  /** Moment at which its work is stopped: that of the last one that waits for it. */
  readonly workEndsAt: number;
  startedAt: number;
  /** Its response, kept where it may be used again in the run. */
  response: Response | undefined;
  /** Reports an answer that it got when it was recorded. */
  decided(decision: DecisionRecord): void;
  extras: HopExtras | undefined;
  /** Set by the observer. */
  observation: HopObservation | undefined;
}

/** Rarely used fields, kept apart because the size of a hop is part of its cost. Created when first needed. */
export class HopExtras {
  stoppedBy: MeshError | undefined = undefined;
  /** `undefined`: its calls are not limited. */
  slot: Slot | undefined = undefined;
  /** The call that had the same librarian before it in the run. */
  earlier: Hop | undefined = undefined;
  /** Hops that wait for the same work. */
  flight: Flight<Response> | undefined = undefined;
  /** Why nothing new may start below it. */
  closed: MeshError | undefined = undefined;
  /** It has called `context.ask`. */
  hasAsked = false;
  /** Its query without letter case and spacing; computed when first compared. */
  normalisedQuery: string | undefined = undefined;
  /** Number of the call of the same work, from 1. */
  attempt = 1;
  /** The call before it, and why there is another. */
  again: { readonly kind: AgainRecord["kind"]; readonly of: Hop } | undefined = undefined;
  /** Milliseconds it waited for its slot. */
  waitedMs = 0;
  /** What it waits for before its librarian is called. */
  wait: Stoppable | undefined = undefined;
  /** Hops below it, and itself, that wait for the work of another one. */
  waitingBelow: Set<Hop> | undefined = undefined;
  /** The hop whose work it waits for. */
  waitsFor: Hop | undefined = undefined;
  /** Where its response comes from, when its librarian is not called. */
  replay: Replay | undefined = undefined;
  /** It, or something below it, may have changed something outside: it is not called again. */
  hasWritten = false;
  /** The calls of the same work at the same time that it is one of. */
  race: Race | undefined = undefined;
  /** Key by which other systems recognise a repeated call; created when first read. */
  idempotencyKey: string | undefined = undefined;
  /** Why it ends without a response of its own: it waits, or has asked one that does. */
  waiting: MeshError | undefined = undefined;
}

/** Two calls of the same work at the same time. */
export interface Race {
  /** The one that is the first to change something outside wins: the other one is stopped. */
  decide(writer: Hop): void;
}

/** A response that a hop has without a call of its librarian. */
export interface Replay {
  readonly from: SharedFrom;
  readonly response: Response;
  /** The hop whose librarian was called; `undefined` for a cache and a journal. */
  readonly leader: Hop | undefined;
  /** Nothing in it counts as observed. */
  readonly isClaim?: boolean | undefined;
}

/** A response of a fan-out, with the index of its delegate. -1: the answer of the delegating librarian. */
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
  /** Hops of the delegates that were called, in order. */
  readonly children: readonly Hop[];
  /** Responses so far, in order of arrival. */
  readonly arrivals: Arrival[];
  /** Delegates that were not called. */
  readonly notAsked: readonly MissingBranch[];
  /** Name of its strategy, for people: `quorum(2)`. */
  readonly strategy: string;
  readonly startedAt: number;
}

/** A merged response, and the hops it was made of. */
export interface Merged extends MergeOutcome {
  readonly response: Response;
}

/** Outcome of a merge, as reported. The response is empty where the run ended first. */
export interface MergeOutcome {
  readonly response: ResponseFields;
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
  /** The librarian of a hop has blocked the event loop. */
  hopBlocked(hop: Hop, blockedMs: number): void;
  /** The delegates of a hop have responded. */
  delegationEnded(hop: Hop): void;
  /** A librarian that was stopped has settled. */
  hopSettledLate(hop: Hop): void;
  /** The breaker of a hop's librarian has another state. */
  breakerChanged(hop: Hop, state: BreakerState): void;
  progressed(hop: Hop, progress: string | Progress): void;
  /** A librarian got the answer to what it waits for, now or in an earlier process. */
  waitAnswered(hop: Hop, decision: DecisionRecord): void;
  /** Wraps a model, so that its calls for a hop are reported. */
  modelOf(hop: Hop, ai: AIClient): AIClient;
  /** Another mesh that the hop called has reported what it did. */
  remoteReported(hop: Hop, report: RemoteReport): void;
  fanOutStarted(fanOut: FanOut): void;
  mergeStarted(fanOut: FanOut): void;
  fanOutEnded(fanOut: FanOut, merged: MergeOutcome): void;
  /** Calls `work` with the span of the run, of a hop or of a merge as the active one. */
  within<Result>(place: RunState | Hop | FanOut, work: () => Result): Result;
  /** The place of a hop in the trace. */
  traceOf(hop: Hop): TraceContext | undefined;
  /** No event will follow. */
  close(): void;
}
