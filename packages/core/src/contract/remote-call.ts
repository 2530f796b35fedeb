import type { AIPrice, Budget } from "./ai-client.js";
import { budgetOption } from "./option-checks.js";
import type { FieldsOption, OptionTable } from "./option-table.js";
import type { Thread } from "./thread.js";
import { describeValue, isRecord } from "./unknown-value.js";

// Types that both ends of a call between meshes share.

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
  /** Maximum number of librarians on one path, in all processes. Integer, 1 or more. */
  readonly maxDepth?: number | undefined;
  /** Lends further hops and budget; `hopsLeft` and `budget` are then only what came with the call. */
  readonly ledger?: CallLedger | undefined;
  /** Names the run in which the first mesh was asked. */
  readonly runId?: string | undefined;
  /** The thread that the first mesh was asked in, for the librarians of this run. No journal is read for it. */
  readonly thread?: Thread | undefined;
  /**
   * Called before a librarian with effects "write" is called, and resolves when the caller knows that it must not
   * repeat its call. If it rejects, that librarian is not called. For transports.
   */
  readonly beforeWrite?: (() => Promise<void>) | undefined;
}

/** Spending of a run, including the meshes that it called. */
export interface SpentRecord {
  /** Librarians called, those of other meshes included where they report it. */
  readonly hops: number;
  /** Tokens of models, estimated where a model does not report them. Absent in records of earlier versions. */
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
  /** Its calls in a third mesh. */
  readonly remote?: RemoteRun | undefined;
}

/** A run in another mesh, as that mesh reports it. For records only. */
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

/** Report of another mesh about a call, besides its response. */
export interface RemoteReport {
  readonly run: RemoteRun;
  readonly spent: SpentRecord;
  /** Including those of meshes further down. */
  readonly unsettled: readonly UnsettledLibrarian[];
}

/** How a call of another process gets its share of hops and budget. */
export interface RemoteCallOptions {
  /**
   * Whether the librarian of the hop itself is called, in another process of its mesh. Its hop is then counted
   * once, and that process leases what it needs from `ledger`. Otherwise half of what is left is reserved.
   *
   * @default false
   */
  readonly isLeased?: boolean | undefined;
}

/** A call of another mesh, with its share of what the run may still use. */
export interface RemoteCall {
  /** The path up to and including the calling librarian, and the number of librarians on it. */
  readonly path: readonly PathEntry[];
  readonly depth: number;
  /** Maximum number of librarians on one path. */
  readonly maxDepth: number;
  readonly runId: string;
  /** Half of the hops that are left, or 1 where they are leased; `undefined` without a limit. */
  readonly hopsLeft: number | undefined;
  /** Half of the tokens and the money that are left, or 0 where they are leased; without a limit, nothing. */
  readonly budget: Budget;
  /** Lends to the other process. Absent where half was reserved. */
  readonly ledger?: CallLedger | undefined;
  /** The process was lost and the call is sent to another one: all that the first one leased counts as used. */
  resent(): void;
  /**
   * The other process is about to change something, so that no hop above may be repeated.
   *
   * @returns Resolves when the callers of this run know too; `undefined`: there are none.
   */
  written(): Promise<void> | undefined;
  /**
   * Ends the call, and releases what was not used. A further call corrects the first one.
   *
   * @param report - Of the other mesh. `undefined`: all that it was given counts as used.
   */
  end(report: RemoteReport | undefined): void;
}

/** The option that holds a {@link RemoteCaller}. */
export const callerOption = {
  kind: "fields",
  fields: {
    path: { kind: "checked", check: checkPath, isRequired: true },
    depth: { kind: "count", min: 0 },
    remainingMs: { kind: "duration" },
    hopsLeft: { kind: "count", min: 0 },
    budget: budgetOption,
    maxDepth: { kind: "count" },
    ledger: { kind: "object", methods: ["leaseHops", "reserveModelCall"] },
    runId: { kind: "text" },
    thread: { kind: "object", texts: ["id"] },
    beforeWrite: { kind: "function" },
  },
  expected: "an object",
} as const satisfies FieldsOption<OptionTable<RemoteCaller>>;

