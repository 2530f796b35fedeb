import type { Context, DelegationOptions } from "../../contract/context.js";
import type { DecisionRecord } from "../../contract/journal.js";
import type { MeshError } from "../../contract/mesh-error.js";
import type { DelegateRequest } from "../../contract/response.js";
import { type DataScope, DataTaker, type Observation } from "../../contract/take-data.js";
import { limitUser, type User, type UserLimits } from "../../contract/user.js";
import type { AgainRecord } from "../../events/events.js";
import { BudgetLedger } from "./budget-ledger.js";
import { stopCall } from "./calls.js";
import { now } from "./deadline-timer.js";
import { callerEnded, hideContent } from "./errors.js";
import { type CallKind, type Hop, HopExtras, type HopScope, type RunState } from "./model.js";
import { withoutSecretKeys } from "./secrets.js";

/** Maximum reserve of a parent for merging, in milliseconds. */
const maxReserveMs = 500;

/** A class for speed only: its objects have one shape, and their size is part of the cost of a hop. */
class HopData implements Hop {
  readonly kind: CallKind;
  readonly run: RunState;
  readonly parent: Hop | undefined;
  readonly to: string;
  readonly query: string;
  readonly via: Hop["via"];
  readonly depth: number;
  readonly registration: Hop["registration"];
  readonly scope: HopScope;
  readonly endsBy: number;
  startedAt: number;
  state: Hop["state"] = "pending";
  controller: Hop["controller"] = undefined;
  resolve: Hop["resolve"] = undefined;
  previous: Hop["previous"] = undefined;
  next: Hop["next"] = undefined;
  response: Hop["response"] = undefined;
  extras: Hop["extras"] = undefined;
  observation: Hop["observation"] = undefined;

  constructor(
    kind: CallKind,
    run: RunState,
    parent: Hop | undefined,
    to: string,
    query: string,
    via: Hop["via"],
    scope: HopScope,
    endsBy: number,
    current: number,
  ) {
    this.kind = kind;
    this.run = run;
    this.parent = parent;
    this.registration = run.mesh.registry.get(to);
    this.to = this.registration !== undefined || via === "entry" ? to : hideContent(to);
    this.query = query;
    this.via = via;
    this.depth = parent === undefined ? 0 : parent.depth + 1;
    this.scope = scope;
    this.endsBy = endsBy;
    this.startedAt = current;
  }

  stop(error: MeshError): void {
    stopCall(this, error);
  }

  decided(decision: DecisionRecord): void {
    this.run.observer?.waitAnswered(this, decision);
  }

  get stoppedBy(): Hop["stoppedBy"] {
    return this.extras?.stoppedBy;
  }

  set stoppedBy(error: Hop["stoppedBy"]) {
    extrasOf(this).stoppedBy = error;
  }

  get user(): Hop["user"] {
    return this.scope.user;
  }

  get metadata(): Hop["metadata"] {
    return this.scope.metadata;
  }

  get metadataProblem(): Hop["metadataProblem"] {
    return this.scope.metadataProblem;
  }

  get dataScope(): DataScope {
    return this.run.dataScope;
  }

  observe(): Observation | undefined {
    if (this.extras?.replay?.isClaim === true) return undefined;
    const { capabilities = none } = this.registration?.info ?? {};
    return Object.freeze({ by: "librarian", librarian: this.to, capabilities, at: Date.now() });
  }

  get reason(): unknown {
    return this.scope.reason;
  }

  get merge(): Hop["merge"] {
    return this.scope.merge;
  }

  get ledger(): Hop["ledger"] {
    return this.scope.ledger ?? this.run.ledger;
  }

  get endsAt(): number {
    const timeoutMs = this.registration?.definition.timeoutMs;
    return timeoutMs === undefined || this.run.journal?.isReplay === true
      ? this.endsBy
      : Math.min(this.endsBy, this.startedAt + timeoutMs);
  }

  get workEndsAt(): number {
    const latest = this.extras?.flight?.endsBy ?? this.endsBy;
    if (latest <= this.endsBy) return this.endsAt;
    const { timeoutMs = Number.POSITIVE_INFINITY } = this.registration?.definition ?? {};
    return Math.min(latest, this.startedAt + timeoutMs);
  }

  /**
   * What `console.log` shows of a context, which is a view of a hop: Node.js calls this on the context.
   * No model client, no functions, nothing of the router.
   */
  [Symbol.for("nodejs.util.inspect.custom")](this: Context): object {
    const { librarian, user, delegationChain, metadata, deadline, requestId } = this;
    const { originalQuery, depth } = this;
    return {
      librarian,
      user,
      delegationChain,
      metadata,
      deadline,
      requestId,
      originalQuery,
      depth,
    };
  }
}

/** The first hop of a run. @param kind - How its librarian is called, and those of all hops below it. */
export function firstHop(run: RunState, to: string, kind: CallKind): Hop {
  const { limits, scope, thread } = run;
  return new HopData(
    kind,
    run,
    undefined,
    to,
    thread?.asked ?? run.query,
    "entry",
    scope,
    limits.endsAt,
    limits.startedAt,
  );
}

