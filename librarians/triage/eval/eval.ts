/**
 * npm run eval -w librarians/triage: whom the librarian asks, without a model.
 *
 *     -- --split NAME     the questions of questions.NAME.jsonl; test where not given
 *     -- --wrong          also prints each question that went wrong
 *     -- --json           one JSON document
 *     -- --write-readme   writes the table into the README
 */
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { createRouter, type LibrarianDefinition } from "@constellation/core";
import { askRouter, type EvalShare, runEval } from "@constellation/core/evals";
import { createTriageLibrarian } from "../src/index.js";
import { delegates } from "./delegates.js";
import { expectedOf, figuresOf } from "./figures.js";
import { readQuestions } from "./questions.js";

const { values } = parseArgs({
  options: {
    split: { type: "string", default: "test" },
    wrong: { type: "boolean" },
    json: { type: "boolean" },
    "write-readme": { type: "boolean" },
  },
});

const router = createRouter({ entry: "triage" });
router.register(createTriageLibrarian());
for (const { description = "", ...info } of delegates) {
  const librarian: LibrarianDefinition["librarian"] = async () => ({ answer: info.id });
  router.register({ ...info, description, librarian });
}

const report = await runEval(askRouter(router), readQuestions(values.split));
await router.close();

const figures = figuresOf(report);
if (values.json === true) {
  console.log(
    JSON.stringify({ split: values.split, questions: report.total.of, figures }, undefined, 2),
  );
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
if (values["write-readme"] === true) writeReadme();

function print({ passed, of }: EvalShare): string {
  return `${passed} of ${of} (${of === 0 ? "-" : `${((100 * passed) / of).toFixed(1)} %`})`;
}

function writeReadme(): void {
  const file = new URL("../README.md", import.meta.url);
  const rows = Object.entries(figures).map(([name, value]) => `| ${name} | ${print(value)} |`);
  const table = ["| | |", "| --- | --- |", ...rows].join("\n");
  const text = readFileSync(file, "utf8");
  writeFileSync(
    file,
    text.replace(
      /<!-- figures -->[\s\S]*<!-- \/figures -->/,
      `<!-- figures -->\n${table}\n<!-- /figures -->`,
    ),
  );
}
