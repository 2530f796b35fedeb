import { randomUUID } from "node:crypto";
import type { Budget } from "../contract/ai-client.js";
import type { RunJournal } from "../contract/journal.js";
import { MeshError } from "../contract/mesh-error.js";
import type { Response } from "../contract/response.js";
import { DataScope, DataTaker } from "../contract/take-data.js";
import type { User } from "../contract/user.js";
import type { MeshEvent } from "../events/events.js";
import { type RunRecord, recordOf } from "../events/run-record.js";
import { onAbort } from "../waits/on-abort.js";
import type { AskOptions } from "./ask-options.js";
import { librarianCall, startFollow } from "./hop/follow.js";
import { refuseQuery } from "./hop/guard.js";
import { mayAskFor } from "./hop/list-options.js";
import { EventBuffer } from "./observation/event-buffer.js";
import { createRunObserver } from "./observation/run-observer.js";
import { BudgetLedger, HopLease } from "./run/budget-ledger.js";
import { RunCalls } from "./run/calls.js";
import { now } from "./run/deadline-timer.js";
import {
  callerCancelled,
  noJournal,
  noLibrarianGiven,
  routerClosed,
  shownQuery,
  wrongMetadata,
} from "./run/errors.js";
import { firstHop } from "./run/hop.js";
import type { Done, HopScope, Mesh, RunLimits, RunObserver, RunState } from "./run/model.js";
import { splitMetadata } from "./run/secrets.js";

/**
 * Takes a run from its query to its response.
 *
 * @param query - As it came from the caller: may be anything.
 * @returns The run, and its response: valid, whatever goes wrong. It never rejects.
 */
export function performRun(
  mesh: Mesh,
  query: unknown,
  options: AskOptions,
  observer: RunObserver | undefined,
  continued?: Continued,
): { readonly run: RunState; readonly response: Promise<Response> } {
  const { registry, settings } = mesh;
  const run = new RunData(mesh, query, options, observer, continued?.id);
  const entry = options.to ?? settings.entry ?? registry.onlyId;
  observer?.runStarted(run, entry ?? "");
  run.place = mesh.runs.push(run) - 1;
  if (mesh.isClosed) run.calls.close(routerClosed());
  if (options.signal !== undefined) run.follow(options.signal);
  const { metadataProblem } = run.scope;
  const refusal =
    refuseQuery(query, settings.inputLimits.maxQueryLength) ??
    (metadataProblem === undefined ? undefined : wrongMetadata(metadataProblem)) ??
    (entry === undefined
      ? noLibrarianGiven(registry.list(mayAskFor(run)).map(({ id }) => id))
      : undefined);
  const response = new Promise<Response>((resolve) => {
    const done: Done = (final) =>
      resolve(final instanceof Promise ? final.then((late) => run.end(late)) : run.end(final));
    if (refusal !== undefined) {
      done({ error: { ...refusal.toInfo(), query: shownQuery(run) } });
      return;
    }
    if (settings.journal !== undefined || continued !== undefined) {
      run.journal = openJournal(run, entry ?? "", options, continued);
      if (run.journal?.refusal !== undefined) run.calls.close(run.journal.refusal);
    }
    if (options.thread !== undefined) {
      void enterThread(run)
        .then(() => {
          const first = firstHop(run, entry ?? "", librarianCall);
          if (observer === undefined) startFollow(first, done);
          else observer.within(run, () => startFollow(first, done));
        })
        .catch((thrown: unknown) => done({ error: MeshError.from(thrown, "router").toInfo() }));
      return;
    }
    const first = firstHop(run, entry ?? "", librarianCall);
    if (observer === undefined) startFollow(first, done);
    else observer.within(run, () => startFollow(first, done));
  });
  return { run, response };
}

/** @throws MeshError where it cannot be asked in the thread. */
async function enterThread(run: RunData): Promise<void> {
  const thread = run.journal?.thread;
  if (thread === undefined) throw noJournal(undefined, "No journal keeps threads.");
  run.thread = await thread;
}

/**
 * As {@link performRun}, but gives the id of the run once it is in the journal; a run that ends earlier gives its
 * response.
 */
export async function askInBackground(
  mesh: Mesh,
  query: unknown,
  options: AskOptions,
  observer: RunObserver | undefined,
): Promise<Response> {
  if (mesh.settings.journal === undefined) return { error: noJournal().toInfo() };
  const { run, response } = performRun(mesh, query, options, observer);
  const begun = run.journal?.begun().then(
    (): Response => ({
      answer: "The run continues in the background.",
      partial: true,
      metadata: { background: { runId: run.id } },
    }),
    () => response, // it says why
  );
  return begun === undefined ? response : Promise.race([begun, response]);
}

/** A run that continues under its id. */
export interface Continued {
  readonly id: string;
  journal(stop: (error: MeshError) => void): RunJournal;
}

