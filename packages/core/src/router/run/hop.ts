import type { AIClient } from "../../contract/ai-client.js";
import type { Context, DelegationOptions } from "../../contract/context.js";
import type { ErrorInfo } from "../../contract/error-info.js";
import type { MeshError } from "../../contract/mesh-error.js";
import type { DelegateRequest } from "../../contract/response.js";
import { thrownText } from "../../contract/unknown-value.js";
import { limitUser, type User, type UserLimits } from "../../contract/user.js";
import { BudgetLedger } from "./budget-ledger.js";
import { now } from "./deadline-timer.js";
import { callerEnded, hideContent } from "./errors.js";
import { extrasOf } from "./hop-extras.js";
import type { Call, CallKind, Hop, RunState } from "./model.js";
import { withoutSecretKeys, withoutSecrets } from "./secrets.js";
import { withinBudget } from "./within-budget.js";

/** Longest time of a parent that is kept for merging, in milliseconds. */
const maxReserveMs = 500;

/** Longest query an error repeats. */
const maxShownQuery = 1_000;

/** Longest stack in an error, for authors. */
const maxThrownLength = 10_000;

/** What makes a hop: which librarian gets which query, from which hop, and until when. */
type HopRequest = Pick<
  Hop,
  "to" | "query" | "via" | "user" | "endsBy" | "metadata" | "reason" | "parent" | "merge" | "ledger"
>;

/** A class for its speed only: objects of one shape. */
class HopData implements Hop {
  readonly kind: CallKind;
  readonly run: RunState;
  readonly parent: Hop | undefined;
  readonly to: string;
  readonly query: string;
  readonly via: Hop["via"];
  readonly depth: number;
  readonly registration: Hop["registration"];
  readonly user: Hop["user"];
  readonly endsBy: number;
  readonly metadata: Hop["metadata"];
  readonly reason: unknown;
  readonly merge: Hop["merge"];
  readonly ledger: Hop["ledger"];
  startedAt: number;
  endsAt = Number.POSITIVE_INFINITY;
  state: Hop["state"] = "pending";
  stoppedBy: Hop["stoppedBy"] = undefined;
  closed: Hop["closed"] = undefined;
  controller: Hop["controller"] = undefined;
  resolve: Hop["resolve"] = undefined;
  previous: Hop["previous"] = undefined;
  next: Hop["next"] = undefined;
  slot: Hop["slot"] = undefined;
  response: Hop["response"] = undefined;
  earlier: Hop["earlier"] = undefined;
  flight: Hop["flight"] = undefined;
  extras: Hop["extras"] = undefined;
  hasAsked = false;
  normalisedQuery: string | undefined = undefined;
  observation: Hop["observation"] = undefined;

