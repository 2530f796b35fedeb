import type { LibrarianDefinition } from "../contract/definition.js";
import { guardSignal } from "../contract/guarded-signal.js";
import type { LibrarianInfo } from "../contract/librarian-info.js";
import { MeshError } from "../contract/mesh-error.js";
import { withDefaults } from "../contract/option-table.js";
import {
  type CacheOptions,
  type ResilienceOptions,
  type RetryOptions,
  resilienceDefaults,
} from "../contract/resilience.js";
import { CircuitBreaker } from "../resilience/circuit-breaker.js";
import { AdaptiveLimit, type Limit } from "../resilience/slot-pool.js";

/** One registered librarian: its definition, and whether it has been started. */
export class Registration {
  readonly definition: LibrarianDefinition;
  readonly info: LibrarianInfo;
  readonly order: number;
  /** Ids it may delegate to; `undefined`: any. */
  readonly delegatesTo: ReadonlySet<string> | undefined;
  /** How many of its calls may be under way; `undefined`: any number. */
  readonly limit: Limit | undefined;
  /** Retry, breaker and other policies; `undefined`: none is configured. */
  readonly policy: Policy | undefined;
  /** Whether `start` has succeeded, or is not needed. */
  isReady: boolean;
  /** Its last `start` failed. */
  hasFailedToStart = false;
  /** Its last health check reported `down`. Set by the registry. */
  isDown = false;
  /** The attempt to start it that is under way. */
  #starting: Promise<void> | undefined;
  #startController: AbortController | undefined;
  /** Moment from which that attempt is not waited for any more, on the clock of `performance.now()`. */
  #startEndsAt = 0;
  #isClosed = false;

  /** @param order - Higher for those registered later. */
  constructor(definition: LibrarianDefinition, order: number, defaults: ResilienceOptions) {
    this.order = order;
    this.definition = definition;
    const { id, description, name, team, capabilities, examples, delegatesTo } = definition;
    const { vocabulary, effects, acts, idempotent, version } = definition;
    const info = {
      ...{ id, description, name, team, capabilities, examples, delegatesTo },
      ...{ vocabulary, effects, acts, idempotent, version },
    };
    const { start, concurrency = Number.POSITIVE_INFINITY, adaptiveConcurrency } = definition;
    this.info = Object.freeze(
      Object.fromEntries(Object.entries(info).filter(([, value]) => value !== undefined)),
    ) as unknown as LibrarianInfo; // the same fields, without those that are not given
    this.delegatesTo = delegatesTo === undefined ? undefined : new Set(delegatesTo);
    const isLimited = concurrency !== Number.POSITIVE_INFINITY || adaptiveConcurrency === true;
    this.limit = isLimited ? { max: concurrency, active: 0 } : undefined;
    this.policy = createPolicy(definition, defaults, this.limit);
    this.isReady = start === undefined;
  }

  /** Whether it may be offered as a delegate: it is not down, and its breaker is not open. */
  isOffered(now: number): boolean {
    return !this.isDown && this.policy?.breaker?.isOpen(now) !== true;
  }

  /**
   * Starts the librarian once: concurrent calls wait for the same attempt. A call after a failed or too slow attempt
   * makes another one.
   *
   * @param maxMs - Time that an attempt which begins now may take, in milliseconds, before another one is made. No call
   *   is made to wait that long: each has a limit of its own.
   * @throws MeshError with code `SERVICE_UNAVAILABLE` and what was thrown as its cause.
   */
  start(maxMs: number): Promise<void> {
    if (this.isReady) return Promise.resolve();
    if (this.#isClosed) return Promise.reject(closed(this.info.id)); // nothing would close it again
    if (this.#starting !== undefined && performance.now() >= this.#startEndsAt) {
      this.#endStart("It took too long to start.", "deadline");
    }
    return this.#starting ?? this.#begin(maxMs);
  }

  #begin(maxMs: number): Promise<void> {
    const controller = new AbortController();
    this.#startController = controller;
    this.#startEndsAt = performance.now() + maxMs;
    const started = this.#attempt(controller);
    if (this.#startController === controller) this.#starting = started; // else it has failed at once
    return started;
  }

  async #attempt(controller: AbortController): Promise<void> {
    const { id } = this.info;
    const isCurrent = () => this.#startController === controller;
    try {
      await this.definition.start?.(guardSignal(controller.signal));
      if (!isCurrent()) throw controller.signal.reason;
      this.isReady = true;
      this.hasFailedToStart = false;
    } catch (thrown) {
      if (isCurrent()) this.hasFailedToStart = true;
      throw new MeshError("SERVICE_UNAVAILABLE", `Librarian "${id}" did not start.`, {
        librarian: id,
        cause: thrown,
      });
    } finally {
      if (isCurrent()) {
        this.#starting = undefined;
        this.#startController = undefined;
      }
    }
  }

