import { setTimeout } from "node:timers/promises";
import type {
  AIPrice,
  CallLedger,
  ModelCallRequest,
  ModelCallReservation,
  ModelCallUsage,
} from "@constellation/core";
import { MeshError } from "@constellation/core";
import { isRecord } from "@constellation/core/checks";

// Leases of a called process from its caller, by requests of the call. The report of the call corrects leases whose
// messages were lost.

/** Maximum number of open reservations of one call. */
const maxReserved = 1_000;

/** Maximum time of one answer, in milliseconds: a reservation that takes longer is requested again. */
const maxAnswerMs = 100;

/** Maximum number of times that a request without an answer is made. */
const maxAttempts = 3;

type SendRequest = (kind: string, body: unknown) => Promise<unknown>;

/**
 * Creates the proxy of the ledger of the calling process, for the called process.
 *
 * @param send - Sends a request to the caller, and gives its answer.
 */
export function createRemoteLedger(send: SendRequest): CallLedger {
  let last = 0;

  async function request(kind: string, body: object): Promise<Readonly<Record<string, unknown>>> {
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await send(kind, body);
        return isRecord(answer) ? answer : {};
      } catch (thrown) {
        const isLost = MeshError.copyOf(thrown)?.code === "SERVICE_UNAVAILABLE";
        if (!isLost || attempt === maxAttempts) throw thrown;
      }
    }
  }

  return {
    async leaseHops(count) {
      const { hops, maxHops } = await request("hops", { count });
      return { hops: toCount(hops) ?? 0, maxHops: toCount(maxHops) ?? 0 };
    },
    async reserveModelCall(wanted) {
      const key = ++last;
      let answer = await request("reserve", { key, wanted });
      while (answer.isPending === true) answer = await request("reserve", { key, wanted });
      const { reserved, error } = answer;
      if (!isRecord(reserved)) throw readError(error);
      const { writes, maxTokens, costUsd, price } = reserved;
      return {
        writes: Math.max(1, toCount(writes) ?? 1),
        maxTokens: toCount(maxTokens) ?? Number.POSITIVE_INFINITY,
        costUsd: toAmount(costUsd) ?? 0,
        price: toPrice(price),
        settle(usage) {
          request("settle", { key, usage }).catch(() => undefined); // the call has ended
        },
      };
    },
  };
}

/** Rethrows only errors of a ledger: nothing is left, or the call has ended. */
function readError(value: unknown): MeshError {
  const { message, reason } = isRecord(value) ? value : {};
  const text = typeof message === "string" ? message : "Nothing could be reserved.";
  return reason === "budget-exceeded"
    ? new MeshError("AI_UNAVAILABLE", text, { reason })
    : new MeshError("TIMEOUT", text, { reason: "cancelled" });
}

/**
 * Creates the handler of requests from a called process.
 *
 * @param ledger - The ledger that lends.
 */
export function createLender(ledger: CallLedger): (kind: string, body: unknown) => unknown {
  const reserving = new Map<number, Promise<object>>();
  const reserved = new Map<number, ModelCallReservation>();

  async function reserve(key: number, wanted: ModelCallRequest): Promise<object> {
    try {
      const reservation = await ledger.reserveModelCall(wanted);
      reserved.set(key, reservation);
      const { writes, maxTokens, costUsd, price } = reservation;
      return { reserved: { writes, maxTokens, costUsd, price } };
    } catch (thrown) {
      const { message, details } = MeshError.from(thrown, "").toInfo();
      return { error: { message, reason: details?.reason } };
    }
  }

  return (kind, body) => {
    const { count, key, wanted, usage } = isRecord(body) ? body : {};
    if (kind === "hops") return ledger.leaseHops(toCount(count) ?? 0);
    if (typeof key !== "number") throw new RangeError("The request has no key.");
    if (kind === "settle") {
      reserved.get(key)?.settle(toUsage(usage));
      reserved.delete(key);
      reserving.delete(key);
      return null;
    }
    if (kind !== "reserve" || !isRecord(wanted) || reserving.size >= maxReserved) {
      throw new RangeError("Only hops and calls of models are lent.");
    }
    const answer = reserving.get(key) ?? reserve(key, toRequest(wanted));
    reserving.set(key, answer);
    const pending = setTimeout(maxAnswerMs, { isPending: true }, { ref: false });
    return Promise.race([answer, pending]);
  };
}

function toRequest(value: Readonly<Record<string, unknown>>): ModelCallRequest {
  const { reads, writes, isLoop, maxTokens, price } = value;
  return {
    reads: toCount(reads) ?? 0,
    writes: Math.max(1, toCount(writes) ?? 1),
    isLoop: isLoop === true,
    maxTokens: toCount(maxTokens),
    price: toPrice(price),
  };
}

function toUsage(value: unknown): ModelCallUsage | undefined {
  if (!isRecord(value)) return undefined;
  const { inputTokens, outputTokens, costUsd } = value;
  return {
    inputTokens: toAmount(inputTokens) ?? 0,
    outputTokens: toAmount(outputTokens) ?? 0,
    costUsd: toAmount(costUsd),
  };
}

function toPrice(value: unknown): AIPrice | undefined {
  const { inputUsd, outputUsd } = isRecord(value) ? value : {};
  const [input, output] = [toAmount(inputUsd), toAmount(outputUsd)];
  return input === undefined || output === undefined
    ? undefined
    : { inputUsd: input, outputUsd: output };
}

function toCount(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined;
}

function toAmount(value: unknown): number | undefined {
  return typeof value === "number" && value >= 0 && value < Infinity ? value : undefined;
}
