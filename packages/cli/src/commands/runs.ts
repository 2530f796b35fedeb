import { printMermaid, printUsage, sanitizeText } from "@constellation/authoring";
import { MeshError } from "@constellation/core";
import {
  conditionsIn,
  countRuns,
  type KeptRun,
  matchesRun,
  type RunConditions,
  type RunSummary,
  type StatsGroup,
  type StoredRuns,
} from "@constellation/server";
import { printOutcome } from "../ask-and-print.js";
import { type CommandIO, exitCodes } from "../command-io.js";
import { asConfigurationError, ConfigurationError } from "../configuration-error.js";
import { openJournal } from "../mesh/open-journal.js";
import { findJournaled, findRun, withRuns } from "../runs/find-run.js";
import { printRunDiff } from "../runs/print-diff.js";
import { printHops } from "../runs/print-hops.js";
import { printRunStats } from "../runs/print-stats.js";
import { formatSecond, formatTime } from "../terminal/format.js";
import { type OutputFormat, printableJson, printData } from "../terminal/printable-data.js";
import { sanitizeLine } from "../terminal/sanitize-line.js";
import { drawTable } from "../terminal/table.js";

/** Actions of `runs`. */
export type RunsAction = "list" | "stats" | "show" | "diff" | "export";

/** Command-line options of `runs`. */
export interface RunsFlags extends RunConditions {
  readonly journal?: string;
  readonly limit: number;
  readonly by?: StatsGroup;
  readonly hops?: true;
  readonly replayable?: true;
  readonly output: OutputFormat;
  readonly mermaid?: true;
}

/** `constellation runs`: the runs that `serve`, `dev` and `ask` have kept. */
export async function runs(
  action: RunsAction,
  ids: readonly string[],
  flags: RunsFlags,
  io: CommandIO,
): Promise<number> {
  const wanted = { list: 0, stats: 0, show: 1, diff: 2, export: 1 }[action];
  if (ids.length > wanted || (ids.length < wanted && action === "diff")) {
    throw new ConfigurationError(
      `runs ${action}: expected ${wanted === 0 ? "no id" : wanted === 1 ? "one id" : "two ids"}, got ${ids.length}.`,
    );
  }
  return withRuns(flags.journal, io, (stored) => perform(action, ids, stored, flags, io));
}

async function perform(
  action: RunsAction,
  ids: readonly string[],
  stored: StoredRuns,
  flags: RunsFlags,
  io: CommandIO,
): Promise<number> {
  const [one = "last", other = ""] = ids;
  switch (action) {
    case "list":
      return list(stored, flags, io);
    case "stats":
      return stats(stored, flags, io);
    case "show":
      return show(await findRun(stored, one), flags, io);
    case "diff":
      printRunDiff(await findRun(stored, one), await findRun(stored, other), io);
      return exitCodes.answered;
    case "export":
      return flags.replayable === true
        ? exportReplayable(one, flags, io)
        : exportRun(await findRun(stored, one), flags, io);
  }
}

async function list(stored: StoredRuns, flags: RunsFlags, io: CommandIO): Promise<number> {
  const since = flags.since === undefined ? 0 : Date.now() - flags.since;
  const found: RunSummary[] = [];
  for await (const run of stored.summaries()) {
    if (found.length >= flags.limit || run.startedAt < since) break;
    if (matchesRun(run, flags)) found.push(run);
  }
  if (flags.output !== "table") await printData({ runs: found }, flags.output, io);
  else if (found.length === 0) {
    const isFiltered = Object.keys(conditionsIn(flags)).length > 0;
    io.stderr.write(isFiltered ? "No run matches.\n" : "No run is stored yet.\n");
  } else io.stdout.write(`${drawTable(toRows(found), io)}\n`);
  return exitCodes.answered;
}

/** A table of runs. The column about models is left out where no run used one. */
function toRows(found: readonly RunSummary[]): readonly (readonly string[])[] {
  const rows = found.map(
    ({ runId, startedAt, stopReason, code, durationMs, usage, query = "" }) => [
      sanitizeLine(runId, 8),
      formatSecond(startedAt),
      stopReason === "waiting" ? stopReason : (code ?? stopReason ?? "running"),
      formatTime(durationMs),
      printUsage(usage),
      sanitizeLine(query, 80),
    ],
  );
  const hasUsage = rows.some(([, , , , used]) => used !== "");
  return [["Run", "Started (UTC)", "Outcome", "Time", "Used", "Question"], ...rows].map((row) =>
    hasUsage ? row : row.filter((_cell, column) => column !== 4),
  );
}

/** Default period of stats, in milliseconds. */
const defaultSinceMs = 86_400_000;

async function stats(stored: StoredRuns, flags: RunsFlags, io: CommandIO): Promise<number> {
  const sinceMs = flags.since ?? defaultSinceMs;
  const found: RunSummary[] = [];
  const now = Date.now();
  for await (const run of stored.summaries()) {
    if (run.startedAt < now - 2 * sinceMs) break;
    if (matchesRun(run, flags)) found.push(run);
  }
  const counted = countRuns(found, { now, sinceMs, by: flags.by === undefined ? [] : [flags.by] });
  if (flags.output !== "table") await printData(counted, flags.output, io);
  else printRunStats(counted, io);
  return exitCodes.answered;
}

async function show(kept: KeptRun, flags: RunsFlags, io: CommandIO): Promise<number> {
  const { record, response = { error: record.error } } = kept;
  const format = flags.mermaid === true ? "mermaid" : flags.output;
  if (format === "table")
    io.stdout.write(`${sanitizeText(record.query, { singleLine: true })}\n\n`);
  const thrownAdvice =
    flags.hops === true ? "" : "`--hops` shows what it threw, where `dev` stored the run.";
  await printOutcome(response, record, io, { format, tree: true, thrownAdvice });
  if (format === "table" && flags.hops === true) printHops(record, io);
  return exitCodes.answered;
}

/** The format that `itReplays` and `replay --offline` read. */
async function exportReplayable(name: string, flags: RunsFlags, io: CommandIO): Promise<number> {
  const journal = await openJournal(flags, io);
  try {
    const { id } = await findJournaled(journal, name);
    const saved = await asConfigurationError(() => journal.save(id), sanitizeLine, MeshError);
    io.stdout.write(`${printableJson(saved)}\n`);
    return exitCodes.answered;
  } finally {
    await journal.close();
  }
}

function exportRun({ record, response }: KeptRun, flags: RunsFlags, { stdout }: CommandIO): number {
  stdout.write(
    flags.mermaid === true
      ? `${sanitizeText(printMermaid(record))}\n`
      : `${printableJson({ response, run: record })}\n`,
  );
  return exitCodes.answered;
}
