import { randomUUID } from "node:crypto";
import type { Budget } from "../../contract/budget.js";
import { MeshError } from "../../contract/mesh-error.js";
import type { User } from "../../contract/user.js";
import { BudgetLedger } from "./budget-ledger.js";
import { type Follower, followSignal, unfollowSignal } from "./caller-signal.js";
import { callerCancelled, routerClosed, runHasResponse } from "./errors.js";
import type { HopScope } from "./hop-scope.js";
import type { Mesh, RunObserver, RunState } from "./model.js";
import { createPendingCalls } from "./pending-calls.js";
import { limitsOf, type RunLimits } from "./run-limits.js";
import type { RunOptions } from "./run-options.js";
import { splitMetadata } from "./secrets.js";
import { createSettlement } from "./settlement.js";

/** A run, for what begins and ends it. */
export interface ActiveRun extends RunState {
  /** Follows the caller's signal. A caller that has aborted already closes the run. */
  begin(): void;
  /** It has its response: what is still running is stopped, and everything it holds is released. */
  end(): void;
}

/** @param query - As it came from the caller: may be anything. */
export function createRun(
  mesh: Mesh,
  query: unknown,
  options: RunOptions,
  observer: RunObserver | undefined,
): ActiveRun {
  return new RunData(mesh, query, options, observer);
}

class RunData implements ActiveRun, Follower {
  readonly mesh: Mesh;
  readonly query: string;
  readonly scope: HopScope;
  readonly secrets: RunState["secrets"];
  readonly ai: RunState["ai"];
  readonly merge: RunState["merge"];
  readonly caller: RunState["caller"];
  readonly callerTrace: RunState["callerTrace"];
  readonly limits: RunLimits;
  shared: RunState["shared"] = undefined;
  readonly calls: RunState["calls"];
  readonly settlement = createSettlement();
  readonly observer: RunObserver | undefined;
  readonly #signal: AbortSignal | undefined;
  #id: string | undefined;

  constructor(mesh: Mesh, query: unknown, options: RunOptions, observer: RunObserver | undefined) {
    const { settings } = mesh;
    const { user, metadata, caller, budget = settings.budget } = options;
    this.mesh = mesh;
    this.query = typeof query === "string" ? query : "";
    const split = metadata === undefined ? undefined : splitMetadata(metadata, settings.secrets);
    const spendable = caller === undefined ? budget : lowerBudget(budget, caller.budget);
    this.scope = {
      user: user === undefined ? undefined : frozenUser(user),
      metadata: split?.metadata,
      reason: undefined,
      merge: undefined,
      ledger: spendable === undefined ? undefined : new BudgetLedger(spendable),
    };
    this.secrets = split?.secrets;
    this.ai = options.ai ?? settings.ai;
    this.merge = options.merge ?? settings.merge;
    this.caller = caller;
    this.callerTrace = options.trace;
    this.limits = limitsOf(options.timeoutMs ?? settings.timeoutMs, settings.maxHops, caller);
    this.calls = createPendingCalls(this.limits);
    this.observer = observer;
    this.#signal = options.signal;
  }

  get user(): RunState["user"] {
    return this.scope.user;
  }

  get id(): string {
    this.#id ??= randomUUID();
    return this.#id;
  }

  begin(): void {
    this.mesh.runs.add(this);
    if (this.mesh.isClosed) this.calls.close(routerClosed());
    if (this.#signal === undefined) return;
    if (this.#signal.aborted) this.callerAborted(this.#signal.reason);
    else followSignal(this.#signal, this);
  }

  callerAborted(reason: unknown): void {
    // A caller that is a librarian itself forwards why its own time ended.
    const error = MeshError.copyOf(reason);
    this.calls.close(error?.code === "TIMEOUT" ? error : callerCancelled(reason));
  }

  end(): void {
    this.calls.close(runHasResponse);
    this.calls.release();
    if (this.#signal !== undefined) unfollowSignal(this.#signal, this);
    this.mesh.runs.delete(this);
    this.settlement.end();
  }
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
