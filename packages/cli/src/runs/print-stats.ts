import type { GroupFigures, RunFigures, RunStats } from "@constellation/server";
import type { CommandIO } from "../command-io.js";
import { formatSecond, formatTime } from "../terminal/format.js";
import { sanitizeLine } from "../terminal/sanitize-line.js";
import { drawTable } from "../terminal/table.js";

/** Number of runs from which a share or a time is compared with the time before. */
const minCompared = 5;
/** Minimum factor between two values that is reported as a change. */
const minRatio = 1.5;
/** Minimum difference of error rates that is reported as a change. */
const minShare = 0.05;

/** Prints figures as a table, with what has changed since the time before. */
export function printRunStats({ from, to, total, groups }: RunStats, io: CommandIO): void {
  const { stdout } = io;
  const head = ["", "Runs", "Answered", "Not found", "Refused", "Errors"];
  const rows = [...Object.values(groups).flat(), total].map(printRow);
  const table = [[...head, "p50", "p95", "Tokens", "Cost", "Changed"], ...rows];
  stdout.write(
    `${formatSecond(from).slice(0, -3)} to ${formatSecond(to).slice(0, -3)} (UTC), against the time before.\n\n`,
  );
  stdout.write(`${drawTable(table, io)}\n`);
}

function printRow(figures: GroupFigures): readonly string[] {
  const { name, count, answered, notFound, refused, errors, p50, p95, tokens, costUsd } = figures;
  return [
    sanitizeLine(name, 40),
    ...[count, answered, notFound, refused, errors].map((number) => number.toLocaleString("en")),
    p50 === undefined ? "" : formatTime(p50),
    p95 === undefined ? "" : formatTime(p95),
    tokens === 0 ? "" : tokens.toLocaleString("en"),
    tokens === 0 ? "" : printCost(costUsd),
    changesIn(figures).join(", "),
  ];
}

/** Differences from the period before that are larger than these thresholds. */
export function changesIn({ before, ...now }: GroupFigures): readonly string[] {
  if (before === undefined) return [];
  if (before.count === 0) return now.count === 0 ? [] : ["new"];
  if (now.count === 0) return [`none, was ${before.count.toLocaleString("en")}`];
  const changes: string[] = [];
  if (isOther(now.count, before.count)) changes.push(`runs ${percent(now.count, before.count)}`);
  if (now.count >= minCompared && before.count >= minCompared) {
    const [own, other] = [now, before].map(({ errors, count }) => errors / count) as [
      number,
      number,
    ]; // one for each
    if (Math.abs(own - other) >= minShare) {
      changes.push(`errors ${asPercent(own)}, was ${asPercent(other)}`);
    }
    if (isOther(now.p95, before.p95)) {
      changes.push(`p95 ${formatTime(now.p95 ?? 0)}, was ${formatTime(before.p95 ?? 0)}`);
    }
  }
  const [cost, was] = [perRun(now), perRun(before)];
  if (isOther(cost, was)) changes.push(`cost per run ${printCost(cost)}, was ${printCost(was)}`);
  return changes;
}

function perRun({ costUsd, count }: RunFigures): number | undefined {
  return costUsd === undefined ? undefined : costUsd / count;
}

function isOther(now: number | undefined, before: number | undefined): boolean {
  if (now === undefined || before === undefined || now === before) return false;
  return now >= before * minRatio || before >= now * minRatio;
}

function percent(now: number, before: number): string {
  const change = Math.round((now / before - 1) * 100);
  return `${change > 0 ? "+" : ""}${change} %`;
}

function asPercent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function printCost(usd: number | undefined): string {
  if (usd === undefined) return "unknown";
  return `$${usd >= 1 || usd === 0 ? usd.toFixed(2) : usd.toFixed(4)}`;
}
