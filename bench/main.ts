/**
 * Measures every scenario, each in a process of its own, and shows the medians beside the goals.
 *
 * - `--quick`: fewer rounds, under a minute.
 * - `--only NAME`: that scenario; can be given more than once.
 * - `--core CHECKOUT`: the core built in another checkout.
 * - `--write-readme`: puts the table into README.md.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { describeMachine, machineLine } from "./machine.js";
import { measureInProcess } from "./process.js";
import { scenarios } from "./scenarios/all.js";
import { markdownTable, type Section, summaryLine } from "./table.js";

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string", multiple: true, default: [] },
    core: { type: "string" },
    "write-readme": { type: "boolean", default: false },
  },
});
const { quick, only, core } = values;
const unknown = only.filter((name) => !scenarios.some((each) => each.name === name));
if (unknown.length > 0) {
  const known = scenarios.map(({ name }) => name).join(", ");
  throw new Error(`--only ${unknown.join(", ")}: expected one of ${known}`);
}
if (values["write-readme"] && (quick || only.length > 0)) {
  throw new Error("--write-readme takes the full measurement, without --quick and --only.");
}
const chosen = scenarios.filter(({ name, isSlow }) =>
  only.length > 0 ? only.includes(name) : !(quick && isSlow === true),
);

const machine = describeMachine();
console.log(machineLine(machine));
const sections: Section[] = [];
for (const { name, title } of chosen) {
  console.log(`\n${name}: ${title}`);
  const rows = measureInProcess(name, { quick, core });
  for (const row of rows) console.log(summaryLine(row));
  sections.push({ title, rows });
}

const table = markdownTable(sections);
console.log(`\n${table}`);

const root = fileURLToPath(new URL("..", import.meta.url));
const results = join(root, "results");
mkdirSync(results, { recursive: true });
const file = join(results, `${machine.date.replaceAll(":", "")}-${machine.commit}.json`);
writeFileSync(file, `${JSON.stringify({ machine, quick, sections }, undefined, 2)}\n`);
console.log(`\nEvery value: ${file}`);

if (values["write-readme"]) {
  const readme = join(root, "README.md");
  const text = readFileSync(readme, "utf8");
  const marked = /(<!-- figures -->\n)[\s\S]*(<!-- \/figures -->)/;
  if (!marked.test(text)) throw new Error("README.md has no place for figures.");
  const figures = `\n${machineLine(machine)}\n\n${table}\n\n`;
  writeFileSync(
    readme,
    text.replace(marked, (_all, start: string, end: string) => `${start}${figures}${end}`),
  );
}
