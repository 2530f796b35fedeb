import type { RemoteCaller } from "../../contract/remote-call.js";
import { now } from "./deadline-timer.js";

/** How long a run may take, and how much of it is left. */
export interface RunLimits {
  readonly timeoutMs: number;
  readonly startedAt: number;
  readonly endsAt: number;
  hopsLeft: number;
  /** Hops that were made, here and in the meshes called from here. */
  hopsUsed: number;
  /** Hops that were refused. */
  refusals: number;
  /** Epoch milliseconds at zero of the clock; set when it is first needed, so that it stays the same. */
  epoch: number | undefined;
}

/** The run's own limits, or those of its caller where they are tighter. */
export function limitsOf(
  ownMs: number,
  maxHops: number,
  caller: RemoteCaller | undefined,
): RunLimits {
  const timeoutMs = Math.min(ownMs, caller?.remainingMs ?? Infinity);
  const hopsLeft = Math.min(maxHops, caller?.hopsLeft ?? Infinity);
  const startedAt = now();
  return {
    timeoutMs,
    startedAt,
    endsAt: startedAt + timeoutMs,
    hopsLeft,
    hopsUsed: 0,
    refusals: 0,
    epoch: undefined,
  };
}
