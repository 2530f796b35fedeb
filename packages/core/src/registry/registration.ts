import type { LibrarianDefinition } from "../contract/definition.js";
import { guardSignal } from "../contract/guarded-signal.js";
import type { LibrarianInfo } from "../contract/librarian-info.js";
import { MeshError } from "../contract/mesh-error.js";
import type { Limit } from "../resilience/slot-pool.js";

import { type Policy, policyOf, type ResilienceOptions } from "./policy.js";

/** One registered librarian: its definition, and whether it has been started. */
export class Registration {
  readonly definition: LibrarianDefinition;
  readonly info: LibrarianInfo;
  readonly order: number;
  /** Ids it may delegate to; `undefined`: any. */
  readonly delegatesTo: ReadonlySet<string> | undefined;
  /** How many of its calls may be under way; `undefined`: any number. */
  readonly limit: Limit | undefined;
  /** Retry, breaker and the like; `undefined`: nothing of it. */
  readonly policy: Policy | undefined;
  /** False while `start` has yet to succeed. */
  isReady: boolean;
  /** Its last health check reported `down`. Set by the registry. */
  isDown = false;
  #starting: Promise<void> | undefined;
  #isClosed = false;
  readonly #lifetime = new Lifetime();

  /** @param order - Higher for those registered later. */
  constructor(definition: LibrarianDefinition, order: number, defaults: ResilienceOptions) {
    this.order = order;
    this.definition = definition;
    const { id, description, name, team, capabilities, examples, delegatesTo, effects } =
      definition;
    const info = { id, description, name, team, capabilities, examples, delegatesTo, effects };
    const { start, concurrency = Number.POSITIVE_INFINITY, adaptiveConcurrency } = definition;
    this.info = Object.freeze(
      Object.fromEntries(Object.entries(info).filter(([, value]) => value !== undefined)),
    ) as unknown as LibrarianInfo; // the same fields, without those that are not given
    this.delegatesTo = delegatesTo === undefined ? undefined : new Set(delegatesTo);
    const isLimited = concurrency !== Number.POSITIVE_INFINITY || adaptiveConcurrency === true;
    this.limit = isLimited ? { max: concurrency, active: 0 } : undefined;
    this.policy = policyOf(definition, defaults, this.limit);
    this.isReady = start === undefined;
  }

  /** Whether it may be offered as a delegate: neither down nor with an open breaker. */
  isOffered(now: number): boolean {
    return !this.isDown && this.policy?.breaker?.isOpen(now) !== true;
  }

  /**
   * Starts the librarian, once: calls that come meanwhile wait for the same attempt, and the call
   * after a failed attempt makes another.
   *
   * @throws MeshError with code `SERVICE_UNAVAILABLE` and what was thrown as its cause.
   */
  start(): Promise<void> {
    if (this.isReady) return Promise.resolve();
    if (this.#isClosed) return Promise.reject(closed(this.info.id)); // nothing would close it again
    this.#starting ??= this.#begin();
    return this.#starting;
  }

  async #begin(): Promise<void> {
    try {
      await this.definition.start?.(this.#lifetime.signal);
      this.isReady = true;
    } catch (thrown) {
      throw new MeshError("SERVICE_UNAVAILABLE", `Librarian "${this.info.id}" did not start.`, {
        librarian: this.info.id,
        cause: thrown,
      });
    } finally {
      this.#starting = undefined;
    }
  }

  /** Ends a start under way, and closes the librarian if it was started. Rejects as its `close` does. */
  async close(signal: AbortSignal): Promise<void> {
    this.#isClosed = true;
    this.#lifetime.end();
    await this.#starting?.catch(() => undefined);
    if (!this.isReady) return;
    this.isReady = this.definition.start === undefined;
    await this.definition.close?.(signal);
  }
}

function closed(id: string): MeshError {
  return new MeshError("SERVICE_UNAVAILABLE", `Librarian "${id}" was closed.`, { librarian: id });
}

/** A signal that is made when it is first read. */
class Lifetime {
  #controller: AbortController | undefined;

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    return guardSignal(this.#controller.signal);
  }

  end(): void {
    this.#controller?.abort(
      new MeshError("TIMEOUT", "The router is closing.", { reason: "cancelled" }),
    );
    this.#controller = undefined;
  }
}
