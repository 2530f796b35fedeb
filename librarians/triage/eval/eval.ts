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
import { createTriageLibrarian } from "../src/index.js";
import { delegates } from "./delegates.js";
import { type Asked, figuresOf, isRight, type Share } from "./figures.js";
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

const all: Asked[] = [];
for (const question of readQuestions(values.split)) {
  const run = router.start(question.query);
  await run.response;
  const asked = run.explain().hops.flatMap(({ to }) => (to === "triage" ? [] : [to]));
  all.push({ ...question, asked });
}
await router.close();

const figures = figuresOf(all);
if (values.json === true) {
  console.log(
    JSON.stringify({ split: values.split, questions: all.length, figures }, undefined, 2),
  );
} else {
  for (const [name, value] of Object.entries(figures)) {
    console.log(`${name.padEnd(48)} ${print(value).padStart(18)}`);
  }
}
if (values.wrong === true) {
  for (const each of all.filter((asked) => !isRight(asked))) {
    console.log(`${each.expect.join(",") || "-"} | ${each.asked.join(",") || "-"} | ${each.query}`);
  }
}
if (values["write-readme"] === true) writeReadme();

function print({ right, of }: Share): string {
  return `${right} of ${of} (${of === 0 ? "-" : `${((100 * right) / of).toFixed(1)} %`})`;
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
