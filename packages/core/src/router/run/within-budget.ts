import { type AIClient, type AIUsage, withCalls } from "../../contract/ai-client.js";
import { MeshError } from "../../contract/mesh-error.js";
import { isRecord } from "../../contract/unknown-value.js";
import { isAmount } from "../../events/usage.js";
import type { BudgetLedger } from "./budget-ledger.js";
import { callerEnded } from "./errors.js";
import { isAwaited } from "./hop.js";
import { readPrice, requestBytes, withKnownUsage } from "./known-usage.js";
import type { Call, Hop } from "./model.js";
import { reserveModelCall } from "./reserve-model-call.js";
import { withoutSecrets } from "./secrets.js";

const defaultMaxTokens = 4_096;

/**
 * Wraps a client, so that it spends no more than is left.
 *
 * Before a call it reserves the tokens the call may write, lowered to what tokens and money allow,
 * and those it will read, estimated at one for three bytes; a tool loop reserves all that is left.
 * Money is reserved at the client's price, else at the highest price this run has seen; until one is
 * known, calls wait for each other. Afterwards the reservation becomes what was used. A call that
 * neither reports its cost nor has a price is charged the money it reserved.
 *
 * @param client - One of `withKnownUsage`.
 * @param whyClosed - Why the hop may not call a model any more, if so.
 */
export function withinBudget(
  client: AIClient,
  ledger: BudgetLedger,
  whyClosed: () => MeshError | undefined = () => undefined,
): AIClient {
  return withCalls(client, async (method, request, call) => {
    const isLoop = method === "runTools";
    const reserving = reserveModelCall(
      ledger,
      {
        reads: Math.ceil(requestBytes(request) / 3),
        writes:
          request.maxTokens ??
          (isAmount(client.maxTokens) && client.maxTokens > 0
            ? client.maxTokens
            : defaultMaxTokens),
        isLoop,
        price: readPrice(client, request.model),
      },
      { whyClosed, signal: () => request.signal },
    );
    const reserved = reserving instanceof Promise ? await reserving : reserving;
    let usage: AIUsage | undefined;
    try {
      // Without a limit the length of a reply is the client's to decide.
      const limited = ledger.isLimited ? { ...request, maxTokens: reserved.writes } : request;
      const maxTotalTokens = Math.min(request.maxTotalTokens ?? Infinity, reserved.maxTokens);
      const result = await call(isLoop ? { ...limited, maxTotalTokens } : limited);
      usage = result.usage;
      return result;
    } catch (thrown) {
      usage = findUsage(thrown);
      throw thrown;
    } finally {
      reserved.settle(usage);
    }
  });
}

function findUsage(thrown: unknown): AIUsage | undefined {
  const usage = MeshError.copyOf(thrown)?.details?.usage;
  return isRecord(usage) ? (usage as unknown as AIUsage) : undefined; // the client has checked it
}

/** The run's model, limited to what a hop may spend. */
export function modelFor(hop: Hop, call: Call): AIClient | undefined {
  const { ai } = hop.run;
  return ai && ownModelFor(hop, call, ai);
}

/** Any other model, limited in the same way. */
export function ownModelFor(hop: Hop, call: Call, ai: AIClient): AIClient {
  const { observer, secrets, journal } = hop.run;
  const problem = () => {
    if (hop.extras?.waiting !== undefined) return hop.extras.waiting;
    const isUnderWay = call.state === "pending" || (call === hop && isAwaited(hop));
    return isUnderWay ? undefined : callerEnded(hop.to);
  };
  const known = withKnownUsage(ai);
  const recorded = journal === undefined ? known : journal.modelOf(hop, known);
  const bounded = withinBudget(recorded, hop.ledger, problem);
  const observed = observer === undefined ? bounded : observer.modelOf(hop, bounded);
  return secrets === undefined ? observed : withoutSecrets(observed, secrets); // before it is recorded
}
