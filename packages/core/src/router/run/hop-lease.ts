import type { CallLedger } from "../../contract/call-ledger.js";

interface Waiting {
  readonly count: number;
  readonly resolve: (hops: number) => void;
}

/** The hops that a run leases from the process that called it: those wanted at the same time in one request. */
export class HopLease {
  readonly #ledger: CallLedger;
  #waiting: Waiting[] = [];
  /** Hops that this process lets the run lease: its own limit. */
  #ownLeft: number;
  /** Limit that refused the last hop, for errors. */
  maxHops: number;

  constructor(ledger: CallLedger, maxHops: number) {
    this.#ledger = ledger;
    this.#ownLeft = maxHops - 1; // the first was given with the call
    this.maxHops = maxHops;
  }

  /** @returns How many of them were granted. Never rejects. */
  lease(count: number): Promise<number> {
    return new Promise((resolve) => {
      this.#waiting.push({ count, resolve });
      if (this.#waiting.length === 1) queueMicrotask(() => void this.#request());
    });
  }

  async #request(): Promise<void> {
    const waiting = this.#waiting.splice(0);
    const count = waiting.reduce((sum, each) => sum + each.count, 0);
    const wanted = Math.min(count, this.#ownLeft);
    this.#ownLeft -= wanted;
    let left = wanted < 1 ? 0 : await this.#take(wanted);
    this.#ownLeft += wanted - left;
    for (const each of waiting) {
      const hops = Math.min(each.count, left);
      left -= hops;
      each.resolve(hops);
    }
  }

  async #take(count: number): Promise<number> {
    try {
      const { hops, maxHops } = await this.#ledger.leaseHops(count);
      if (hops < count) this.maxHops = Math.min(this.maxHops, maxHops);
      return Math.min(count, hops);
    } catch {
      return 0; // the call has ended
    }
  }
}