  constructor(kind: CallKind, run: RunState, request: HopRequest, current: number) {
    const { parent, to, via } = request;
    this.kind = kind;
    this.run = run;
    this.parent = parent;
    this.registration = run.mesh.registry.get(to);
    this.to = this.registration !== undefined || via === "entry" ? to : hideContent(to);
    this.query = request.query;
    this.via = via;
    this.depth = parent === undefined ? 0 : parent.depth + 1;
    this.user = request.user;
    this.endsBy = request.endsBy;
    this.metadata = request.metadata;
    this.reason = request.reason;
    this.merge = request.merge;
    this.ledger = request.ledger;
    this.startedAt = current;
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
export function firstHop(kind: CallKind, run: RunState, to: string): Hop {
  const { query, user, metadata, ledger, limits } = run;
  return new HopData(
    kind,
    run,
    {
      to,
      query,
      via: "entry",
      user,
      endsBy: limits.endsAt,
      metadata,
      reason: undefined,
      parent: undefined,
      merge: undefined,
      ledger,
    },
    limits.startedAt,
  );
}

/** The hop that a delegate of a hop's response asks for. */
export function delegateHop(hop: Hop, request: DelegateRequest, current: number): Hop {
  const { to, query = hop.query, context, user } = request;
  return new HopData(
    hop.kind,
    hop.run,
    {
      to,
      query,
      via: "delegate",
      user: limitedUser(hop, user),
      endsBy: lessReserve(hop.endsBy, current),
      metadata: mergedMetadata(hop, context),
      reason: context?.reason,
      parent: hop,
      merge: hop.merge,
      ledger: hop.ledger,
    },
    current,
  );
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
  hop.hasAsked = true;
  hop.run.shared ??= new Map(); // from here on the same may be asked twice
  return new HopData(
    hop.kind,
    hop.run,
    {
      to,
      query,
      via: "ask",
      user: limitedUser(hop, user),
      endsBy: Math.min(lessReserve(hop.endsAt, current), current + timeoutMs),
      metadata: mergedMetadata(hop, context),
      reason: context?.reason,
      parent: hop,
      merge: merge ?? hop.merge,
      ledger: budget === undefined ? hop.ledger : new BudgetLedger(budget, hop.ledger),
    },
    current,
  );
}

/** The same work again. @param attempt - Which call of it this is, from 1. */
export function hopAgain(hop: Hop, attempt: number): Hop {
  const again = new HopData(hop.kind, hop.run, hop, now());
  extrasOf(again).attempt = attempt;
  again.flight = hop.flight;
  return again;
}

/** The hop that asks a fallback for what a hop did not give. */
export function fallbackHop(hop: Hop, to: string): Hop {
  const current = now();
  return new HopData(
    hop.kind,
    hop.run,
    {
      to,
      query: hop.query,
      via: "fallback",
      user: hop.user,
      endsBy: hop.endsBy,
      metadata: hop.metadata,
      reason: `Fallback of ${hop.to}.`,
      parent: hop,
      merge: hop.merge,
      ledger: hop.ledger,
    },
    current,
  );
}

/** Ids on its path, itself left out, oldest first. */
export function chainOf(hop: Hop): readonly string[] {
  const ids: string[] = [];
  for (let above = hop.parent; above !== undefined; above = above.parent) ids.push(above.to);
  return ids.reverse();
}

/** The run's model, within what a hop may spend, for a call that is made for it. */
export function aiOf(hop: Hop, call: Call): AIClient | undefined {
  const { ai, observer, secrets } = hop.run;
  if (ai === undefined) return undefined;
  const problem = () => (call.state === "pending" ? undefined : callerEnded(hop.to));
  const bounded = hop.ledger === undefined ? ai : withinBudget(ai, hop.ledger, problem);
  const observed = observer === undefined ? bounded : observer.modelOf(hop, bounded);
  return secrets === undefined ? observed : withoutSecrets(observed, secrets); // before it is recorded
}

/** Why nothing new may start for a hop: the run, or something above it, is over or decided. */
export function whyClosed(hop: Hop): MeshError | undefined {
  const { closed } = hop.run.calls;
  if (closed !== undefined) return closed;
  let below = hop;
  for (let above = hop.parent; above !== undefined; above = above.parent) {
    if (above.closed !== undefined) return above.closed;
    if (below.via === "ask" && above.state !== "pending") return callerEnded(above.to);
    below = above;
  }
  return undefined;
}

/** An error as the response of a hop has it. */
export function errorOf(hop: Hop, error: MeshError): ErrorInfo {
  const info = { librarian: hop.to, ...error.toInfo(), query: shownQuery(hop.run) };
  if (!hop.run.mesh.settings.debug || error.reason !== "threw") return info;
  const thrown = thrownText(error.cause).slice(0, maxThrownLength);
  return { ...info, details: { ...info.details, thrown } };
}

/** The query of a run as an error repeats it. */
export function shownQuery({ query }: RunState): string {
  return query.length > maxShownQuery ? `${query.slice(0, maxShownQuery)}…` : query;
}

/** What a child may have of `endsBy`: a tenth of what remains, at most 500 ms, stays for the merge. */
function lessReserve(endsBy: number, current: number): number {
  return endsBy - Math.min(maxReserveMs, Math.max(0, (endsBy - current) / 10));
}

function limitedUser({ user }: Hop, limits: UserLimits | undefined): User | undefined {
  return user === undefined || limits === undefined ? user : limitUser(user, limits);
}

function mergedMetadata(
  { metadata, run }: Hop,
  added: Readonly<Record<string, unknown>> | undefined,
): Readonly<Record<string, unknown>> | undefined {
  if (added === undefined) return metadata;
  return Object.freeze({ ...metadata, ...withoutSecretKeys(added, run.mesh.settings.secrets) });
}
