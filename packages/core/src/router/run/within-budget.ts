import type {
  AIAnalysis,
  AIAnalysisRequest,
  AIClient,
  AICompletion,
  AIPrice,
  AIRequest,
  AIToolRequest,
  AIUsage,
} from "../../contract/ai-client.js";
import { MeshError } from "../../contract/mesh-error.js";
import { isRecord } from "../../contract/unknown-value.js";
import type { BudgetLedger } from "./budget-ledger.js";
import { budgetSpent, callerCancelled } from "./errors.js";

const defaultMaxTokens = 4_096;

/** What a call takes from a ledger before it starts. */
interface Reservation {
  /** Maximum number of tokens the call may write. */
  readonly writes: number;
  readonly tokens: number;
  readonly costUsd: number;
}

/**
 * A client that spends no more than is left.
 *
 * Before a call it reserves the tokens the call may write, lowered to what tokens and money allow,
 * and those it will read, estimated at one for three bytes; a tool loop reserves all that is left.
 * Money is reserved at the client's price, else at the highest price this run has seen; until one is
 * known, calls wait for each other. Afterwards the reservation becomes what was used.
 *
 * @param whyClosed - Why the hop may not call a model any more, if so.
 */
export function withinBudget(
  client: AIClient,
  ledger: BudgetLedger,
  whyClosed: () => MeshError | undefined = () => undefined,
): AIClient {
  async function spend<Request extends AIRequest, Result extends AICompletion>(
    request: Request,
    isLoop: boolean,
    call: (request: Request, reserved: Reservation) => Promise<Result>,
  ): Promise<Result> {
    let known = priceFor(client, ledger, request.model);
    while (known === undefined && ledger.pricing !== undefined) {
      await orAbort(ledger.pricing, request.signal);
      known = priceFor(client, ledger, request.model);
    }
    // Nothing is awaited from here until the reservation is made.
    const closed = whyClosed();
    if (closed !== undefined) throw closed;
    const reserved = reserve(
      request,
      amount(client.maxTokens) || defaultMaxTokens,
      ledger,
      known,
      isLoop,
    );
    ledger.take(reserved.tokens, reserved.costUsd);
    const priced = known === undefined ? showPrice(ledger) : undefined;
    let usage: AIUsage | undefined;
    try {
      const result = await call({ ...request, maxTokens: reserved.writes }, reserved);
      usage = result.usage;
      return result;
    } catch (thrown) {
      usage = usageOf(thrown);
      throw thrown;
    } finally {
      const tokens = amount(usage?.inputTokens) + amount(usage?.outputTokens);
      const costUsd = amount(usage?.costUsd);
      ledger.take(tokens - reserved.tokens, costUsd - reserved.costUsd);
      if (usage !== undefined) ledger.learnPrice(tokens, costUsd);
      priced?.();
    }
  }

  return {
    complete: (request) => spend(request, false, (lowered) => client.complete(lowered)),
    analyze: <T>(request: AIAnalysisRequest<T>): Promise<AIAnalysis<T>> =>
      spend(request, false, (lowered) => client.analyze(lowered)),
    runTools: (request: AIToolRequest) => {
      const { maxTotalTokens = Infinity } = request;
      return spend(request, true, (lowered, { tokens }) =>
        client.runTools({
          ...lowered,
          maxTotalTokens: Math.min(maxTotalTokens, tokens === 0 ? Infinity : tokens),
        }),
      );
    },
    ...(client.model !== undefined && { model: client.model }),
    ...(client.contextTokens !== undefined && { contextTokens: client.contextTokens }),
    ...(client.maxTokens !== undefined && { maxTokens: client.maxTokens }),
    ...(client.priceOf !== undefined && { priceOf: (model) => client.priceOf?.(model) }),
  };
}

/** The price of a call, as far as it is known. Without a limit on money none is needed. */
function priceFor(
  client: AIClient,
  ledger: BudgetLedger,
  model: string | undefined,
): AIPrice | undefined {
  if (ledger.costLeft === Infinity) return free;
  return checkedPrice(client, model) ?? ledger.price;
}

const free: AIPrice = { inputUsd: 0, outputUsd: 0 };

function checkedPrice(client: AIClient, model: string | undefined): AIPrice | undefined {
  const price: unknown = client.priceOf?.(model);
  if (!isRecord(price)) return undefined;
  const { inputUsd, outputUsd } = price;
  if (!isAmount(inputUsd) || !isAmount(outputUsd)) return undefined;
  return { inputUsd, outputUsd };
}

/** Waits, at most until a signal aborts. */
async function orAbort(work: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return work;
  let stop = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(MeshError.copyOf(signal.reason) ?? callerCancelled(signal.reason));
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
  try {
    await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Says that a call is under way that will show the price. @returns Call it when that has ended. */
function showPrice(ledger: BudgetLedger): () => void {
  let ended = () => {};
  ledger.pricing = new Promise((resolve) => {
    ended = () => {
      ledger.pricing = undefined;
      resolve();
    };
  });
  return ended;
}

/** @throws MeshError when not even one token may be written. */
function reserve(
  request: AIRequest,
  defaultTokens: number,
  ledger: BudgetLedger,
  price: AIPrice | undefined,
  isLoop: boolean,
): Reservation {
  const { tokensLeft, costLeft } = ledger;
  const { inputUsd, outputUsd } = price ?? free;
  const reads = Math.ceil(bytesOf(request) / 3);
  const affordable = outputUsd > 0 ? (costLeft - reads * inputUsd) / outputUsd : Infinity;
  const wanted = request.maxTokens ?? defaultTokens;
  const writes = Math.floor(Math.min(wanted, tokensLeft - reads, affordable));
  if (!(writes >= 1) || costLeft <= 0) throw budgetSpent();
  // How much tools will give is not known, and neither is a price that no call has shown: such a
  // call has all that is left until it ends.
  const allCost = costLeft === Infinity ? 0 : costLeft;
  const tokenPrice = Math.max(inputUsd, outputUsd);
  const loopTokens = Math.min(
    tokensLeft,
    tokenPrice > 0 ? Math.floor(costLeft / tokenPrice) : Infinity,
  );
  return {
    writes,
    tokens: isLoop ? (loopTokens === Infinity ? 0 : loopTokens) : reads + writes,
    costUsd: isLoop || price === undefined ? allCost : reads * inputUsd + writes * outputUsd,
  };
}

function bytesOf({ system = "", prompt }: AIRequest): number {
  const texts = typeof prompt === "string" ? [prompt] : prompt.map(({ text }) => text);
  return [system, ...texts].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

function isAmount(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value < Infinity;
}

/** What a client reports, which may be anything; what is not an amount would undo the budget. */
function amount(reported: unknown): number {
  return isAmount(reported) ? reported : 0;
}

function usageOf(thrown: unknown): AIUsage | undefined {
  const usage = MeshError.copyOf(thrown)?.details?.usage;
  return isRecord(usage) && typeof usage.inputTokens === "number"
    ? (usage as unknown as AIUsage)
    : undefined;
}
