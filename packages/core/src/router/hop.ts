import type { AIClient } from "../contract/ai-client.js";
import type { Context, DelegationOptions } from "../contract/context.js";
import type { ErrorInfo } from "../contract/error-info.js";
import type { MergeStrategy } from "../contract/merge-strategy.js";
import { MeshError } from "../contract/mesh-error.js";
import type { DelegateRequest, Response } from "../contract/response.js";
import { describeType } from "../contract/unknown-value.js";
import { validateResponse } from "../contract/validate-response.js";
import type { Via } from "../events/events.js";
import { isId } from "../registry/check-definition.js";
import type { Entry } from "../registry/entry.js";
import type { ActiveSpan } from "../tracing/spans.js";
import { now } from "./alarm.js";
import { Spending, withinBudget } from "./budget.js";
import { Call } from "./call.js";
import { askerIsOver } from "./guard.js";
import { contextOf, summaryOf } from "./hop-context.js";
import { callInSpan, reportEnd, reportLate, reportStart } from "./hop-report.js";
import { observe } from "./observe.js";
import type { RunState } from "./run-state.js";

/** Most of a parent's time that is kept for merging, in milliseconds. */
const longestReserveMs = 500;

/** What makes a hop: who is asked what, by whom, and until when. */
export interface HopRequest {
  readonly to: string;
  readonly query: string;
  readonly via: Via;
  /** Moment at which the hop and everything below it must be over. */
  readonly endsBy: number;
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
  readonly reason?: unknown;
  readonly parent?: Hop | undefined;
  readonly merge?: MergeStrategy | undefined;
  readonly spending?: Spending | undefined;
}

/** One librarian call inside a run. Its parents are its path. */
export class Hop extends Call {
  readonly to: string;
  readonly query: string;
  readonly via: Via;
  readonly parent: Hop | undefined;
  readonly depth: number;
  readonly entry: Entry | undefined;
  readonly endsBy: number;
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
  readonly reason: unknown;
  readonly merge: MergeStrategy | undefined;
  readonly spending: Spending | undefined;
  /** Number of the hop in its run, from 1; 0 until it has started. */
  id = 0;
  /** Moment on the clock of `now()`. */
  startedAt: number;
  /** Why nothing new may start below it. */
  closed: MeshError | undefined;
  hasAsked = false;
  span: ActiveSpan | undefined;
  #normalised: string | undefined;

  constructor(run: RunState, request: HopRequest, current: number) {
    super(run);
    const { to, parent } = request;
    this.entry = run.registry.get(to);
    // What cannot be an id may be a secret that was returned by mistake: nothing repeats it.
    this.to =
      this.entry !== undefined || request.via === "entry" || isId(to)
        ? to
        : `(${describeType(to)})`;
    this.query = request.query;
    this.via = request.via;
    this.parent = parent;
    this.depth = parent === undefined ? 0 : parent.depth + 1;
    this.endsBy = request.endsBy;
    this.metadata = request.metadata;
    this.reason = request.reason;
    this.merge = request.merge;
    this.spending = request.spending;
    this.startedAt = current;
  }

  /** The hop a delegate of this one's response asks for. */
  delegateTo({ to, query, context }: DelegateRequest, current = now()): Hop {
    return new Hop(
      this.run,
      {
        to,
        query: query ?? this.query,
        via: "delegate",
        endsBy: lessReserve(this.endsBy, current),
        metadata: mergedMetadata(this.metadata, context),
        reason: context?.reason,
        parent: this,
        merge: this.merge,
        spending: this.spending,
      },
      current,
    );
  }

  /** The hop that goes on where this one ends, as the next of a chain. */
  goOnWith(request: DelegateRequest): Hop {
    const next = this.delegateTo(request);
    next.takeOverSignal(this);
    return next;
  }

