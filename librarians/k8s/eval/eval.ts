/**
 * Share of the cases answered right, without a model: signal type of the first fact, the resource among
 * the sources, everything that must be mentioned and nothing that must not.
 *
 *     npm run eval -w librarians/k8s -- [--data DIR] [--json] [--misses] [--write-readme]
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createK8sLibrarian } from "../src/k8s-librarian.js";
import { dataFolder } from "./data-folder.js";
import { loadCases } from "./load-case.js";
import { type CaseScore, scoreCase } from "./score.js";

const given = process.argv.slice(2);
const folder = dataFolder(given);
if (folder === undefined) {
  console.log("There are no cases here: --data DIR names another folder. Skipped.");
} else {
  const scores: CaseScore[] = [];
  for (const one of loadCases(folder)) {
    const { librarian } = createK8sLibrarian({ reader: one.reader });
    scores.push(scoreCase(one, await librarian(one.question)));
  }
  const share = (pick: (score: CaseScore) => boolean) =>
    scores.filter(pick).length / Math.max(1, scores.length);
  const figures = {
    cases: scores.length,
    right: share(({ right }) => right),
    signalType: share(({ signal }) => signal),
    resource: share(({ resource }) => resource),
    mentions: share(({ mentions }) => mentions),
  };
  const misses = scores.filter(({ right }) => !right);
  if (given.includes("--json")) {
    console.log(
      JSON.stringify({ ...figures, ...(given.includes("--misses") && { misses }) }, null, 2),
    );
  } else {
    const percent = (value: number) => `${(value * 100).toFixed(1)} %`;
    console.log(
      `${figures.cases} cases: right ${percent(figures.right)} (signal type ${percent(figures.signalType)}, resource ${percent(figures.resource)}, mentions ${percent(figures.mentions)})`,
    );
    if (given.includes("--misses"))
      for (const { id, got, wrong } of misses)
        console.log(`- ${[`${id}: ${got}`, ...wrong].join("; ")}`);
    if (given.includes("--write-readme")) writeReadme(percent);
  }

  function writeReadme(percent: (value: number) => string): void {
    const file = new URL("../README.md", import.meta.url);
    const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], {
      encoding: "utf8",
    }).trim();
    const date = new Date().toISOString().slice(0, 10);
    const table = `<!-- figures -->\n\n## Figures\n\n${figures.cases} cluster states from the unit tests of k8sgpt and popeye, without a model: ${percent(figures.right)} right\n(signal type ${percent(figures.signalType)}, resource ${percent(figures.resource)}, mentions ${percent(figures.mentions)}). ${date}, commit ${commit}.\n\n<!-- /figures -->`;
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace(/<!-- figures -->[\s\S]*<!-- \/figures -->/, table));
  }
}
