import type { PathEntry } from "../../contract/call-path.js";
import type { RemoteCall, RemoteCaller, RemoteReport } from "../../contract/remote-call.js";
import { chainOf } from "../run/hop-path.js";
import type { Hop } from "../run/model.js";

/** The path of a call through all meshes, its own librarian last. */
export function callPathOf(hop: Hop): readonly PathEntry[] {
  const { caller, mesh } = hop.run;
  const { meshName } = mesh.settings;
  const local = [...chainOf(hop), hop.to].map((id) => ({ mesh: meshName, id }));
  return caller === undefined ? local : [...caller.path, ...local];
}

/** Number of librarians on a caller's path. Those that only forward do not count. */
export function callerDepth({ path, depth = 0 }: RemoteCaller): number {
  return Math.max(depth, path.filter(({ isBridge }) => isBridge !== true).length);
}

/**
 * Opens a call of another mesh. Half of what is left is reserved for it, so that calls in parallel have
 * something left too, and all of them together never use more than the run has.
 */
export function openRemoteCall(hop: Hop): RemoteCall {
  const { run, ledger } = hop;
  const { limits, caller } = run;
  const hops = halfOf(limits.hopsLeft, Math.ceil);
  const tokens = halfOf(ledger?.tokensLeft ?? Infinity, Math.floor);
  const costUsd = halfOf(ledger?.costLeft ?? Infinity);
  limits.hopsLeft -= hops ?? 0;
  ledger?.take(tokens ?? 0, costUsd ?? 0);
  let isOver = false;

  return {
    path: callPathOf(hop),
    depth: (caller === undefined ? 0 : callerDepth(caller)) + hop.depth,
    runId: caller?.runId ?? run.id,
    hopsLeft: hops,
    budget: { ...(tokens !== undefined && { tokens }), ...(costUsd !== undefined && { costUsd }) },
    end(report: RemoteReport | undefined) {
      if (report !== undefined) run.observer?.remoteReported(hop, report);
      if (isOver) return;
      isOver = true;
      const { spent } = report ?? {};
      const usedHops = atMost(hops, spent?.hops);
      limits.hopsLeft += (hops ?? 0) - (hops === undefined ? 0 : usedHops);
      limits.hopsUsed += usedHops;
      ledger?.take(
        atMost(tokens, spent?.tokens) - (tokens ?? 0),
        atMost(costUsd, spent?.costUsd) - (costUsd ?? 0),
      );
    },
  };
}

/** `undefined` without a limit. */
function halfOf(left: number, round = (value: number) => value): number | undefined {
  return left === Infinity ? undefined : Math.max(0, round(left / 2));
}

/** What counts as used: what was reported, at most the reservation; all of it where nothing was. */
function atMost(reserved: number | undefined, used: number | undefined): number {
  if (reserved === undefined) return used ?? 0;
  return Math.min(reserved, used ?? reserved);
}
