import { hostname } from "node:os";
import { sanitizeText } from "@constellation/authoring";
import type {
  HopRecord,
  RemoteHop,
  RemoteReport,
  RemoteRun,
  RunRecord,
  SpentRecord,
  UnsettledLibrarian,
} from "@constellation/core";
import { isErrorCode } from "@constellation/core";
import { isRecord } from "@constellation/core/checks";

/** Name of this machine. */
const host = hostname();

/** Maximum number of hops, and of librarians that ignored their cancel, in one report. */
const limits = { hops: 200, unsettled: 100, nameLength: 200 };

/** What a run reports to the mesh that called it: no query, no answer, no reason. */
export function encodeReport(record: RunRecord): RemoteReport {
  const { runId, mesh = "", durationMs, hops, spent = { hops: hops.length } } = record;
  const room = { left: limits.hops };
  const own = hops
    .filter(({ abandoned, lateMs }) => abandoned === true && lateMs === undefined)
    .map(({ to }) => ({ librarian: to, mesh, host }));
  const delegated = hops.flatMap(({ remoteUnsettled = [] }) => remoteUnsettled);
  return {
    run: { mesh, host, runId, durationMs, hops: hops.flatMap((hop) => encodeHop(hop, room)) },
    spent,
    unsettled: [...own, ...delegated].slice(0, limits.unsettled),
  };
}

function encodeHop(hop: HopRecord, room: { left: number }): RemoteHop[] {
  if (room.left < 1) return [];
  room.left--;
  const { id, parentId, to, startMs, durationMs, outcome = "running", confidence, error } = hop;
  const { abandoned, remote } = hop;
  return [
    {
      id,
      ...(parentId !== undefined && { parentId }),
      to,
      startMs,
      durationMs,
      outcome,
      ...(error !== undefined && { code: error.code }),
      ...(confidence !== undefined && { confidence }),
      ...(abandoned === true && { abandoned }),
      ...(remote !== undefined && { remote: cutRun(remote, room) }),
    },
  ];
}

function cutRun(run: RemoteRun, room: { left: number }): RemoteRun {
  const hops = run.hops.slice(0, Math.max(0, room.left));
  room.left -= hops.length;
  return {
    ...run,
    hops: hops.map((hop) =>
      hop.remote === undefined ? hop : { ...hop, remote: cutRun(hop.remote, room) },
    ),
  };
}

/**
 * Reads what another mesh reports of a call: names are sanitized, numbers bounded, and what cannot be
 * read is left out.
 *
 * @returns `undefined` where there is no report.
 */
export function decodeReport(reply: unknown): RemoteReport | undefined {
  if (!isRecord(reply) || reply.v !== 1 || !isRecord(reply.report)) return undefined;
  const { run, spent, unsettled } = reply.report;
  const read = readRun(run, { left: limits.hops }, 0);
  const total = readSpent(spent);
  if (read === undefined || total === undefined) return undefined;
  return { run: read, spent: total, unsettled: readUnsettled(unsettled) };
}

/** Maximum number of meshes below each other that are read. */
const maxLevels = 32;

function readRun(value: unknown, room: { left: number }, level: number): RemoteRun | undefined {
  if (!isRecord(value) || level >= maxLevels) return undefined;
  const { mesh, host, runId, durationMs, hops } = value;
  return {
    mesh: toSafeName(mesh),
    host: toSafeName(host),
    runId: toSafeName(runId),
    durationMs: toAmount(durationMs) ?? 0,
    hops: Array.isArray(hops)
      ? hops.slice(0, limits.hops).flatMap((hop: unknown) => readHop(hop, room, level))
      : [],
  };
}

function readHop(value: unknown, room: { left: number }, level: number): RemoteHop[] {
  if (!isRecord(value) || !Number.isSafeInteger(value.id) || room.left < 1) return [];
  room.left--;
  const { id, parentId, to, startMs, durationMs, outcome, code, confidence, abandoned } = value;
  const share = toAmount(confidence);
  const remote = readRun(value.remote, room, level + 1);
  return [
    {
      id: id as number, // checked above
      ...(Number.isSafeInteger(parentId) && { parentId: parentId as number }),
      to: toSafeName(to),
      startMs: toAmount(startMs) ?? 0,
      durationMs: toAmount(durationMs) ?? 0,
      outcome: toSafeName(outcome),
      ...(isErrorCode(code) && { code }),
      ...(share !== undefined && share <= 1 && { confidence: share }),
      ...(abandoned === true && { abandoned }),
      ...(remote !== undefined && { remote }),
    },
  ];
}

function readSpent(value: unknown): SpentRecord | undefined {
  if (!isRecord(value)) return undefined;
  const hops = toAmount(value.hops);
  const tokens = toAmount(value.tokens);
  const costUsd = toAmount(value.costUsd);
  if (hops === undefined) return undefined;
  return {
    hops: Math.ceil(hops),
    ...(tokens !== undefined && { tokens }),
    ...(costUsd !== undefined && { costUsd }),
  };
}

function readUnsettled(value: unknown): readonly UnsettledLibrarian[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, limits.unsettled).flatMap((item: unknown) => {
    if (!isRecord(item)) return [];
    const { librarian, mesh, host } = item;
    return [{ librarian: toSafeName(librarian), mesh: toSafeName(mesh), host: toSafeName(host) }];
  });
}

function toSafeName(value: unknown): string {
  if (typeof value !== "string") return "unknown";
  return sanitizeText(value, { singleLine: true, maxLength: limits.nameLength }) || "unknown";
}

function toAmount(value: unknown): number | undefined {
  return typeof value === "number" && value >= 0 && value < Infinity ? value : undefined;
}