function checkPath(at: string, path: unknown): unknown {
  const problem = pathProblem(path);
  if (problem === undefined) return path;
  throw new TypeError(`${at.slice(0, -"path".length)}${problem}.`);
}

/** A librarian on the path of a call, which may lead through several meshes. */
export interface PathEntry {
  /** Name of the mesh: `name` of its router; a random one where the router has none. */
  readonly mesh: string;
  /** Id of the librarian. */
  readonly id: string;
  /** Whether it only forwards to another mesh. Such entries do not count towards `maxDepth`. */
  readonly isBridge?: boolean | undefined;
}

/** Maximum number of entries that a path from another mesh may have. */
export const maxPathEntries = 32;

/**
 * The problem of a path: the field and what is expected. `undefined` for a valid path.
 *
 * @beta
 */
export function pathProblem(path: unknown): string | undefined {
  if (!Array.isArray(path) || path.length > maxPathEntries) {
    return `path: expected an array of at most ${maxPathEntries} entries`;
  }
  for (const [index, entry] of path.entries()) {
    const { mesh, id, isBridge } = isRecord(entry) ? entry : {};
    if (!isName(mesh)) return `path[${index}].mesh: expected text of 1 to 200 characters`;
    if (!isName(id)) return `path[${index}].id: expected text of 1 to 200 characters`;
    if (isBridge !== undefined && typeof isBridge !== "boolean") {
      return `path[${index}].isBridge: expected true or false, got ${describeValue(isBridge)}`;
    }
  }
  return undefined;
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= 200;
}

/** A request to reserve budget for a call of a model. */
export interface ModelCallRequest {
  /** Tokens that it reads, estimated. Integer, 0 or more. */
  readonly reads: number;
  /** Maximum number of tokens that it writes. Integer, 1 or more. */
  readonly writes: number;
  /** Whether it is a loop of tool calls, which reserves all that is left. */
  readonly isLoop: boolean;
  /** Maximum number of tokens of a loop. Absent: no limit. */
  readonly maxTokens?: number | undefined;
  /** Price of the model, as far as its client knows it. */
  readonly price?: AIPrice | undefined;
}

/** Usage of a call of a model. */
export interface ModelCallUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** US dollars, where the model reports them. */
  readonly costUsd?: number | undefined;
}

/** The reservation of a call of a model. It is charged until `settle` is called. */
export interface ModelCallReservation {
  /** Maximum number of tokens that it writes: 1 or more. */
  readonly writes: number;
  /** Maximum number of tokens of a loop in all. `Infinity`: no limit. */
  readonly maxTokens: number;
  /** US dollars reserved. */
  readonly costUsd: number;
  /** Price at which it was reserved. Absent: not known yet. */
  readonly price?: AIPrice | undefined;
  /**
   * The call has ended: what it used is charged instead of the reservation. Only the first call counts.
   *
   * @param usage - `undefined`: nothing was used.
   */
  settle(usage: ModelCallUsage | undefined): void;
}

/** Hops that were leased. */
export interface HopGrant {
  /** Number granted: as many as requested, or as many as were left. */
  readonly hops: number;
  /** The limit of the run, for errors. */
  readonly maxHops: number;
}

/**
 * The hops and the budget of a run, as a process reads them that was called from it. All processes of a tree
 * take from the ledger of the first one, so that calls in parallel get what the tree has left.
 */
export interface CallLedger {
  /** Takes hops for the librarians that are called next. Rejects once the call has ended. */
  leaseHops(count: number): Promise<HopGrant>;
  /**
   * Reserves what a call of a model may spend. Rejects with a MeshError `AI_UNAVAILABLE` (budget-exceeded)
   * where nothing is left, and once the call has ended.
   */
  reserveModelCall(request: ModelCallRequest): Promise<ModelCallReservation>;
}
