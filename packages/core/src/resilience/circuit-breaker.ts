import type { BreakerOptions, BreakerState } from "../contract/resilience.js";

/** A call that a breaker let through, with the state it began in. */
export interface BreakerPermit {
  readonly era: number;
}

interface Bucket {
  /** Number of its slice of the window. */
  at: number;
  calls: number;
  failures: number;
}

/** Number of slices of a window. */
const bucketCount = 10;

/**
 * Counts how calls end, and stops them when too many fail. Moments are milliseconds on a clock that
 * only goes forward. Calls that began before a change of state do not count after it.
 */
export class CircuitBreaker {
  readonly #options: Required<{ [Key in keyof BreakerOptions]: number }>;
  readonly #buckets: Bucket[] = [];
  #state: BreakerState = "closed";
  #openUntil = 0;
  #probes = 0;
  #successes = 0;
  #era = 0;

  constructor(options: Required<{ [Key in keyof BreakerOptions]: number }>) {
    this.#options = options;
  }

  /** The current state. An open breaker becomes half-open with the next call, not by time. */
  get state(): BreakerState {
    return this.#state;
  }

  /** Whether a call would be let through. */
  isOpen(now: number): boolean {
    return this.#state === "open" && now < this.#openUntil;
  }

  /** When it lets probes through; 0 unless it is open. */
  get openUntil(): number {
    return this.#state === "open" ? this.#openUntil : 0;
  }

  /** Asks for a call. @returns A permit to be given to `settle`; `undefined`: not now. */
  enter(now: number): BreakerPermit | undefined {
    if (this.isOpen(now)) return undefined;
    if (this.#state === "open") this.#change("half-open");
    if (this.#state === "half-open") {
      if (this.#probes + this.#successes >= this.#options.probes) return undefined;
      this.#probes++;
    }
    return { era: this.#era };
  }

  /** A call has ended. `cancelled` counts as neither success nor failure. */
  settle({ era }: BreakerPermit, outcome: "success" | "failure" | "cancelled", now: number): void {
    if (era !== this.#era) return;
    if (this.#state === "half-open") {
      this.#probes--;
      if (outcome === "failure") this.#open(now);
      else if (outcome === "success" && ++this.#successes >= this.#options.probes) {
        this.#buckets.length = 0;
        this.#change("closed");
      }
      return;
    }
    if (outcome === "cancelled") return;
    const { calls, failures } = this.#count(now, outcome === "failure");
    const { minCalls, failureShare } = this.#options;
    if (calls >= minCalls && failures >= calls * failureShare) this.#open(now);
  }

  #open(now: number): void {
    this.#openUntil = now + this.#options.openMs;
    this.#change("open");
  }

  #change(state: BreakerState): void {
    this.#state = state;
    this.#era++;
    this.#probes = 0;
    this.#successes = 0;
  }

  /** Counts a call, and all calls of the window. */
  #count(now: number, isFailure: boolean): { readonly calls: number; readonly failures: number } {
    const at = Math.floor(now / (this.#options.windowMs / bucketCount));
    while ((this.#buckets[0]?.at ?? at) <= at - bucketCount) this.#buckets.shift();
    let last = this.#buckets.at(-1);
    if (last?.at !== at) {
      last = { at, calls: 0, failures: 0 };
      this.#buckets.push(last);
    }
    last.calls++;
    if (isFailure) last.failures++;
    let calls = 0;
    let failures = 0;
    for (const bucket of this.#buckets) {
      calls += bucket.calls;
      failures += bucket.failures;
    }
    return { calls, failures };
  }
}
