/** A caller that waits for the call of another one. */
export interface FlightWaiter<Outcome> {
  /** Outcome of the call; `undefined`: it was stopped, or this caller has left. */
  readonly outcome: Promise<Outcome | undefined>;
  leave(): void;
}

/** A call that others wait for. It is stopped when its caller and the last of them have left. */
export class Flight<Outcome> {
  readonly #waiting = new Set<(outcome: Outcome | undefined) => void>();
  /** Ends the calls that continue for others: the call, and its hedge. */
  #stops: (() => void)[] = [];
  /** Whether its outcome is still to come. */
  isOpen = true;
  /** Latest moment at which one that has joined stops waiting. */
  endsBy = Number.NEGATIVE_INFINITY;

  get isAwaited(): boolean {
    return this.#waiting.size > 0;
  }

  /** @param endsBy - Moment at which it stops waiting. */
  join(endsBy: number): FlightWaiter<Outcome> {
    this.endsBy = Math.max(this.endsBy, endsBy);
    let settle: (outcome: Outcome | undefined) => void = () => undefined;
    const outcome = new Promise<Outcome | undefined>((resolve) => {
      settle = resolve;
    });
    this.#waiting.add(settle);
    return {
      outcome,
      leave: () => {
        this.#waiting.delete(settle);
        settle(undefined);
        if (!this.isAwaited) this.#stopAll();
      },
    };
  }

  /** A caller has left. @param stop - Ends its call; called when no one waits any more, or has what it waited for. */
  continueFor(stop: () => void): void {
    this.#stops.push(stop);
  }

  /** The call has ended. @param outcome - `undefined`: without a result that others can use. */
  settle(outcome: Outcome | undefined): void {
    this.isOpen = false;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const each of waiting) each(outcome);
    this.#stopAll();
  }

  #stopAll(): void {
    for (const stop of this.#stops.splice(0)) stop();
  }
}
