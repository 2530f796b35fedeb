/**
 * npm run eval -w librarians/triage: whom the librarian asks, without a model.
 *
 *     -- --set NAME       dev, dev-2, dev-3, dev-4, test or held-out: questions as people ask them; plain-dev
 *                         or plain-test: those in the descriptions' own words; outside-dev or outside-test:
 *                         those of an office and of life that are meant for none. held-out where not given
 *     -- --embedder       with the model of @constellation/embeddings (npm run model -w packages/embeddings)
 *     -- --wrong          also prints each question that went wrong; not for held-out
 *     -- --json           one JSON document
 *     -- --write-readme   writes the table of both sets that nothing was tuned on into the README
 */
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Embedder } from "@constellation/retrieval";
import type { EvalShare } from "@constellation/testing/evals";
import { expectedOf, figuresOf } from "./figures.js";
import { evaluate } from "./meshes.js";
import { isQuestionSet, questionSets } from "./questions.js";

const { values } = parseArgs({
  options: {
    set: { type: "string", default: "held-out" },
    embedder: { type: "boolean" },
    wrong: { type: "boolean" },
    json: { type: "boolean" },
    "write-readme": { type: "boolean" },
  },
});
const { set } = values;
if (!isQuestionSet(set)) {
  throw new RangeError(`--set: expected one of ${questionSets.join(", ")}, got ${set}.`);
}
if (values.wrong === true && set === "held-out") {
  throw new RangeError("--wrong: questions that are held out are scored and never shown.");
}

if (values["write-readme"] === true) {
  await writeReadme();
} else {
  const embedder = values.embedder === true ? await openEmbedder() : undefined;
  const { report, twoLevels } = await evaluate(set, embedder);
  await embedder?.close();
  const figures = figuresOf(report, twoLevels);
  if (values.json === true) {
    const { of: questions } = report.total;
    console.log(JSON.stringify({ set, questions, embedder: embedder?.id, figures }, undefined, 2));
  } else {
    for (const [name, value] of Object.entries(figures)) {
      console.log(`${name.padEnd(48)} ${print(value).padStart(18)}`);
    }
  }
  if (values.wrong === true) {
    for (const result of report.results.filter(({ passed }) => !passed)) {
      const [expected, asked] = [expectedOf(result), result.delegates].map((ids) => ids.join(","));
      console.log(`${expected || "-"} | ${asked || "-"} | ${result.query}`);
    }
  }
}

async function openEmbedder(): Promise<Embedder & { close(): Promise<void> }> {
  const { openModelEmbedder } = await import("@constellation/embeddings");
  return openModelEmbedder();
}

function print({ passed, of }: EvalShare): string {
  return `${passed} of ${of} (${of === 0 ? "-" : `${((100 * passed) / of).toFixed(1)} %`})`;
}

async function writeReadme(): Promise<void> {
  const embedder = await openEmbedder();
  const columns = [
    await evaluate("held-out", undefined),
    await evaluate("held-out", embedder),
    await evaluate("plain-test", undefined),
    await evaluate("plain-test", embedder),
  ].map(({ report, twoLevels }) => figuresOf(report, twoLevels));
  await embedder.close();
  const rows = Object.keys(columns[0] ?? {}).map(
    (name) =>
      `| ${name} | ${columns.map((figures) => print(figures[name] ?? { passed: 0, of: 0 })).join(" | ")} |`,
  );
  const head = [
    "| | as people ask | with embedder | in the descriptions' words | with embedder |",
    "| --- | --- | --- | --- | --- |",
  ];
  const file = new URL("../README.md", import.meta.url);
  const text = readFileSync(file, "utf8");
  const [before, after] = [text.indexOf("<!-- figures -->"), text.indexOf("<!-- /figures -->")];
  const table = ["<!-- figures -->", ...head, ...rows, ""].join("\n");
  writeFileSync(file, `${text.slice(0, before)}${table}${text.slice(after)}`);
}