/** The hop that a delegate of a hop's response asks for. */
export function delegateHop(hop: Hop, request: DelegateRequest, current: number): Hop {
  const { to, query = hop.query, context, user } = request;
  const scope = scopeBelow(hop, context, user);
  const endsBy = lessReserve(hop.endsBy, current);
  return new HopData(hop.kind, hop.run, hop, to, query, "delegate", scope, endsBy, current);
}

/**
 * The next hop of a chain. It takes over the signal of the previous hop, if one was created, so that work which that
 * hop left behind is stopped with this one.
 */
export function nextHop(hop: Hop, request: DelegateRequest): Hop {
  const next = delegateHop(hop, request, now());
  next.controller = hop.controller;
  return next;
}

/** The hop that `context.ask` asks for. Its time is the asking hop's own. */
export function askedHop(hop: Hop, query: string, options: DelegationOptions): Hop {
  const { to, context, user, timeoutMs = Number.POSITIVE_INFINITY, merge, budget } = options;
  const current = now();
  extrasOf(hop).hasAsked = true;
  hop.run.shared ??= new Map(); // from here on the same may be asked twice
  const scope: HopScope = {
    ...scopeBelow(hop, context, user),
    ...(merge !== undefined && { merge }),
    ...(budget !== undefined && { ledger: new BudgetLedger(budget, hop.ledger) }),
  };
  const endsBy = Math.min(lessReserve(hop.workEndsAt, current), current + timeoutMs);
  return new HopData(hop.kind, hop.run, hop, to, query, "ask", scope, endsBy, current);
}

/** A repeat of the same work. @param attempt - Number of the call, from 1. */
export function repeatHop(hop: Hop, attempt: number, kind: AgainRecord["kind"]): Hop {
  const { kind: call, run, parent, to, query, via, scope, endsBy } = hop;
  const again = new HopData(call, run, parent, to, query, via, scope, endsBy, now());
  const extras = extrasOf(again);
  extras.attempt = attempt;
  extras.again = { kind, of: hop };
  extras.flight = hop.extras?.flight;
  return again;
}

/** The hop that asks a fallback for what a hop did not give. */
export function fallbackHop(hop: Hop, to: string): Hop {
  const { kind, run, query, endsBy } = hop;
  const scope = { ...hop.scope, reason: `Fallback of ${hop.to}.` };
  return new HopData(kind, run, hop, to, query, "fallback", scope, endsBy, now());
}

/** The rarely used fields of this hop. */
export function extrasOf(hop: Hop): HopExtras {
  hop.extras ??= new HopExtras();
  return hop.extras;
}

/** Ids on its path, itself left out, oldest first. */
export function chainOf(hop: Hop): readonly string[] {
  const ids: string[] = [];
  for (let above = hop.parent; above !== undefined; above = above.parent) ids.push(above.to);
  return ids.reverse();
}

/** Whether other calls wait for the work of a hop, so that its librarian continues after its own caller has left. */
export function isAwaited({ extras, registration, startedAt }: Hop): boolean {
  if (extras?.flight?.isAwaited !== true || extras.closed !== undefined) return false;
  const { timeoutMs } = registration?.definition ?? {};
  return timeoutMs === undefined || now() < startedAt + timeoutMs;
}

/** Why nothing new may start for a hop: the run has ended, or a fan-out above is decided. */
export function whyClosed(hop: Hop): MeshError | undefined {
  let below = hop;
  for (let above = hop.parent; above !== undefined; above = above.parent) {
    if (above.state === "stopped" && isAwaited(above)) return undefined; // it continues for others
    if (above.extras?.closed !== undefined) return above.extras.closed;
    if (below.via === "ask" && above.state !== "pending") return callerEnded(above.to);
    below = above;
  }
  return hop.run.calls.closed;
}

const none: readonly string[] = Object.freeze([]);

/** The deadline of a child: `endsBy` minus a tenth of what remains, at most 500 ms, for the merge. */
function lessReserve(endsBy: number, current: number): number {
  return endsBy - Math.min(maxReserveMs, Math.max(0, (endsBy - current) / 10));
}

/** The scope of a hop, with what a delegate adds and leaves out. */
function scopeBelow(
  { scope, run }: Hop,
  added: Readonly<Record<string, unknown>> | undefined,
  limits: UserLimits | undefined,
): HopScope {
  if (added === undefined && limits === undefined && scope.reason === undefined) return scope;
  const below = { ...scope, user: limitedUser(scope.user, limits), reason: undefined };
  if (added === undefined) return below;
  const { secrets, inputLimits } = run.mesh.settings;
  const taker = new DataTaker(inputLimits, run.dataScope);
  const own = taker.take(added, undefined);
  if ("problem" in own) return { ...below, metadataProblem: own.problem };
  const { data } = own;
  const both = taker.take({ ...scope.metadata, ...withoutSecretKeys(data, secrets) }, undefined);
  if ("problem" in both) return { ...below, metadataProblem: both.problem };
  return { ...below, metadata: both.data, reason: data.reason };
}

function limitedUser(user: User | undefined, limits: UserLimits | undefined): User | undefined {
  return user === undefined || limits === undefined ? user : limitUser(user, limits);
}
