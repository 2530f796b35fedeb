import { randomUUID } from "node:crypto";
import type { Tracer } from "@opentelemetry/api";
import type { AIClient } from "../contract/ai-client.js";
import type { MergeStrategy } from "../contract/merge-strategy.js";
import { MeshError } from "../contract/mesh-error.js";
import type { TraceContext } from "../contract/trace-context.js";
import type { User } from "../contract/user.js";
import type { Emitter } from "../events/emitter.js";
import type { MeshEvent } from "../events/events.js";
import type { Registry } from "../registry/registry.js";
import { type ActiveSpan, activeTracer } from "../tracing/spans.js";
import { Alarm, now, type Ringing } from "./alarm.js";
import type { AskOptions } from "./ask-options.js";
import { Spending } from "./budget.js";
import type { Call } from "./call.js";
import { type Follower, followSignal, unfollowSignal } from "./caller-signal.js";
import type { EventBuffer } from "./event-buffer.js";
import type { OpenFanOut } from "./fan-out-report.js";
import { blankQuery, isQuery } from "./guard.js";
import { Hop } from "./hop.js";
import { LiveCalls } from "./live-calls.js";
import type { RouterSettings } from "./options.js";

/** What the runs of a router have in common. */
export interface Mesh {
  readonly settings: RouterSettings;
  readonly registry: Registry;
  readonly emitter: Emitter;
  /** Those without a response yet. */
  readonly runs: Set<RunState>;
  isClosed: boolean;
}

/** Longest query an error repeats. */
const shortQueryLength = 1_000;

/** Everything that happens for one query: its limits, what it waits for, and how it ends. */
export class RunState implements Follower, Ringing {
  readonly settings: RouterSettings;
  readonly registry: Registry;
  readonly query: string;
  /** Why the query cannot be asked. */
  readonly queryProblem: MeshError | undefined;
  readonly user: User | undefined;
  readonly ai: AIClient | undefined;
  readonly callerTrace: TraceContext | undefined;
  readonly merge: MergeStrategy;
  readonly timeoutMs: number;
  /** Moments on the clock of `now()`. */
  readonly startedAt: number;
  readonly endsAt: number;
  readonly buffer: EventBuffer | undefined;
  readonly tracer: Tracer | undefined = activeTracer();
  span: ActiveSpan | undefined;
  readonly calls = new LiveCalls();
  /** Why nothing new may start. */
  closed: MeshError | undefined;
  hopsLeft: number;
  /** Hops that were refused. */
  refusals = 0;
  /** Fan-outs whose end has yet to be reported. */
  openFanOuts: Set<OpenFanOut> | undefined;
  /** Calls that were told to stop and have not settled. */
  unsettled = 0;

  readonly #mesh: Mesh;
  readonly #emitter: Emitter;
  readonly #signal: AbortSignal | undefined;
  readonly #metadata: Readonly<Record<string, unknown>> | undefined;
  readonly #spending: Spending | undefined;
  readonly #alarm = new Alarm(this);
  #id: string | undefined;
  #hops = 0;
  /** Epoch milliseconds at zero of the clock of `now()`. */
  #epoch: number | undefined;
  /** It has its response. What a branch that nobody waits for does now is no part of it. */
  isOver = false;
  #whenSettled: (() => void)[] | undefined;

  /** @param query - As it came from the caller: may be anything. */
  constructor(mesh: Mesh, query: unknown, options: AskOptions, buffer?: EventBuffer) {
    const { settings, registry, emitter } = mesh;
    const { user, metadata, ai, trace, merge, timeoutMs, budget, signal } = options;
    this.settings = settings;
    this.registry = registry;
    this.query = typeof query === "string" ? query : "";
    this.queryProblem = isQuery(query) ? undefined : blankQuery(query);
    this.#mesh = mesh;
    this.user = user === undefined ? undefined : frozenUser(user);
    this.ai = ai ?? settings.ai;
    this.callerTrace = trace;
    this.merge = merge ?? settings.merge;
    this.timeoutMs = timeoutMs ?? settings.timeoutMs;
    this.startedAt = now();
    this.endsAt = this.startedAt + this.timeoutMs;
    this.buffer = buffer;
    this.hopsLeft = settings.maxHops;
    this.#emitter = emitter;
    this.#signal = signal;
    this.#metadata = metadata === undefined ? undefined : Object.freeze({ ...metadata });
    const limit = budget ?? settings.budget;
    this.#spending = limit === undefined ? undefined : new Spending(limit);
  }

  /** Random, and made when somebody wants to know. */
  get id(): string {
    this.#id ??= randomUUID();
    return this.#id;
  }

  get shortQuery(): string {
    return this.query.length > shortQueryLength
      ? `${this.query.slice(0, shortQueryLength)}…`
      : this.query;
  }