function openJournal(
  run: RunState,
  to: string,
  { observed = false, budget, caller, merge, thread }: AskOptions,
  continued: Continued | undefined,
): RunJournal | undefined {
  const stop = (error: MeshError): void => run.calls.close(error);
  if (continued !== undefined) return continued.journal(stop);
  const { id, query, scope, limits, mesh } = run;
  const { user, metadata } = scope;
  const plainMerge = typeof merge === "function" ? undefined : merge;
  const options = { budget, caller, merge: plainMerge, thread };
  const request = { query, to, user, metadata, observed, timeoutMs: limits.timeoutMs, options };
  return mesh.settings.journal?.begin({ id, request, stop });
}

class RunData implements RunState {
  readonly mesh: Mesh;
  place = -1;
  readonly query: string;
  readonly scope: HopScope;
  readonly secrets: RunState["secrets"];
  readonly ai: RunState["ai"];
  readonly merge: RunState["merge"];
  readonly idempotencyKey: RunState["idempotencyKey"];
  readonly caller: RunState["caller"];
  readonly callerTrace: RunState["callerTrace"];
  readonly limits: RunLimits;
  shared: RunState["shared"] = undefined;
  written: RunState["written"] = undefined;
  announced: RunState["announced"] = undefined;
  readonly calls: RunState["calls"];
  journal: RunState["journal"] = undefined;
  thread: RunState["thread"];
  waits: RunState["waits"] = undefined;
  isInterrupted = false;
  readonly observer: RunObserver | undefined;
  #unfollow: (() => void) | undefined;
  readonly #budget: Budget | undefined;
  #ledger: BudgetLedger | undefined;
  #id: string | undefined;
  #isRecorded = false;
  #dataScope: DataScope | undefined;

  constructor(
    mesh: Mesh,
    query: unknown,
    options: AskOptions,
    observer: RunObserver | undefined,
    id: string | undefined,
  ) {
    const { settings } = mesh;
    const { user, metadata, caller, budget = settings.budget } = options;
    this.mesh = mesh;
    this.#id = id;
    this.query = typeof query === "string" ? query : "";
    const taken = metadata === undefined ? undefined : this.#take(metadata, options.observed);
    const split =
      taken === undefined || "problem" in taken
        ? undefined
        : splitMetadata(taken.data, settings.secrets);
    // With a leasing caller, what came with the call is not a limit: more is leased on request.
    this.#budget =
      caller === undefined || caller.ledger !== undefined
        ? budget
        : lowerBudget(budget, caller.budget);
    this.scope = {
      user: user === undefined ? undefined : frozenUser(user),
      metadata: split?.metadata,
      metadataProblem: taken !== undefined && "problem" in taken ? taken.problem : undefined,
      reason: undefined,
      merge: undefined,
      ledger: undefined,
    };
    this.secrets = split?.secrets;
    this.ai = options.ai ?? settings.ai;
    this.merge = options.merge ?? settings.merge;
    this.idempotencyKey = options.idempotencyKey;
    this.caller = caller;
    this.thread = caller?.thread;
    this.callerTrace = options.trace;
    // Its own limits, or those of the mesh that calls where they are tighter.
    const ownMs = options.timeoutMs ?? settings.timeoutMs;
    const timeoutMs = Math.min(ownMs, caller?.remainingMs ?? Infinity);
    const startedAt = now();
    this.limits = {
      timeoutMs,
      startedAt,
      endsAt: startedAt + timeoutMs,
      maxDepth: Math.min(settings.maxDepth, caller?.maxDepth ?? Infinity),
      hopsLeft: Math.min(settings.maxHops, caller?.hopsLeft ?? Infinity),
      lease:
        caller?.ledger === undefined || caller.hopsLeft === undefined
          ? undefined
          : new HopLease(caller.ledger, settings.maxHops),
      hopsUsed: 0,
      refusals: 0,
      epoch: undefined,
    };
    this.calls = new RunCalls(this.limits);
    this.observer = observer;
  }

  get user(): RunState["user"] {
    return this.scope.user;
  }

  get id(): string {
    this.#id ??= randomUUID();
    return this.#id;
  }

