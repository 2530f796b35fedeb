import { type PathEntry, pathProblem } from "../contract/call-path.js";
import type { Context } from "../contract/context.js";
import { MeshError } from "../contract/mesh-error.js";
import { isRecord } from "../contract/unknown-value.js";

/** What a call carries from one mesh to another. Version 1; unknown fields are ignored. */
export interface CallEnvelope {
  readonly v: 1;
  /** Librarians called so far, oldest first; the last one is the caller. */
  readonly path: readonly PathEntry[];
  /** Time the caller still waits, in whole milliseconds. Absent: no limit of the caller's. */
  readonly remainingMs?: number | undefined;
}

/** What an envelope makes of a run: it can only tighten the limits of the mesh that is called. */
export interface IncomingCall {
  readonly path: readonly PathEntry[];
  /** `undefined` where the caller has no limit. */
  readonly remainingMs: number | undefined;
}

/** Versions that are understood. */
const versions = [1];

/** Share and bounds of the time a caller keeps for the reply to arrive, in milliseconds. */
const reserve = { share: 0.05, min: 10, max: 250 };

const maxRemainingMs = 2_147_483_647;

/**
 * Writes the envelope of a call that a librarian makes to another mesh.
 *
 * @param context - Of the librarian's hop. It is a bridge on the path.
 * @returns `undefined` for a context that no router made: there is no path to carry.
 */
export function encodeCall(context: Context): CallEnvelope | undefined {
  const { callPath } = context;
  if (callPath === undefined) return undefined;
  const remaining = context.remainingMs?.() ?? Number.POSITIVE_INFINITY;
  const kept = Math.min(reserve.max, Math.max(reserve.min, remaining * reserve.share));
  const remainingMs = Math.max(1, Math.floor(remaining - kept));
  return {
    v: 1,
    path: callPath.map((entry, index) =>
      index === callPath.length - 1 ? { ...entry, isBridge: true } : entry,
    ),
    ...(remainingMs <= maxRemainingMs && { remainingMs }),
  };
}

/**
 * Reads the envelope of a call from another mesh.
 *
 * @throws MeshError `INVALID_QUERY` that names the field: a guard that cannot be read must not be
 *   ignored. `TIMEOUT` where the caller has no time left.
 */
export function decodeCall(value: unknown): IncomingCall {
  if (!isRecord(value)) throw invalid("expected an object");
  const { v, path, remainingMs } = value;
  if (v !== 1) throw invalid("v: expected 1", { versions });
  const problem = pathProblem(path);
  if (problem !== undefined) throw invalid(problem);
  if (remainingMs === 0) {
    throw new MeshError("TIMEOUT", "The calling mesh had no time left.", { reason: "deadline" });
  }
  if (remainingMs !== undefined && !isDuration(remainingMs)) {
    throw invalid(`remainingMs: expected an integer from 0 to ${maxRemainingMs}`);
  }
  const entries = path as readonly PathEntry[]; // no problem was found
  return {
    path: entries.map(({ mesh, id, isBridge }) => ({ mesh, id, ...(isBridge && { isBridge }) })),
    remainingMs,
  };
}

function isDuration(value: unknown): value is number {
  return (
    typeof value === "number" && Number.isInteger(value) && value > 0 && value <= maxRemainingMs
  );
}

function invalid(problem: string, details?: Readonly<Record<string, unknown>>): MeshError {
  return new MeshError("INVALID_QUERY", `The call envelope is not valid: ${problem}.`, {
    suggestion: "Check the version of the calling mesh.",
    ...(details !== undefined && { details }),
  });
}