  /** Follows the caller's signal. A caller that has aborted already closes the run. */
  begin(): void {
    this.#mesh.runs.add(this);
    if (this.#mesh.isClosed) this.closeAll(routerClosed());
    if (this.#signal === undefined) return;
    if (this.#signal.aborted) this.callerAborted(this.#signal.reason);
    else followSignal(this.#signal, this);
  }

  firstHop(to: string): Hop {
    return new Hop(
      this,
      {
        to,
        query: this.query,
        via: "entry",
        endsBy: this.endsAt,
        metadata: this.#metadata,
        spending: this.#spending,
      },
      this.startedAt,
    );
  }

  /** Id of the only librarian registered; `undefined` when there are several, or none. */
  get onlyLibrarian(): string | undefined {
    return this.registry.size === 1 ? this.registry.list()[0]?.id : undefined;
  }

  nextHopId(): number {
    return ++this.#hops;
  }

  /** Epoch milliseconds of a moment on the clock of `now()`. */
  epochOf(moment: number): number {
    this.#epoch ??= Date.now() - now();
    return Math.round(this.#epoch + moment);
  }

  // What it waits for.

  /** Sees to it that a call is stopped when its time is up. */
  watch({ endsAt }: Call, current: number): void {
    if (endsAt >= this.#alarm.at) return;
    // One alarm for the whole run: set for the earliest moment at which a hop of this run can run
    // out of time, not for each hop's own. A librarian with a shorter limit brings it forward.
    const earliest = Math.min(endsAt, this.startedAt + firstReserve(this.timeoutMs));
    this.#alarm.set(earliest > current ? earliest - current : endsAt - current, current);
  }

  /** The alarm rang: some call may have run out of time. */
  ring(current: number): void {
    let earliest = Number.POSITIVE_INFINITY;
    for (const call of this.calls.all()) {
      if (call.endsAt <= current) call.stop(deadlinePassed());
      else earliest = Math.min(earliest, call.endsAt);
    }
    this.#alarm.set(earliest - current, current);
  }

  /** Stops everything below a hop, and lets nothing new start there. */
  close(hop: Hop, error: MeshError): void {
    hop.closed = error;
    this.stopBelow(hop, error);
  }

  /** Stops every call below a hop. */
  stopBelow(hop: Hop, error: MeshError): void {
    for (const call of this.calls.all()) {
      if (call.isBelow(hop)) call.stop(error);
    }
  }

  /** Stops everything, and lets nothing new start. */
  closeAll(error: MeshError): void {
    this.closed ??= error;
    if (this.calls.isEmpty) return;
    for (const call of this.calls.all()) call.stop(error);
  }

  callerAborted(reason: unknown): void {
    // A caller that is a librarian itself passes on why its own time ended.
    const error = MeshError.copyOf(reason);
    this.closeAll(error?.code === "TIMEOUT" ? error : cancelled("The caller cancelled.", reason));
  }

  // How it ends.

  /** It has its response: whatever is still running is told to stop, and every hold is given back. */
  end(): void {
    this.closeAll(hasResponse);
    this.#alarm.clear();
    if (this.#signal !== undefined) unfollowSignal(this.#signal, this);
    this.isOver = true;
    this.#mesh.runs.delete(this);
    this.#settle();
  }

  /** A call was told to stop. */
  remember(): void {
    this.unsettled++;
  }

  /** A call that was told to stop has settled. */
  forget(): void {
    this.unsettled--;
    if (!this.isSettled) return;
    if (this.isObserved) this.emit({ type: "run:settled", runId: this.id, at: Date.now() });
    this.#settle();
  }

  /** Resolves when it has its response and the last call that was told to stop has settled. */
  settled(): Promise<void> {
    if (this.isSettled) return Promise.resolve();
    this.#whenSettled ??= [];
    const waiting = this.#whenSettled;
    return new Promise((resolve) => {
      waiting.push(resolve);
    });
  }

  get isSettled(): boolean {
    return this.isOver && this.unsettled === 0;
  }

  #settle(): void {
    if (this.#whenSettled === undefined || !this.isSettled) return;
    for (const resolve of this.#whenSettled) resolve();
    this.#whenSettled = undefined;
  }

  // Who watches.

  /** Whether anybody reads events: they are built only then. */
  get isObserved(): boolean {
    return this.buffer !== undefined || this.#emitter.listeners > 0;
  }

  emit(event: MeshEvent): void {
    this.buffer?.add(event);
    this.#emitter.emit(event);
  }
}

/** A copy that no librarian can change for the next one. */
function frozenUser(user: User): User {
  const values = Object.entries(user).map(([key, value]: [string, unknown]) => [
    key,
    Array.isArray(value) ? Object.freeze([...(value as unknown[])]) : value,
  ]);
  return Object.freeze(Object.fromEntries(values)) as User; // the same keys, the same values
}

/** Lower bound, in milliseconds from the start, of when any hop of a run can run out of time. */
function firstReserve(timeoutMs: number): number {
  const levels = 16;
  return Math.max(timeoutMs * 0.9 ** levels, timeoutMs - 500 * levels);
}

function routerClosed(): MeshError {
  return new MeshError("SERVICE_UNAVAILABLE", "The router is closed.", {
    suggestion: "Ask a router that is open; this one was closed by the application.",
  });
}

function deadlinePassed(): MeshError {
  return new MeshError("TIMEOUT", "There was no answer in time.", { reason: "deadline" });
}

/** One for all runs: every run needs it, and an error costs more than a run. */
const hasResponse = cancelled("The run has its response.");

/** @param reason - What the caller gave; only a text of its own is repeated. */
export function cancelled(message: string, reason?: unknown): MeshError {
  return new MeshError("TIMEOUT", message, {
    reason: "cancelled",
    suggestion: "Nothing is wrong: ask again if the answer is wanted after all.",
    ...(typeof reason === "string" && { details: { cancelReason: reason.slice(0, 200) } }),
    cause: reason,
  });
}