  /** Needed without a budget too, to count what is spent. */
  get ledger(): BudgetLedger {
    const { budget, ledger } = this.caller ?? {};
    this.#ledger ??= new BudgetLedger(
      this.#budget,
      undefined,
      budget === undefined ? undefined : ledger,
    );
    return this.#ledger;
  }

  get dataScope(): DataScope {
    this.#dataScope ??= new DataScope();
    return this.#dataScope;
  }

  /** The caller's metadata is copied as a whole, so that observed data of another run is a claim in this one. */
  #take(metadata: object, isObserved = false) {
    const observation = isObserved ? ({ by: "caller", at: Date.now() } as const) : undefined;
    const taker = new DataTaker(this.mesh.settings.inputLimits, this.dataScope);
    return taker.take(metadata, observation);
  }

  /** Follows the caller's signal until the run ends. A caller that has aborted already closes the run. */
  follow(signal: AbortSignal): void {
    this.#unfollow = onAbort(signal, () => {
      // When the caller is a librarian, the reason why its own time ended is forwarded.
      const error = MeshError.copyOf(signal.reason);
      this.calls.close(error?.code === "TIMEOUT" ? error : callerCancelled(signal.reason));
    });
  }

  /** The run has its response: stops what is still running, and releases everything it holds. */
  end(final: Response): Response | Promise<Response> {
    const { calls, journal, written } = this;
    calls.end();
    this.#unfollow?.();
    const own =
      this.#isRecorded || final.metadata?.waiting === undefined ? final : withoutWaiting(final);
    const response =
      written === undefined
        ? own
        : { ...own, metadata: { ...own.metadata, written: [...written] } };
    if (journal !== undefined && !this.#isRecorded) {
      this.#isRecorded = true;
      return this.#record(journal, response).then((recorded) => this.end(recorded));
    }
    const { mesh, observer } = this;
    const last = mesh.runs.pop();
    if (last !== undefined && last !== this) {
      mesh.runs[this.place] = last; // takes its place
      last.place = this.place;
    }
    observer?.runEnded(this, response);
    observer?.close();
    return response;
  }

  #record(journal: RunJournal, response: Response): Promise<Response> {
    const { isInterrupted, limits, waits } = this;
    const waiting = waits?.pending ?? [];
    const activeMs = Math.round(now() - limits.startedAt);
    const given: Response =
      waiting.length === 0
        ? response
        : { ...response, partial: true, metadata: { ...response.metadata, waiting } };
    return journal.end({ response: given, waiting, isInterrupted, activeMs });
  }
}

/**
 * Removes waits that a librarian lists itself: only the router may, because the answers of people go to the run
 * listed there.
 */
function withoutWaiting(response: Response): Response {
  const { waiting: _, ...metadata } = response.metadata ?? {};
  return { ...response, metadata };
}

/** The lower of two budgets, each amount by itself. */
function lowerBudget(one: Budget = {}, other: Budget = {}): Budget {
  return {
    tokens: Math.min(one.tokens ?? Infinity, other.tokens ?? Infinity),
    costUsd: Math.min(one.costUsd ?? Infinity, other.costUsd ?? Infinity),
  };
}

/** A copy that no librarian can change for the next one. */
function frozenUser(user: User): User {
  const values = Object.entries(user).map(([key, value]: [string, unknown]) => [
    key,
    Array.isArray(value) ? Object.freeze([...(value as unknown[])]) : value,
  ]);
  return Object.freeze(Object.fromEntries(values)) as User; // the same keys, the same values
}

/** A query in progress: its response, its events, and how to cancel it. */
export interface Run {
  /** Id of the run: `requestId` of its contexts, `runId` of its events. */
  readonly id: string;
  /** Resolves with a valid response. Never rejects. */
  readonly response: Promise<Response>;
  /**
   * Its events, from the first one on, also for a reader that begins late; ends after `run:end`.
   * Limits: 10,000 events of progress, 1,000 refused hops, and 4,194,304 characters of both; later ones are left out.
   */
  readonly events: AsyncIterable<MeshEvent>;
  /** Cancels the run: the response comes at once, with the answers so far, else `TIMEOUT`, reason `cancelled`. */
  cancel(reason?: string): void;
  /** Resolves when the last of its librarians has really stopped. */
  readonly settled: Promise<void>;
  /** Cancels it and waits for `settled`: what `await using run = router.start(...)` does at the end of its block. */
  [Symbol.asyncDispose](): Promise<void>;
  /** The record so far: every hop, and why the run ended. */
  explain(): RunRecord;
}

/** Starts a run whose events are kept. */
export function startRun(
  mesh: Mesh,
  query: unknown,
  options: AskOptions,
  continued?: Continued,
): Run {
  const buffer = new EventBuffer();
  const observer = createRunObserver(mesh, buffer);
  const { run, response } = performRun(mesh, query, options, observer, continued);
  return new StartedRun(run, response, buffer);
}

// A class: an object literal with a getter makes a hidden class for each run, which keeps the run for long.
class StartedRun implements Run {
  readonly id: string;
  readonly response: Promise<Response>;
  readonly events: AsyncIterable<MeshEvent>;
  readonly cancel: Run["cancel"];
  readonly explain: Run["explain"];
  readonly #run: RunState;

  constructor(run: RunState, response: Promise<Response>, buffer: EventBuffer) {
    this.id = run.id;
    this.response = response;
    this.events = { [Symbol.asyncIterator]: () => buffer.read() };
    this.cancel = (reason) => run.calls.close(callerCancelled(reason));
    this.explain = () => {
      const { events, omittedRefusals } = buffer;
      const record = recordOf(events);
      return omittedRefusals === 0 ? record : { ...record, omittedRefusals };
    };
    this.#run = run;
  }

  get settled(): Promise<void> {
    return this.#run.calls.settled();
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#run.calls.close(callerCancelled("disposed"));
    return this.#run.calls.settled();
  }
}
