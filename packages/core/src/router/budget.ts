import type {
  AIAnalysis,
  AIAnalysisRequest,
  AIClient,
  AICompletion,
  AIRequest,
  AIToolRequest,
  AIUsage,
} from "../contract/ai-client.js";
import type { Budget } from "../contract/budget.js";
import { MeshError } from "../contract/mesh-error.js";
import { isRecord } from "../contract/unknown-value.js";

const defaultMaxTokens = 4_096;

/**
 * What may still be spent. Below a parent, whatever is spent is spent there too, so that a child
 * never has more than its parent has left.
 */
export class Spending {
  readonly #parent: Spending | undefined;
  #tokens: number;
  #costUsd: number;

  constructor({ tokens = Infinity, costUsd = Infinity }: Budget, parent?: Spending) {
    this.#parent = parent;
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

  /** Takes tokens and money, here and above; a negative amount gives them back. */
  take(tokens: number, costUsd: number): void {
    this.#tokens -= tokens;
    this.#costUsd -= costUsd;
    this.#parent?.take(tokens, costUsd);
  }
}

/**
 * A client that spends no more than is left.
 *
 * Before a call it reserves the tokens the call may write, lowered to what is left, and those it
 * will read, estimated at one for three bytes; a tool loop reserves all that is left. Afterwards the
 * reservation becomes what was used. After its hop is over it calls no model. Money is known only afterwards: a call starts while some is left.
 */
export function withinBudget(
  client: AIClient,
  spending: Spending,
  whyClosed: () => MeshError | undefined = () => undefined,
): AIClient {
  async function spend<Request extends AIRequest, Result extends AICompletion>(
    request: Request,
    reserve: (most: { reads: number; writes: number }) => number,
    call: (request: Request, reserved: number) => Promise<Result>,
  ): Promise<Result> {
    const closed = whyClosed();
    if (closed !== undefined) throw closed;
    const reads = Math.ceil(bytesOf(request) / 3);
    const wanted = request.maxTokens ?? defaultMaxTokens;
    const writes = Math.min(wanted, Math.floor(spending.tokensLeft - reads));
    if (writes < 1 || spending.costLeft <= 0) throw spent();
    const reserved = reserve({ reads, writes });
    spending.take(reserved, 0);
    let usage: AIUsage | undefined;
    try {
      const result = await call({ ...request, maxTokens: writes }, reserved);
      usage = result.usage;
      return result;
    } catch (thrown) {
      usage = usageOf(thrown);
      throw thrown;
    } finally {
      const used = amount(usage?.inputTokens) + amount(usage?.outputTokens);
      spending.take(used - reserved, amount(usage?.costUsd));
    }
  }
  const oneReply = ({ reads, writes }: { reads: number; writes: number }) => reads + writes;
  /** How much tools will give is not known: a loop has all that is left until it ends. */
  const wholeLoop = () => (spending.tokensLeft === Infinity ? 0 : spending.tokensLeft);

  return {
    complete: (request) => spend(request, oneReply, (lowered) => client.complete(lowered)),
    analyze: <T>(request: AIAnalysisRequest<T>): Promise<AIAnalysis<T>> =>
      spend(request, oneReply, (lowered) => client.analyze(lowered)),
    runTools: (request: AIToolRequest) => {
      const { maxTotalTokens = Infinity } = request;
      return spend(request, wholeLoop, (lowered, reserved) =>
        client.runTools({
          ...lowered,
          maxTotalTokens: Math.min(maxTotalTokens, reserved === 0 ? Infinity : reserved),
        }),
      );
    },
  };
}

function bytesOf({ system = "", prompt }: AIRequest): number {
  const texts = typeof prompt === "string" ? [prompt] : prompt.map(({ text }) => text);
  return [system, ...texts].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

/** What a client reports, which may be anything; what is not an amount would undo the budget. */
function amount(reported: unknown): number {
  return typeof reported === "number" && reported >= 0 && reported < Infinity ? reported : 0;
}

function usageOf(thrown: unknown): AIUsage | undefined {
  const usage = MeshError.copyOf(thrown)?.details?.usage;
  return isRecord(usage) && typeof usage.inputTokens === "number"
    ? (usage as unknown as AIUsage)
    : undefined;
}

function spent(): MeshError {
  return new MeshError("AI_UNAVAILABLE", "The run's budget for models is spent.", {
    reason: "budget-exceeded",
    suggestion: "Ask with a larger budget, or let the librarian answer without a model.",
  });
}
