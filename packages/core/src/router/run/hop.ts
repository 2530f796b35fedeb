import type { Context, DelegationOptions } from "../../contract/context.js";
import type { DelegateRequest } from "../../contract/response.js";
import { limitUser, type User, type UserLimits } from "../../contract/user.js";
import type { AgainRecord } from "../../events/events.js";
import { BudgetLedger } from "./budget-ledger.js";
import { now } from "./deadline-timer.js";
import { hideContent } from "./errors.js";
import { extrasOf } from "./hop-extras.js";
import type { HopScope } from "./hop-scope.js";
import type { CallKind, Hop, RunState } from "./model.js";
import { withoutSecretKeys } from "./secrets.js";

/** Longest time of a parent that is kept for merging, in milliseconds. */
const maxReserveMs = 500;

/** A class for its speed only: objects of one shape. Their size is part of what each hop costs. */
class HopData implements Hop {
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
    run: RunState,
    parent: Hop | undefined,
    to: string,
    query: string,
    via: Hop["via"],
    scope: HopScope,
    endsBy: number,
    current: number,
  ) {
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

  get kind(): CallKind {
    return this.run.mesh.librarianCall;
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

  get reason(): unknown {
    return this.scope.reason;
  }

  get merge(): Hop["merge"] {
    return this.scope.merge;
  }

  get ledger(): Hop["ledger"] {
    return this.scope.ledger;
  }

  get endsAt(): number {
    const timeoutMs = this.registration?.definition.timeoutMs;
    return timeoutMs === undefined
      ? this.endsBy
      : Math.min(this.endsBy, this.startedAt + timeoutMs);
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

/** The first hop of a run. */
export function firstHop(run: RunState, to: string): Hop {
  const { query, limits, scope } = run;
  return new HopData(run, undefined, to, query, "entry", scope, limits.endsAt, limits.startedAt);
}

/** The hop that a delegate of a hop's response asks for. */
export function delegateHop(hop: Hop, request: DelegateRequest, current: number): Hop {
  const { to, query = hop.query, context, user } = request;
  const scope = scopeBelow(hop, context, user);
  const endsBy = lessReserve(hop.endsBy, current);
  return new HopData(hop.run, hop, to, query, "delegate", scope, endsBy, current);
}

/**
 * The next hop of a chain. It continues with the signal of the one before, if that was made: what
 * that one left behind is then stopped together with this.
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
  const endsBy = Math.min(lessReserve(hop.endsAt, current), current + timeoutMs);
  return new HopData(hop.run, hop, to, query, "ask", scope, endsBy, current);
}

/** The same work again. @param attempt - Which call of it this is, from 1. */
export function hopAgain(hop: Hop, attempt: number, kind: AgainRecord["kind"]): Hop {
  const { run, parent, to, query, via, scope, endsBy } = hop;
  const again = new HopData(run, parent, to, query, via, scope, endsBy, now());
  const extras = extrasOf(again);
  extras.attempt = attempt;
  extras.again = { kind, of: hop };
  extras.flight = hop.extras?.flight;
  return again;
}

/** The hop that asks a fallback for what a hop did not give. */
export function fallbackHop(hop: Hop, to: string): Hop {
  const { run, query, endsBy } = hop;
  const scope = { ...hop.scope, reason: `Fallback of ${hop.to}.` };
  return new HopData(run, hop, to, query, "fallback", scope, endsBy, now());
}

/** What a child may have of `endsBy`: a tenth of what remains, at most 500 ms, stays for the merge. */
function lessReserve(endsBy: number, current: number): number {
  return endsBy - Math.min(maxReserveMs, Math.max(0, (endsBy - current) / 10));
}

/** The scope of a hop, with what a delegate adds and leaves out. */
function scopeBelow(
  { scope, run }: Hop,
  added: Readonly<Record<string, unknown>> | undefined,
  limits: UserLimits | undefined,
): HopScope {
  const { user, metadata, merge, ledger } = scope;
  if (added === undefined && limits === undefined && scope.reason === undefined) return scope;
  return {
    user: limitedUser(user, limits),
    metadata:
      added === undefined
        ? metadata
        : Object.freeze({ ...metadata, ...withoutSecretKeys(added, run.mesh.settings.secrets) }),
    reason: added?.reason,
    merge,
    ledger,
  };
}

function limitedUser(user: User | undefined, limits: UserLimits | undefined): User | undefined {
  return user === undefined || limits === undefined ? user : limitUser(user, limits);
}
