import type { AIPrice } from "../../contract/ai-client.js";
import type { MeshError } from "../../contract/mesh-error.js";
import type { ModelCallRequest, ModelCallReservation } from "../../contract/remote-call.js";
import { withDeadline } from "../../waits/with-deadline.js";
import type { BudgetLedger } from "./budget-ledger.js";
import { budgetSpent } from "./errors.js";

/** What ends a wait for a reservation. */
interface ReservationWait {
  /** Why no model may be called any more, if so. */
  readonly whyClosed: () => MeshError | undefined;
  /** Read only where there is something to wait for. */
  readonly signal: () => AbortSignal | undefined;
}

/**
 * Takes what a call of a model may spend from a ledger, and from that of the calling process where this one
 * is called from another.
 *
 * @returns A promise only where there is something to wait for: another call that shows the price, or that process.
 * @throws MeshError when not even one token may be written.
 */
export function reserveModelCall(
  ledger: BudgetLedger,
  request: ModelCallRequest,
  wait: ReservationWait,
): ModelCallReservation | Promise<ModelCallReservation> {
  const price = priceFor(request, ledger);
  const { lender, pricing } = ledger;
  if (price === undefined && pricing !== undefined) {
    return withDeadline({ signal: wait.signal() }, () => pricing).then(() =>
      reserveModelCall(ledger, request, wait),
    );
  }
  const closed = wait.whyClosed();
  if (closed !== undefined) throw closed;
  const own = amountsFor(request, ledger, price);
  const endPricing = price === undefined ? beginPricing(ledger) : undefined;
  ledger.take(own.tokens, own.costUsd);
  if (lender === undefined) return createReservation(ledger, own, price, endPricing);
  const maxTokens = request.isLoop && own.tokens > 0 ? own.tokens : request.maxTokens;
  return lender.reserveModelCall({ ...request, writes: own.writes, maxTokens }).then(
    (above) => createReservation(ledger, own, price, endPricing, above),
    (thrown: unknown) => {
      ledger.take(-own.tokens, -own.costUsd);
      endPricing?.();
      throw thrown;
    },
  );
}

/** @param above - What the calling process reserved for the same call. */
function createReservation(
  ledger: BudgetLedger,
  own: Amounts,
  price: AIPrice | undefined,
  endPricing: (() => void) | undefined,
  above?: ModelCallReservation,
): ModelCallReservation {
  // A model without a price here may have one in the calling process.
  const paid = price === free && above !== undefined ? above.price : price;
  const reservedUsd = Math.max(own.costUsd, above?.costUsd ?? 0);
  let isSettled = false;
  return {
    writes: Math.min(own.writes, above?.writes ?? Infinity),
    maxTokens: Math.min(own.tokens === 0 ? Infinity : own.tokens, above?.maxTokens ?? Infinity),
    costUsd: reservedUsd,
    price: paid,
    settle(usage) {
      if (isSettled) return;
      isSettled = true;
      const { inputTokens = 0, outputTokens = 0, costUsd } = usage ?? {};
      const tokens = inputTokens + outputTokens;
      if (costUsd !== undefined) ledger.learnPrice(tokens, costUsd);
      const priced =
        paid === undefined
          ? reservedUsd
          : inputTokens * paid.inputUsd + outputTokens * paid.outputUsd;
      const cost = usage === undefined ? 0 : (costUsd ?? priced);
      ledger.take(tokens - own.tokens, cost - own.costUsd);
      above?.settle(usage);
      endPricing?.();
    },
  };
}

const free: AIPrice = { inputUsd: 0, outputUsd: 0 };

/** The price of a call, as far as it is known. Without a limit on money none is needed. */
function priceFor({ price }: ModelCallRequest, ledger: BudgetLedger): AIPrice | undefined {
  if (ledger.costLeft === Infinity) return free;
  return price ?? ledger.price;
}

/** Makes other calls wait for the one that will show the price. @returns Call it when that has ended. */
function beginPricing(ledger: BudgetLedger): () => void {
  let ended = () => {};
  ledger.pricing = new Promise((resolve) => {
    ended = () => {
      ledger.pricing = undefined;
      resolve();
    };
  });
  return ended;
}

/** What a call takes from a ledger before it starts. */
interface Amounts {
  /** Maximum number of tokens the call may write. */
  readonly writes: number;
  /** 0 for a loop without a limit. */
  readonly tokens: number;
  readonly costUsd: number;
}

/** @throws MeshError when not even one token may be written. */
function amountsFor(
  request: ModelCallRequest,
  { tokensLeft, costLeft }: BudgetLedger,
  price: AIPrice | undefined,
): Amounts {
  const { reads, isLoop, maxTokens = Infinity } = request;
  const { inputUsd, outputUsd } = price ?? free;
  const affordable = outputUsd > 0 ? (costLeft - reads * inputUsd) / outputUsd : Infinity;
  const writes = Math.floor(Math.min(request.writes, tokensLeft - reads, affordable));
  if (!(writes >= 1) || costLeft <= 0) throw budgetSpent();
  // Neither the output of tools nor a price that no call has shown is known in advance: such a call reserves all that
  // is left until it ends.
  const allCost = costLeft === Infinity ? 0 : costLeft;
  const tokenPrice = Math.max(inputUsd, outputUsd);
  const loopTokens = Math.min(
    tokensLeft,
    maxTokens,
    tokenPrice > 0 ? Math.floor(costLeft / tokenPrice) : Infinity,
  );
  return {
    writes,
    tokens: isLoop ? (loopTokens === Infinity ? 0 : loopTokens) : reads + writes,
    costUsd: isLoop || price === undefined ? allCost : reads * inputUsd + writes * outputUsd,
  };
}
