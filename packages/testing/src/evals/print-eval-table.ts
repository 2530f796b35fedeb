import type { EvalReport, EvalResult, EvalShare } from "./eval-report.js";

/**
 * Prints a report for people: totals, expectations, tags, times, then each failed case with what
 * was expected and what was seen. No colour; control characters of what librarians said are taken out.
 *
 * @beta
 */
export function printEvalTable(report: EvalReport): string {
  const { total, notAsked, judged, byExpectation, byTag, durations, results } = report;
  const rows: readonly (readonly [string, string])[] = [
    ["cases", printShare(total)],
    ...(notAsked > 0 ? ([["not asked", String(notAsked)]] as const) : []),
    ...(judged === undefined ? [] : ([["judged", printShare(judged)]] as const)),
    ...shareRows("expected ", byExpectation),
    ...shareRows("tag ", byTag),
    ...(durations === undefined
      ? []
      : ([
          ["median", printMs(durations.medianMs)],
          ["p95", printMs(durations.p95Ms)],
        ] as const)),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const table = rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join("\n");
  const failures = results.filter(({ passed }) => !passed).map(printFailure);
  return [table, ...failures].join("\n\n");
}

function shareRows(
  prefix: string,
  shares: Readonly<Record<string, EvalShare>>,
): readonly (readonly [string, string])[] {
  return Object.entries(shares).map(([name, share]) => [plain(prefix + name), printShare(share)]);
}

function printShare({ passed, of }: EvalShare): string {
  const percent = of === 0 ? "" : ` (${((100 * passed) / of).toFixed(1)} %)`;
  return `${passed} of ${of}${percent}`;
}

function printMs(ms: number): string {
  return `${ms < 10 ? ms.toFixed(1) : ms.toFixed(0)} ms`;
}

function printFailure({ id, query, expectations, judgement, error }: EvalResult): string {
  const lines = expectations
    .filter(({ passed }) => !passed)
    .map(({ name, expected, seen }) => {
      const [wanted, got] = [plain(JSON.stringify(expected)), plain(seen)];
      return `  ${name}: expected ${wanted}, seen: ${got}`;
    });
  const why = error === undefined ? [] : [`  ${error.code}: ${plain(error.message)}`];
  const judged =
    judgement === undefined || judgement.verdict === "pass"
      ? []
      : [`  judge: ${judgement.verdict}: ${plain(judgement.reason)}`];
  return [`failed ${plain(id)}: ${plain(query)}`, ...lines, ...judged, ...why].join("\n");
}

/** One line without control characters, at most 200 characters. */
function plain(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ");
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}
