/**
 * npm run eval -w librarians/workflow-selector: the figures without a model, on real workflows and cases.
 *
 *     -- --data DIR       another folder of the same layout
 *     -- --json           one JSON document
 *     -- --write-readme   writes the table into the README
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { selectionData } from "./data-folder.js";
import { measure } from "./measure.js";

const { values } = parseArgs({
  options: {
    data: { type: "string" },
    json: { type: "boolean" },
    "write-readme": { type: "boolean" },
  },
});
const folder = selectionData(values.data);
if (folder === undefined) {
  console.log("eval: skipped, there are no workflows; name a folder with --data DIR");
} else {
  const { figures, wrong } = await measure(folder);
  const shown = Object.entries(figures).map(([name, value]) => [name, String(value)] as const);
  if (values.json === true) console.log(JSON.stringify({ ...figures, wrong }, undefined, 2));
  else for (const [name, value] of shown) console.log(`${name.padEnd(52)} ${value.padStart(8)}`);
  if (values.json !== true) for (const line of wrong) console.error(line);
  if (values["write-readme"] === true) writeReadme(shown);
}

function writeReadme(shown: readonly (readonly [string, string])[]): void {
  const file = fileURLToPath(new URL("../README.md", import.meta.url));
  const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
  const date = new Date().toISOString().slice(0, 10);
  const table = [
    "## Figures",
    "",
    `\`npm run eval -w librarians/workflow-selector\`, ${date}, commit ${commit}, Node.js ${process.versions.node}: a real`,
    "catalog and its incidents, no model, no network, from the incident alone; and the cases of filter, score, parameters,",
    "replies, corrections and gates: `seeds` follow the contract, the others a later one, under the profile `kubernaut`.",
    "",
    "| Figure | |",
    "| --- | --: |",
    ...shown.map(([name, value]) => `| ${name} | ${value} |`),
  ].join("\n");
  const marks = /<!-- figures -->[\s\S]*<!-- \/figures -->/;
  const text = readFileSync(file, "utf8");
  writeFileSync(
    file,
    text.replace(marks, () => `<!-- figures -->\n\n${table}\n\n<!-- /figures -->`),
  );
}