  /** The hop `context.ask` asks for. Its time is this hop's own. */
  askOf(query: string, options: DelegationOptions, current = now()): Hop {
    const { to, context, timeoutMs = Number.POSITIVE_INFINITY, merge, budget } = options;
    this.hasAsked = true;
    return new Hop(
      this.run,
      {
        to,
        query,
        via: "ask",
        endsBy: Math.min(lessReserve(this.endsAt, current), current + timeoutMs),
        metadata: mergedMetadata(this.metadata, context),
        reason: context?.reason,
        parent: this,
        merge: merge ?? this.merge,
        spending: budget === undefined ? this.spending : new Spending(budget, this.spending),
      },
      current,
    );
  }

  /** Its query, letter case and spacing aside. */
  get normalisedQuery(): string {
    this.#normalised ??= this.query.normalize("NFC").trim().replace(/\s+/gu, " ").toLowerCase();
    return this.#normalised;
  }

  /** Ids on its path, itself left out, oldest first. */
  get chain(): readonly string[] {
    const ids: string[] = [];
    for (let above = this.parent; above !== undefined; above = above.parent) ids.push(above.to);
    return ids.reverse();
  }

  /** The run's model, within what this hop may spend. */
  get ai(): AIClient | undefined {
    const { ai } = this.run;
    if (ai === undefined || this.spending === undefined) return ai;
    return withinBudget(ai, this.spending, () => (this.isOver ? askerIsOver(this.to) : undefined));
  }

  get context(): Context {
    return contextOf(this);
  }

  /** Node.js prints a context with what it finds at the hop behind it, called on the context. */
  get [Symbol.for("nodejs.util.inspect.custom")](): () => object {
    return () => summaryOf(this);
  }

  override isBelow(other: Hop): boolean {
    for (let above = this.parent; above !== undefined; above = above.parent) {
      if (above === other) return true;
    }
    return false;
  }

  /** An error as this hop's response tells it. */
  errorOf(error: MeshError): ErrorInfo {
    return { librarian: this.to, ...error.toInfo(), query: this.run.shortQuery };
  }

  protected override start(): unknown {
    const { entry } = this;
    if (entry === undefined) throw new TypeError("A hop without a librarian was started.");
    this.endsAt = Math.min(this.endsBy, this.startedAt + (entry.definition.timeoutMs ?? Infinity));
    this.run.watch(this, this.startedAt);
    observe(this.run, () => reportStart(this));
    // What is over when the librarian has started is not called any more.
    if (!entry.isReady) {
      return entry.start().then(() => (this.isOver ? undefined : this.#call(entry)));
    }
    return this.#call(entry);
  }

  #call({ definition: { librarian } }: Entry): unknown {
    if (this.span !== undefined) return callInSpan(this.span, librarian, this);
    return librarian(this.query, this.context);
  }

  protected override accept(returned: unknown): Response {
    const checked = validateResponse(returned);
    if (checked.valid) return checked.response;
    return this.fail(
      new MeshError("INTERNAL_ERROR", `Librarian "${this.to}" returned no valid response.`, {
        reason: "invalid-response",
        librarian: this.to,
        suggestion: "Tell the librarian's author; error.details.problem names the field.",
        details: { problem: checked.problem },
      }),
    );
  }

  protected override readThrown(thrown: unknown): MeshError {
    return MeshError.from(thrown, this.to);
  }

  protected override fail(error: MeshError): Response {
    return { error: this.errorOf(error) };
  }

  protected override ended(response: Response, failure: MeshError | undefined): void {
    if (this.hasAsked) this.run.stopBelow(this, askerIsOver(this.to));
    observe(this.run, () => reportEnd(this, response, failure));
  }

  protected override settledLate(): void {
    observe(this.run, () => reportLate(this));
  }
}

/** What a child may have of `endsBy`: a tenth of what remains, at most 500 ms, stays for the merge. */
export function lessReserve(endsBy: number, current: number): number {
  return endsBy - Math.min(longestReserveMs, Math.max(0, (endsBy - current) / 10));
}

function mergedMetadata(
  metadata: Readonly<Record<string, unknown>> | undefined,
  added: Readonly<Record<string, unknown>> | undefined,
): Readonly<Record<string, unknown>> | undefined {
  return added === undefined ? metadata : Object.freeze({ ...metadata, ...added });
}