  #endStart(message: string, reason: "deadline" | "cancelled"): void {
    const controller = this.#startController;
    this.#starting = undefined;
    this.#startController = undefined;
    controller?.abort(new MeshError("TIMEOUT", message, { reason }));
  }

  /** Ends a start under way, and closes the librarian if it was started. Rejects as its `close` does. */
  async close(signal: AbortSignal): Promise<void> {
    this.#isClosed = true;
    const starting = this.#starting;
    this.#endStart("The router is closing.", "cancelled");
    await starting?.catch(() => undefined);
    if (!this.isReady) return;
    this.isReady = this.definition.start === undefined;
    await this.definition.close?.(signal);
  }
}

function closed(id: string): MeshError {
  return new MeshError("SERVICE_UNAVAILABLE", `Librarian "${id}" was closed.`, { librarian: id });
}

/** Options of a cache, with their defaults. */
export type CacheSettings = {
  readonly [Key in keyof Required<CacheOptions>]: NonNullable<CacheOptions[Key]>;
};

/** What is done for a librarian against failures and repeated work. */
export interface Policy {
  readonly retry: Required<{ [Key in keyof RetryOptions]: number }> | undefined;
  readonly breaker: CircuitBreaker | undefined;
  readonly adaptiveLimit: AdaptiveLimit | undefined;
  readonly hedgeAfterMs: number | undefined;
  readonly fallback: readonly string[];
  /** Equal calls of different runs share one. */
  readonly singleFlight: boolean;
  readonly cache: CacheSettings | undefined;
}

/** Names of the options of a policy that repeat a call. */
export function repeatedBy(policy: Policy | undefined): readonly string[] {
  return [
    ...(policy?.retry === undefined ? [] : ["retry"]),
    ...(policy?.hedgeAfterMs === undefined ? [] : ["hedge"]),
    ...(policy === undefined || policy.fallback.length === 0 ? [] : ["fallback"]),
  ];
}

/** Reads the policy of a checked definition. @returns `undefined` where there is none. */
export function createPolicy(
  definition: LibrarianDefinition,
  defaults: ResilienceOptions,
  limit: Limit | undefined,
): Policy | undefined {
  const { effects, fallback = [], hedge, adaptiveConcurrency, cache } = definition;
  const isRead = effects !== "write";
  const retry = withDefaults(definition.retry ?? defaults.retry, resilienceDefaults.retry);
  const breaker = withDefaults(definition.breaker ?? defaults.breaker, resilienceDefaults.breaker);
  const policy: Policy = {
    retry: isRead ? retry : undefined,
    breaker: breaker && new CircuitBreaker(breaker),
    adaptiveLimit:
      adaptiveConcurrency === true && limit !== undefined ? new AdaptiveLimit(limit) : undefined,
    hedgeAfterMs: isRead ? withDefaults(hedge, resilienceDefaults.hedge)?.afterMs : undefined,
    fallback,
    singleFlight: isRead && (definition.singleFlight ?? defaults.singleFlight) === true,
    cache:
      isRead && cache !== undefined
        ? withDefaults(cache, { ...resilienceDefaults.cache, store: cache.store })
        : undefined,
  };
  const isEmpty = Object.values(policy).every(
    (each) => each === undefined || each === false || (Array.isArray(each) && each.length === 0),
  );
  return isEmpty ? undefined : policy;
}
