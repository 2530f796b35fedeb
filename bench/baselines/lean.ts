import type { DelegateRequest, Librarian, Response } from "@constellation/core";
import {
  type Context as OtelContext,
  context as otelContexts,
  type Span,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { failed, isOne, isResponse } from "./check.js";
import { HopContext } from "./lean-context.js";
import { Deadlines, type Timed } from "./lean-deadlines.js";
import type { Mesh } from "./variant.js";

/** Most librarians on one path. */
const maxDepth = 100;

export interface LeanOptions {
  readonly tracer?: Tracer | undefined;
  /**
   * A signal for each hop, or one for a branch: that costs less, and aborts who has answered, too.
   * @default "hop"
   */
  readonly signalPer?: "hop" | "branch" | undefined;
}

/**
 * The same rules from the cheapest pieces: how little a hop can cost.
 *
 * - A signal is made when a librarian first reads it.
 * - One timer serves all deadlines: they are equally long, so their order is a list.
 * - Contexts point to their parents; walking up is the loop check, and a fan-out copies nothing.
 * - One promise for a route and none for a hop: an object drives a whole branch.
 * - One listener on the caller's signal for a route; its branches hang in a list.
 */
export function createLean(options: LeanOptions = {}): Mesh {
  const mesh: LeanMesh = { ...options, librarians: new Map(), deadlines: new Deadlines() };
  return {
    add: (id, librarian) => mesh.librarians.set(id, librarian),
    ask: (to, query, signal) =>
      new Promise((resolve) => {
        const route = new Route(mesh, signal, resolve);
        const within = mesh.tracer === undefined ? undefined : otelContexts.active();
        new Branch(route, undefined, 0, within).hop(to, query, undefined);
        if (signal?.aborted === true) route.stop(signal.reason);
      }),
  };
}

interface LeanMesh extends LeanOptions {
  readonly librarians: Map<string, Librarian>;
  readonly deadlines: Deadlines;
}

/** From one librarian to the next, until someone answers or several are asked at once. */
class Branch implements Timed {
  /** Neighbours among the deadlines, then among the branches of the route. */
  due = 0;
  earlier: Timed | undefined;
  later: Timed | undefined;
  isTimed = false;
  previous: Branch | undefined;
  next: Branch | undefined;

  readonly #route: Route;
  readonly #parent: Branch | undefined;
  readonly #index: number;
  readonly #onReturn = (response: unknown) => this.#returned(response);
  readonly #onThrow = () => this.#returned(failed("INTERNAL_ERROR", this.#to));
  #context: HopContext | undefined;
  #to = "";
  #query = "";
  #isOver = false;
  #controller: AbortController | undefined;
  #stoppedBy: unknown;
  #waitsFor = 0;
  #delegates: readonly DelegateRequest[] = [];
  #responses: Response[] = [];
  #span: Span | undefined;
  #within: OtelContext | undefined;

  constructor(
    route: Route,
    parent: Branch | undefined,
    index: number,
    within: OtelContext | undefined,
  ) {
    this.#route = route;
    this.#parent = parent;
    this.#index = index;
    this.#within = within;
    route.enter(this);
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#stoppedBy !== undefined) this.#controller.abort(this.#stoppedBy);
    }
    return this.#controller.signal;
  }

  hop(to: string, query: string, parent: HopContext | undefined): void {
    const librarian = this.#route.mesh.librarians.get(to);
    if (librarian === undefined) this.#end(failed("NOT_FOUND", to));
    else if (HopContext.isOnPath(parent, to)) this.#end(failed("LOOP_DETECTED", to));
    else if (parent !== undefined && parent.depth + 1 >= maxDepth) {
      this.#end(failed("MAX_DEPTH_EXCEEDED", to));
    } else this.#call(librarian, to, query, parent);
  }

  #call(librarian: Librarian, to: string, query: string, parent: HopContext | undefined): void {
    const { deadlines, tracer, signalPer } = this.#route.mesh;
    this.#to = to;
    this.#query = query;
    const context = new HopContext(to, parent, signalPer === "branch" ? this : undefined);
    this.#context = context;
    deadlines.add(this);
    try {
      const response =
        tracer === undefined || this.#within === undefined
          ? librarian(query, context)
          : this.#inSpan(tracer, this.#within, librarian, context);
      response.then(this.#onReturn, this.#onThrow);
    } catch {
      this.#onThrow();
    }
  }

  #inSpan(
    tracer: Tracer,
    parent: OtelContext,
    librarian: Librarian,
    context: HopContext,
  ): Promise<Response> {
    const attributes = { "librarian.id": this.#to, "librarian.depth": context.depth };
    this.#span = tracer.startSpan(`ask ${this.#to}`, { attributes }, parent);
    this.#within = trace.setSpan(parent, this.#span);
    return otelContexts.with(this.#within, librarian, undefined, this.#query, context);
  }

  #returned(returned: unknown): void {
    if (this.#isOver) return;
    this.#route.mesh.deadlines.remove(this);
    const response = isResponse(returned) ? returned : failed("INTERNAL_ERROR", this.#to);
    if (this.#span !== undefined) this.#endSpan(response);
    const { delegate } = response;
    if (delegate === undefined) this.#end(response);
    else if (isOne(delegate)) {
      this.hop(delegate.to, delegate.query ?? this.#query, this.#context);
    } else this.#fanOut(delegate);
  }

  #fanOut(delegates: readonly DelegateRequest[]): void {
    this.#delegates = delegates;
    this.#waitsFor = delegates.length;
    this.#responses = new Array<Response>(delegates.length);
    if (delegates.length === 0) this.#merge();
    let index = 0;
    for (const { to, query = this.#query } of delegates) {
      new Branch(this.#route, this, index++, this.#within).hop(to, query, this.#context);
    }
  }

  #endSpan({ error, delegate }: Response): void {
    if (error !== undefined) this.#span?.setStatus({ code: SpanStatusCode.ERROR });
    else this.#span?.setAttribute("response", delegate === undefined ? "answer" : "delegate");
    this.#span?.end();
    this.#span = undefined;
  }

  #childEnded(index: number, response: Response): void {
    this.#responses[index] = response;
    if (--this.#waitsFor === 0) this.#merge();
  }

  #merge(): void {
    const branches = this.#responses.map((response, index) => {
      const to = this.#delegates[index]?.to ?? "";
      return { to, name: to, response };
    });
    this.#end({ answer: "", metadata: { branches } });
  }

  #end(response: Response): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#route.leave(this);
    if (this.#parent === undefined) this.#route.end(response);
    else this.#parent.#childEnded(this.#index, response);
  }

  /** Ends it now; its librarian observes it through its signal. */
  stop(reason: unknown): void {
    if (this.#isOver) return;
    const response = failed("TIMEOUT", this.#to);
    this.#route.mesh.deadlines.remove(this);
    this.#stoppedBy = reason;
    if (this.#span !== undefined) this.#endSpan(response);
    this.#end(response);
    this.#controller?.abort(reason);
    if (this.#context !== undefined) HopContext.stop(this.#context, reason);
  }
}

/** One query, with its live branches in a list. */
class Route {
  readonly mesh: LeanMesh;
  readonly #signal: AbortSignal | undefined;
  readonly #resolve: (response: Response) => void;
  readonly #onAbort: (() => void) | undefined;
  #first: Branch | undefined;

  constructor(
    mesh: LeanMesh,
    signal: AbortSignal | undefined,
    resolve: (response: Response) => void,
  ) {
    this.mesh = mesh;
    this.#resolve = resolve;
    this.#signal = signal;
    this.#onAbort = signal === undefined ? undefined : () => this.stop(signal.reason);
    if (this.#onAbort !== undefined) {
      signal?.addEventListener("abort", this.#onAbort, { once: true });
    }
    mesh.deadlines.routes(1);
  }

  enter(branch: Branch): void {
    branch.next = this.#first;
    if (this.#first !== undefined) this.#first.previous = branch;
    this.#first = branch;
  }

  leave(branch: Branch): void {
    if (branch.previous === undefined) this.#first = branch.next;
    else branch.previous.next = branch.next;
    if (branch.next !== undefined) branch.next.previous = branch.previous;
  }

  stop(reason: unknown): void {
    for (let branch = this.#first; branch !== undefined; branch = this.#first) branch.stop(reason);
  }

  end(response: Response): void {
    this.mesh.deadlines.routes(-1);
    if (this.#onAbort !== undefined) this.#signal?.removeEventListener("abort", this.#onAbort);
    this.#resolve(response);
  }
}
