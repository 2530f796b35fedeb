import type { EvalReport, EvalResult } from "./eval-report.js";

/**
 * A report as JUnit XML: a test case for each case, with what was expected and seen where it failed.
 *
 * @param name - Of the suite, such as the file of cases.
 *
 * @beta
 */
export function printJUnit({ results, total }: EvalReport, name: string): string {
  const seconds = results.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1_000;
  const counts = `tests="${total.of}" failures="${total.of - total.passed}" time="${seconds.toFixed(3)}"`;
  const cases = results.map((result) => {
    const head = `    <testcase classname="${xml(name)}" name="${xml(result.id)}" time="${(result.durationMs / 1_000).toFixed(3)}"`;
    if (result.passed) return `${head} />`;
    const [first = "failed", ...rest] = whyFailed(result);
    return [
      `${head}>`,
      `      <failure message="${xml(first)}">${xml([result.query, first, ...rest].join("\n"))}</failure>`,
      "    </testcase>",
    ].join("\n");
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="${xml(name)}" ${counts}>`,
    ...cases,
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

/**
 * The failed cases of a report as annotations of GitHub Actions: an error at the line of each case.
 *
 * @param file - File of cases, from the root of the repository.
 * @param lineOf - Line of a case in it, by id.
 *
 * @beta
 */
export function printAnnotations(
  { results }: EvalReport,
  file: string,
  lineOf: (id: string) => number | undefined,
): string {
  return results
    .filter(({ passed }) => !passed)
    .map((result) => {
      const line = lineOf(result.id);
      const at = `file=${property(file)}${line === undefined ? "" : `,line=${line}`}`;
      const text = [result.query, ...whyFailed(result)].join("\n");
      return `::error ${at},title=${property(`eval ${result.id}`)}::${data(text)}\n`;
    })
    .join("");
}

function whyFailed({ expectations, judgement, error }: EvalResult): readonly string[] {
  return [
    ...expectations
      .filter(({ passed }) => !passed)
      .map(
        ({ name, expected, seen }) =>
          `${name}: expected ${JSON.stringify(expected)}, seen: ${seen}`,
      ),
    ...(judgement === undefined || judgement.verdict === "pass"
      ? []
      : [`judge: ${judgement.verdict}: ${judgement.reason}`]),
    ...(error === undefined ? [] : [`${error.code}: ${error.message}`]),
  ];
}

/** Text for XML; characters that XML 1.0 does not have are left out. */
function xml(text: string): string {
  const escapes: Readonly<Record<string, string>> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "\n": "&#10;",
  };
  return text
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "")
    .replaceAll(/[&<>"\n]/g, (found) => escapes[found] ?? found);
}

/** Text of a workflow command, as the toolkit of GitHub Actions escapes it. */
function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
