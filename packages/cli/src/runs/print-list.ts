import { printUsage } from "@constellation/core";
import type { RunSummary } from "@constellation/server";
import type { CommandIO } from "../command-io.js";
import { formatTime } from "../terminal/format-time.js";
import { paintFor } from "../terminal/paint.js";
import { sanitizeLine } from "../terminal/sanitize-line.js";
import { renderTable } from "../terminal/table.js";

/** Prints runs as a table: id, time, outcome, duration, use of models, question. */
export function printRunList(runs: readonly RunSummary[], { stdout, env }: CommandIO): void {
  const paint = paintFor(stdout, env);
  const rows = runs.map(({ runId, startedAt, stopReason, code, durationMs, usage, query = "" }) => [
    sanitizeLine(runId, 8),
    new Date(startedAt).toISOString().slice(0, 19).replace("T", " "),
    stopReason === "waiting" ? stopReason : (code ?? stopReason ?? "running"),
    formatTime(durationMs),
    printUsage(usage),
    sanitizeLine(query, 80),
  ]);
  const hasUsage = rows.some(([, , , , used]) => used !== "");
  const table = [["Run", "Started (UTC)", "Outcome", "Time", "Used", "Question"], ...rows].map(
    (row) => (hasUsage ? row : row.filter((_cell, column) => column !== 4)),
  );
  const width = stdout.isTTY === true ? (stdout.columns || 80) - 1 : 200;
  stdout.write(`${renderTable(table, paint, width).join("\n")}\n`);
}
