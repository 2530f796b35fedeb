import type { RunSummary } from "./kept-run.js";

/** A filter of runs: every condition given must hold. */
export interface RunConditions {
  /** How far back to look, in milliseconds. */
  readonly since?: number;
  readonly user?: string;
  readonly librarian?: string;
  /** Minimum duration, exclusive, in milliseconds. */
  readonly slower?: number;
  /** Minimum cost, exclusive, in US dollars. */
  readonly cost?: number;
  readonly error?: string;
  readonly failed?: true;
  readonly search?: string;
}

const names = [
  ...["since", "user", "librarian", "slower", "cost", "error", "failed", "search"],
] as readonly (keyof RunConditions)[]; // each is a field

/** The conditions that were given. */
export function conditionsIn(conditions: RunConditions): RunConditions {
  const given = names.filter((name) => conditions[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, conditions[name]]));
}

/** Whether a run meets the conditions, apart from `since`. */
export function matchesRun(run: RunSummary, conditions: RunConditions): boolean {
  const { query = "", to, runId, stopReason, librarians, usage, durationMs } = run;
  const { user, librarian, slower = -1, cost = -1, error, failed, search = "" } = conditions;
  if (failed === true && (stopReason === "answered" || stopReason === "partial")) return false;
  if (user !== undefined && run.user?.id !== user) return false;
  if (librarian !== undefined && to !== librarian) {
    if (librarians?.some((share) => share.to === librarian) !== true) return false;
  }
  if (durationMs <= slower || (cost >= 0 && (usage?.costUsd ?? 0) <= cost)) return false;
  if (error !== undefined && run.code !== error.toUpperCase()) return false;
  return [query, to, runId].join("\n").toLowerCase().includes(search.toLowerCase());
}
