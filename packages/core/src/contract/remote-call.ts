import type { Budget } from "./budget.js";
import { type PathEntry, pathProblem } from "./call-path.js";
import { requireBudget, requireCount, requireDuration, requireText } from "./option-checks.js";
import { describeValue, isRecord } from "./unknown-value.js";

// What the two ends of a call between meshes know of each other.

/** The mesh that a run is called from. It can only tighten the limits of the mesh that is called. */
export interface RemoteCaller {
  /** Librarians that were called before this run, oldest first, at most 32: they count for loops and depth. */
  readonly path: readonly PathEntry[];
  /** Number of librarians on that path, where it is larger than what `path` shows. Integer, 0 or more. */
  readonly depth?: number | undefined;
  /** Time the caller still waits, in milliseconds: 1 to 2147483647. Absent: no limit of the caller's. */
  readonly remainingMs?: number | undefined;
  /** Maximum number of librarians that this run may call. Integer, 0 or more. */
  readonly hopsLeft?: number | undefined;
  /** Maximum that this run may spend on models. */
  readonly budget?: Budget | undefined;
  /** Names the run in which the first mesh was asked. */
  readonly runId?: string | undefined;
}

/** What a run has spent, the meshes that it called included. */
export interface SpentRecord {
  /** Librarians called, those of other meshes included where they report it. */
  readonly hops: number;
  /** Tokens of models. Absent where they are not counted: a run with neither a budget nor a remote caller. */
  readonly tokens?: number | undefined;
  /** US dollars for models. Absent where `tokens` is. */
  readonly costUsd?: number | undefined;
}

/** A hop in another mesh, as that mesh reports it. */
export interface RemoteHop {
  /** Number in its run, from 1. */
  readonly id: number;
  readonly parentId?: number | undefined;
  readonly to: string;
  /** Milliseconds from the start of its run. */
  readonly startMs: number;
  readonly durationMs: number;
  readonly outcome: string;
  readonly code?: string | undefined;
  readonly confidence?: number | undefined;
  readonly abandoned?: true | undefined;
  /** What it called in yet another mesh. */
  readonly remote?: RemoteRun | undefined;
}

/** A run in another mesh, as that mesh reports it. It decides nothing here. */
export interface RemoteRun {
  readonly mesh: string;
  /** Name of the machine. */
  readonly host: string;
  readonly runId: string;
  readonly durationMs: number;
  /** At most 200; the first ones, where there are more. */
  readonly hops: readonly RemoteHop[];
}

/** A librarian of another mesh that ignored its abort signal. */
export interface UnsettledLibrarian {
  readonly librarian: string;
  readonly mesh: string;
  readonly host: string;
}

/** What another mesh reports of a call, besides its response. */
export interface RemoteReport {
  readonly run: RemoteRun;
  readonly spent: SpentRecord;
  /** Those further down included. */
  readonly unsettled: readonly UnsettledLibrarian[];
}

/** A call of another mesh, with its share of what the run may still use. */
export interface RemoteCall {
  /** The path up to and including the calling librarian, and the number of librarians on it. */
  readonly path: readonly PathEntry[];
  readonly depth: number;
  readonly runId: string;
  /** Half of the hops that are left; `undefined` without a limit. */
  readonly hopsLeft: number | undefined;
  /** Half of the tokens and the money that are left; without a limit, nothing. */
  readonly budget: Budget;
  /**
   * The call is over: what was not used comes back. A second call only adds to the record.
   *
   * @param report - Of the other mesh. `undefined`: its whole share counts as used.
   */
  end(report: RemoteReport | undefined): void;
}

const callerKeys: Record<keyof RemoteCaller, true> = {
  path: true,
  depth: true,
  remainingMs: true,
  hopsLeft: true,
  budget: true,
  runId: true,
};

/** @throws TypeError or RangeError that names the key and the value. */
export function requireRemoteCaller(caller: unknown): void {
  if (caller === undefined) return;
  if (!isRecord(caller)) {
    throw new TypeError(`caller: expected an object, got ${describeValue(caller)}.`);
  }
  for (const key of Object.keys(caller)) {
    if (!Object.hasOwn(callerKeys, key)) {
      const valid = Object.keys(callerKeys).join(", ");
      throw new TypeError(`caller: unknown key ${describeValue(key)}. Valid keys: ${valid}.`);
    }
  }
  const problem = pathProblem(caller.path);
  if (problem !== undefined) throw new TypeError(`caller.${problem}.`);
  requireCount("caller.depth", caller.depth, 0);
  requireDuration("caller.remainingMs", caller.remainingMs);
  requireCount("caller.hopsLeft", caller.hopsLeft, 0);
  requireBudget(caller.budget);
  requireText("caller.runId", caller.runId);
}
