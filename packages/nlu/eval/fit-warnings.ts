import { writeFileSync } from "node:fs";
import { fitLinearModel } from "../src/fit.js";
import { createGround } from "../src/grounding/ground.js";
import { readStatement } from "../src/grounding/read-statement.js";
import { listWarnings, type WarningCandidate, weigh } from "../src/grounding/warnings.js";
import { createLinearModel } from "../src/index.js";
import { readCases, toPlain } from "./grounding-cases.js";

/**
 * Fits the weights of what speaks for and against a statement as the warning that a sentence leaves out, to folders with
 * `lies.jsonl` and `honest.jsonl`, and scores each folder with weights that were fitted to the others: `npm run
 * fit-warnings --workspace packages/nlu -- FOLDER... [--write]`.
 */
const args = process.argv.slice(2);
const folders = args.filter((one) => !one.startsWith("--"));

const cases = folders.flatMap((folder) =>
  ["lies", "honest"].flatMap((label) =>
    readCases(folder, `${label}.jsonl`)
      .filter(({ kind }) => label === "honest" || kind === "omitted-warning")
      .map(({ sentence, cited, others, needs }) => {
        const needed = needs === undefined ? undefined : toPlain(needs);
        const isNeeded = ({ text }: WarningCandidate) =>
          needed !== undefined &&
          (toPlain(text).includes(needed) || needed.includes(toPlain(text)));
        const candidates = listWarnings(readStatement(sentence), createGround(cited, others));
        return { folder, label, candidates, isNeeded };
      }),
  ),
);
type Case = (typeof cases)[number];

/** How much more a warning counts that is missing than a statement that is added without need. */
const neededWeight = 8;

function fit(all: readonly Case[]) {
  const examples = all.flatMap(({ label, candidates, isNeeded }) =>
    candidates.flatMap((one) => {
      // What else stands beside a step may belong to it as well.
      if (label === "lies" && !isNeeded(one)) return [];
      return [{ features: one.signs, label, weight: label === "lies" ? neededWeight : 1 }];
    }),
  );
  const model = createLinearModel(fitLinearModel(examples, { rounds: 600 }));
  const at = model.labels.indexOf("lies");
  const difference = (signs: WarningCandidate["signs"]) => {
    const scores = model.score(signs);
    return (scores[at] ?? 0) - (scores[1 - at] ?? 0);
  };
  const bias = difference([]);
  const names = [...new Set(examples.flatMap(({ features }) => features.map(([name]) => name)))];
  const round = (value: number) => Number(value.toFixed(2));
  return {
    bias: round(bias),
    weights: Object.fromEntries(
      names.sort().map((name) => [name, round(difference([[name, 1]]) - bias)]),
    ),
  };
}

const total = { found: 0, needed: 0, added: 0, honest: 0 };
for (const folder of folders) {
  const fitted = fit(cases.filter((one) => one.folder !== folder));
  const sumOf = (one: WarningCandidate) => weigh(one, fitted);
  const counts = { found: 0, needed: 0, added: 0, honest: 0 };
  for (const { label, candidates, isNeeded } of cases.filter((one) => one.folder === folder)) {
    const [best] = [...candidates].sort((a, b) => sumOf(b) - sumOf(a));
    const isAdded = best !== undefined && sumOf(best) > 0;
    counts[label === "lies" ? "needed" : "honest"]++;
    if (label === "lies" && isAdded && isNeeded(best)) counts.found++;
    if (label === "honest" && isAdded) counts.added++;
  }
  for (const name of ["found", "needed", "added", "honest"] as const) total[name] += counts[name];
  console.log(folder, counts);
}
console.log("all folders", total);
const fitted = fit(cases);
console.log(fitted);
if (args.includes("--write"))
  writeFileSync(
    new URL("../src/grounding/warning-weights.ts", import.meta.url),
    `/** Fitted by \`npm run fit-warnings\`: above 0 speaks for a statement as the warning that is missing. */\nexport const bias = ${fitted.bias};\nexport const weights: Readonly<Record<string, number>> = ${JSON.stringify(fitted.weights, null, 2)};\n`,
  );
