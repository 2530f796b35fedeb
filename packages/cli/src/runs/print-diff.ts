import { printUsage, sanitizeText } from "@constellation/authoring";
import type { HopRecord, RunRecord } from "@constellation/core";
import type { KeptRun } from "@constellation/server";
import { diffLines } from "diff";
import type { CommandIO } from "../command-io.js";
import { formatTime } from "../terminal/format.js";
import { type Paint, paintFor } from "../terminal/paint.js";
import { sanitizeLine } from "../terminal/sanitize-line.js";
import { drawTable } from "../terminal/table.js";

/** Maximum time for comparing two answers, in milliseconds. */
const diffTimeoutMs = 2_000;

/** Two hops of two runs that are at the same place, or one that the other run lacks. */
export interface HopPair {
  /** Ids on the path, the hop's own last. */
  readonly path: string;
  readonly one?: HopRecord | undefined;
  readonly other?: HopRecord | undefined;
}

/** Pairs the hops of two runs: the same librarian on the same path, in the order they began. */
export function pairHops(one: RunRecord, other: RunRecord): readonly HopPair[] {
  const pairs = new Map<string, { path: string; one?: HopRecord; other?: HopRecord }>();
  for (const [side, record] of [["one", one] as const, ["other", other] as const]) {
    const counts = new Map<string, number>();
    const paths = new Map<number, string>();
    for (const hop of record.hops) {
      const above = hop.parentId === undefined ? "" : (paths.get(hop.parentId) ?? "");
      const path = above === "" ? hop.to : `${above} > ${hop.to}`;
      paths.set(hop.id, path);
      const count = (counts.get(path) ?? 0) + 1;
      counts.set(path, count);
      const key = `${path} ${count}`;
      pairs.set(key, { ...pairs.get(key), path, [side]: hop });
    }
  }
  return [...pairs.values()];
}

/** Prints how two runs differ: question, outcome, hops and answer. */
export function printRunDiff(one: KeptRun, other: KeptRun, io: CommandIO): void {
  const { stdout, env } = io;
  if (one.record.runId === other.record.runId) {
    stdout.write(`Both are run ${sanitizeLine(one.record.runId, 64)}: nothing differs.\n`);
    return;
  }
  const runs = [one.record, other.record];
  const head = [
    ["", ...runs.map(({ runId }) => sanitizeLine(runId, 8))],
    ["Question", ...runs.map(({ query }) => sanitizeLine(query, 120))],
    ["Outcome", ...runs.map(printOutcome)],
    ["Time", ...runs.map(({ durationMs }) => formatTime(durationMs))],
    ["Used", ...runs.map(({ usage }) => printUsage(usage))],
  ].filter(([, ...values]) => values.some((value) => value !== ""));
  const hops = pairHops(one.record, other.record).map((pair) => [
    sanitizeLine(pair.path, 200),
    printHop(pair.one),
    printHop(pair.other),
  ]);
  const parts = [
    drawTable(head, io),
    drawTable([["Hop", "", ""], ...hops], io),
    diffAnswers(one, other, paintFor(stdout, env)),
  ];
  stdout.write(`${parts.join("\n\n")}\n`);
}

function printOutcome({ stopReason, error }: RunRecord): string {
  return [stopReason ?? "running", error?.code].filter(Boolean).join(" ");
}

function printHop(hop: HopRecord | undefined): string {
  if (hop === undefined) return "-";
  const { outcome, error, durationMs, confidence, usage } = hop;
  const sure = confidence === undefined ? "" : `${Math.round(confidence * 100)} %`;
  return [error?.code ?? outcome ?? "running", formatTime(durationMs), sure, printUsage(usage)]
    .filter((part) => part !== "")
    .join(", ");
}

function diffAnswers(one: KeptRun, other: KeptRun, paint: Paint): string {
  const [before, after] = [one, other].map(
    ({ response }) => `${sanitizeText(response?.answer ?? "(no answer)").trim()}\n`,
  );
  if (before === after) return `${paint("bold", "Answer")}: the same`;
  const changes = diffLines(before ?? "", after ?? "", { timeout: diffTimeoutMs }) ?? [
    { value: before ?? "", removed: true, added: false },
    { value: after ?? "", removed: false, added: true },
  ];
  const lines = changes.flatMap(({ value, added, removed }) =>
    value
      .replace(/\n$/, "")
      .split("\n")
      .map((line) =>
        added ? paint("green", `+ ${line}`) : removed ? paint("red", `- ${line}`) : `  ${line}`,
      ),
  );
  return [paint("bold", "Answer"), "", ...lines].join("\n");
}
