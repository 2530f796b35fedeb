import type { Cancellation } from "./cancellation.js";
import type { Link } from "./link.js";
import type { Pings } from "./pings.js";
import type { TransportSettings } from "./settings.js";

/** The fields of a call that watching its caller needs. */
interface WatchedCall {
  readonly call: {
    /** Random id of the calling process. */
    readonly from: string;
    /** Name of the calling process. */
    readonly caller: string;
  };
  readonly cancellation: Cancellation;
  readonly startedAt: number;
}

/** The calls in progress. */
interface WatchedCalls {
  readonly size: number;
  values(): Iterable<WatchedCall>;
}

/** Pings the processes whose calls take long, and cancels the calls of those that are gone. */
export class CallerWatch {
  readonly #link: Link;
  readonly #settings: TransportSettings;
  readonly #pings: Pings;
  readonly #active: WatchedCalls;
  /** Calling processes with no listener at their address, and since when. */
  readonly #gone = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(link: Link, settings: TransportSettings, pings: Pings, active: WatchedCalls) {
    this.#link = link;
    this.#settings = settings;
    this.#pings = pings;
    this.#active = active;
  }

  /** A call has begun. */
  watch(): void {
    this.#timer ??= setInterval(() => this.#look(), this.#settings.heartbeatMs).unref();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Once in each period, while there are calls. */
  #look(): void {
    if (this.#active.size === 0) {
      this.close();
      this.#gone.clear();
      return;
    }
    if (!this.#link.isConnected) return;
    const oldest = performance.now() - this.#settings.lostAfterMs / 2;
    const callers = new Map<string, string>();
    for (const { call, startedAt, cancellation } of this.#active.values()) {
      if (startedAt < oldest && !cancellation.isCancelled) callers.set(call.from, call.caller);
    }
    for (const node of this.#gone.keys()) if (!callers.has(node)) this.#gone.delete(node);
    for (const [node, name] of callers) void this.#check(node, name);
  }

  /** A caller that does not answer may be frozen; one without a listener is gone. */
  async #check(node: string, name: string): Promise<void> {
    const { lostAfterMs } = this.#settings;
    const { kind } = await this.#pings.ping({ node, name }, lostAfterMs);
    if (kind !== "gone") {
      this.#gone.delete(node);
      return;
    }
    const now = performance.now();
    const since = this.#gone.get(node);
    if (since === undefined) this.#gone.set(node, now);
    else if (now - since >= lostAfterMs) {
      for (const { call, cancellation } of this.#active.values()) {
        if (call.from === node) cancellation.cancel();
      }
    }
  }
}
