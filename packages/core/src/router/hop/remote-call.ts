import type {
  HopGrant,
  ModelCallRequest,
  ModelCallReservation,
  PathEntry,
  RemoteCall,
  RemoteCaller,
  RemoteCallOptions,
} from "../../contract/remote-call.js";
import { BudgetLedger } from "../run/budget-ledger.js";
import { signalOf } from "../run/calls.js";
import { callerEnded } from "../run/errors.js";
import { chainOf } from "../run/hop.js";
import type { Hop } from "../run/model.js";
import { reserveModelCall } from "../run/reserve-model-call.js";
import { announceWrite, markWritten } from "./written.js";

/** The path of a call through all meshes, its own librarian last. */
export function buildCallPath(hop: Hop): readonly PathEntry[] {
  const { caller, mesh } = hop.run;
  const { meshName } = mesh.settings;
  const local = [...chainOf(hop), hop.to].map((id) => ({ mesh: meshName, id }));
  return caller === undefined ? local : [...caller.path, ...local];
}

/** Number of librarians on a caller's path. Those that only forward do not count. */
export function callerDepth({ path, depth = 0 }: RemoteCaller): number {
  return Math.max(depth, path.filter(({ isBridge }) => isBridge !== true).length);
}

/** Opens a call of another process or mesh. */
export function openRemoteCall(hop: Hop, { isLeased = false }: RemoteCallOptions = {}): RemoteCall {
  const { caller, id, limits } = hop.run;
  return {
    path: buildCallPath(hop),
    depth: (caller === undefined ? 0 : callerDepth(caller)) + hop.depth,
    maxDepth: limits.maxDepth,
    runId: caller?.runId ?? id,
    written() {
      markWritten(hop);
      return announceWrite(hop);
    },
    ...(isLeased ? leaseShare(hop) : reserveHalf(hop)),
  };
}

type Share = Pick<RemoteCall, "hopsLeft" | "budget" | "ledger" | "resent" | "end">;

/**
 * Reserves half of what is left, so that parallel calls have something left too, and all together never use more than
 * the run has.
 */
function reserveHalf(hop: Hop): Share {
  const { run, ledger } = hop;
  const { limits } = run;
  const hops = takeHalf(limits.hopsLeft, Math.ceil);
  const tokens = takeHalf(ledger.tokensLeft, Math.floor);
  const costUsd = takeHalf(ledger.costLeft);
  limits.hopsLeft -= hops ?? 0;
  ledger.take(tokens ?? 0, costUsd ?? 0);
  let isOver = false;

  return {
    hopsLeft: hops,
    budget: { ...(tokens !== undefined && { tokens }), ...(costUsd !== undefined && { costUsd }) },
    resent: () => {},
    end(report) {
      if (report !== undefined) run.observer?.remoteReported(hop, report);
      if (isOver) return;
      isOver = true;
      const { spent } = report ?? {};
      const usedHops = atMost(hops, spent?.hops);
      limits.hopsLeft += (hops ?? 0) - (hops === undefined ? 0 : usedHops);
      limits.hopsUsed += usedHops;
      ledger.take(
        atMost(tokens, spent?.tokens) - (tokens ?? 0),
        atMost(costUsd, spent?.costUsd) - (costUsd ?? 0),
      );
    },
  };
}

/** `undefined` without a limit. */
function takeHalf(left: number, round = (value: number) => value): number | undefined {
  return left === Infinity ? undefined : Math.max(0, round(left / 2));
}

/**
 * Usage that counts: what was reported, at most the reservation; the whole reservation where nothing was reported.
 */
function atMost(reserved: number | undefined, used: number | undefined): number {
  if (reserved === undefined) return used ?? 0;
  return Math.min(reserved, used ?? reserved);
}

/** Leases by request, so that parallel calls share what the whole tree has left. */
function leaseShare(hop: Hop): Share {
  const { run } = hop;
  const { limits } = run;
  const ledger = new BudgetLedger({}, hop.ledger);
  /** The limits above, where this process leases too. */
  const above = ledger.lender === undefined ? undefined : run.caller?.budget;
  const open = new Set<ModelCallReservation>();
  /** Hops that are taken for this call: its own is, by the hop. */
  let hops = 1;
  /** The part of them that counts as used so far. */
  let hopsCounted = 1;
  /** Usage of lost processes. */
  const lost = { hops: 0, tokens: 0, costUsd: 0 };
  let isOver = false;

  async function leaseHops(count: number): Promise<HopGrant> {
    const maxHops = limits.lease?.maxHops ?? run.mesh.settings.maxHops;
    if (isOver) throw callerEnded(hop.to);
    const inHand = Math.max(0, Math.min(count, limits.hopsLeft));
    limits.hopsLeft -= inHand;
    const leased = inHand < count ? ((await limits.lease?.lease(count - inHand)) ?? 0) : 0;
    hops += inHand + leased;
    if (!isOver) return { hops: inHand + leased, maxHops: limits.lease?.maxHops ?? maxHops };
    limits.hopsLeft += inHand + leased;
    hops -= inHand + leased;
    throw callerEnded(hop.to);
  }

  async function reserve(request: ModelCallRequest): Promise<ModelCallReservation> {
    const reserved = await reserveModelCall(ledger, request, {
      whyClosed: () => (isOver ? callerEnded(hop.to) : undefined),
      signal: () => signalOf(hop),
    });
    if (isOver) {
      reserved.settle(undefined);
      throw callerEnded(hop.to);
    }
    open.add(reserved);
    return {
      ...reserved,
      settle(usage) {
        if (open.delete(reserved)) reserved.settle(usage);
      },
    };
  }

  return {
    hopsLeft: limits.hopsLeft === Infinity ? undefined : 1,
    budget: {
      ...((ledger.tokensLeft !== Infinity || above?.tokens !== undefined) && { tokens: 0 }),
      ...((ledger.costLeft !== Infinity || above?.costUsd !== undefined) && { costUsd: 0 }),
    },
    ledger: { leaseHops, reserveModelCall: reserve },
    resent() {
      lost.hops = hops;
      lost.tokens = ledger.tokensTaken;
      lost.costUsd = ledger.costTaken;
      limits.hopsLeft--;
      hops++;
    },
    end(report) {
      if (report !== undefined) run.observer?.remoteReported(hop, report);
      isOver = true;
      const { tokensTaken, costTaken } = ledger;
      for (const each of open) each.settle(undefined);
      open.clear();
      const { spent } = report ?? {};
      const used = {
        hops: spent === undefined ? hops : lost.hops + Math.max(1, spent.hops),
        tokens: spent?.tokens === undefined ? tokensTaken : lost.tokens + spent.tokens,
        costUsd: spent?.costUsd === undefined ? costTaken : lost.costUsd + spent.costUsd,
      };
      // What it reports counts, even where it is more than was leased.
      limits.hopsLeft += hops - used.hops;
      limits.hopsUsed += used.hops - hopsCounted;
      hops = used.hops;
      hopsCounted = used.hops;
      ledger.take(used.tokens - ledger.tokensTaken, used.costUsd - ledger.costTaken);
    },
  };
}
