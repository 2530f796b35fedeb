import type { AIPrice, Budget } from "../../contract/ai-client.js";
import type { CallLedger } from "../../contract/remote-call.js";

/**
 * What a run has spent and may still spend; without a budget there is no limit. Spending of a child also counts in
 * its parent, so that a child never has more than its parent has left.
 */
export class BudgetLedger {
  readonly #parent: BudgetLedger | undefined;
  /** The ledger at the top, which knows prices and lends. */
  readonly #top: BudgetLedger;
  readonly #lender: CallLedger | undefined;
  #tokens: number;
  #costUsd: number;
  #tokensTaken = 0;
  #costTaken = 0;
  /** Highest price seen in this run. */
  #price: AIPrice | undefined;
  /** Resolves when the first price is known, or the call that should show it has ended. */
  #pricing: Promise<void> | undefined;

  /** @param lender - The ledger of the calling process, where that has limits too. */
  constructor(
    { tokens = Infinity, costUsd = Infinity }: Budget = {},
    parent?: BudgetLedger,
    lender?: CallLedger,
  ) {
    this.#parent = parent;
    this.#top = parent === undefined ? this : parent.#top;
    this.#lender = lender;
    this.#tokens = tokens;
    this.#costUsd = costUsd;
  }

  /** Tokens left here and above. */
  get tokensLeft(): number {
    return Math.min(this.#tokens, this.#parent?.tokensLeft ?? Infinity);
  }

  /** US dollars left here and above. */
  get costLeft(): number {
    return Math.min(this.#costUsd, this.#parent?.costLeft ?? Infinity);
  }

  /** Lends to this process; `undefined`: only the limits here count. */
  get lender(): CallLedger | undefined {
    return this.#top.#lender;
  }

  /** Whether anything limits what may be spent. */
  get isLimited(): boolean {
    return this.tokensLeft !== Infinity || this.costLeft !== Infinity || this.lender !== undefined;
  }

  /** Tokens taken so far. */
  get tokensTaken(): number {
    return this.#tokensTaken;
  }

  /** US dollars taken so far. */
  get costTaken(): number {
    return this.#costTaken;
  }

  /** Takes tokens and money, here and above; a negative amount gives them back. */
  take(tokens: number, costUsd: number): void {
    this.#tokensTaken += tokens;
    this.#costTaken += costUsd;
    this.#tokens -= tokens;
    this.#costUsd -= costUsd;
    this.#parent?.take(tokens, costUsd);
  }

  /** Price as calls of this run have shown it; `undefined` while none has. */
  get price(): AIPrice | undefined {
    return this.#top.#price;
  }

  /** A call that is under way to show the price, if there is one. */
  get pricing(): Promise<void> | undefined {
    return this.#top.#pricing;
  }

  set pricing(call: Promise<void> | undefined) {
    this.#top.#pricing = call;
  }

  /** Learns a price from a call: all its tokens at the same price, the highest seen. */
  learnPrice(tokens: number, costUsd: number): void {
    const seen = tokens > 0 ? costUsd / tokens : 0;
    const highest = Math.max(seen, this.price?.outputUsd ?? 0);
    this.#top.#price = { inputUsd: highest, outputUsd: highest };
  }
}

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
    this.#ownLeft = maxHops - 1; // the first one came with the call
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
