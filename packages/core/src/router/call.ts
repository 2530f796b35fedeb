import { guardSignal } from "../contract/guarded-signal.js";
import type { MeshError } from "../contract/mesh-error.js";
import type { Response } from "../contract/response.js";
import type { Hop } from "./hop.js";
import type { RunState } from "./run-state.js";

const settle: (
  this: Promise<unknown>,
  onReturned: (returned: unknown) => void,
  onThrown: (thrown: unknown) => void,
) => unknown = Promise.prototype.then;

/**
 * One call of code that is not ours: a librarian, or a merge function.
 *
 * It ends when that code settles, when its time is up, or when it is stopped, whichever comes
 * first; the run then goes on at once, and what the code does later is dropped.
 */
export abstract class Call {
  readonly run: RunState;
  /** Moment on the clock of `now()` at which it is stopped. */
  endsAt = Number.POSITIVE_INFINITY;
  /** Nobody waits for it any more. */
  isOver = false;
  /** The code has settled. */
  hasSettled = false;
  /** Neighbours among the calls that the run waits for. */
  previous: Call | undefined;
  next: Call | undefined;
  #stoppedBy: MeshError | undefined;
  #controller: AbortController | undefined;
  #resolve: ((response: Response) => void) | undefined;

  constructor(run: RunState) {
    this.run = run;
  }

  /** Calls the code. May throw. */
  protected abstract start(): unknown;
  /** Makes a response of what the code returned. Never throws. */
  protected abstract accept(returned: unknown): Response;
  /** Makes a response of a failure. Never throws. */
  protected abstract fail(error: MeshError): Response;
  /** Reads what the code threw. */
  protected abstract readThrown(thrown: unknown): MeshError;
  /** It is over, with this response: the place for events and spans. */
  protected abstract ended(response: Response, failure: MeshError | undefined): void;
  /** Whether a hop is among those above it. */
  abstract isBelow(hop: Hop): boolean;
  /** It was stopped, and its code has now settled. */
  protected abstract settledLate(): void;

  /**
   * Aborts when the call is stopped. Made when it is first read: on Node 20 making one costs more
   * than everything else about a hop.
   */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      guardSignal(this.#controller.signal);
      if (this.#stoppedBy !== undefined) this.#controller.abort(this.#stoppedBy);
    }
    return this.#controller.signal;
  }

  /**
   * Goes on with the signal of a call that is over, if that made one. What it left behind is then
   * told to stop together with this.
   */
  takeOverSignal(from: Call): void {
    this.#controller = from.#controller;
  }

  /** Starts it and waits for its end. Never rejects. Call it once. */
  outcome(): Promise<Response> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.run.calls.add(this);
      try {
        // The native `then`: what came back may bring one of its own.
        settle.call(
          Promise.resolve(this.start()),
          (returned) => this.#settled(this.accept(returned), undefined),
          (thrown) => this.#threw(thrown),
        );
      } catch (thrown) {
        this.#threw(thrown);
      }
    });
  }

  #threw(thrown: unknown): void {
    const failure = this.readThrown(thrown);
    this.#settled(this.fail(failure), failure);
  }

  #settled(response: Response, failure: MeshError | undefined): void {
    if (this.hasSettled) return;
    this.hasSettled = true;
    if (this.isOver) {
      this.settledLate();
      this.run.forget();
    } else {
      this.#end(response, failure);
    }
  }

  /** Ends it now, for this reason. The code is told through its signal; nobody waits for it. */
  stop(error: MeshError): void {
    if (this.isOver) return;
    this.#stoppedBy = error;
    this.run.remember();
    this.#end(this.fail(error), error);
    this.#controller?.abort(error);
  }

  #end(response: Response, failure: MeshError | undefined): void {
    this.isOver = true;
    this.run.calls.remove(this);
    this.#resolve?.(response); // whoever waits goes on after this turn
    this.#resolve = undefined;
    this.ended(response, failure);
  }
}
