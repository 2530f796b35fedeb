import { writeFileSync } from "node:fs";
import { fitLinearModel } from "../src/fit.js";
import { findOutright, readSigns } from "../src/grounding/align-sentence.js";
import { createGround } from "../src/grounding/ground.js";
import { readStatement } from "../src/grounding/read-statement.js";
import { createLinearModel, type Feature } from "../src/index.js";
import { readCases } from "./grounding-cases.js";

/**
 * Fits the weights of what speaks for and against a sentence to folders with `lies.jsonl` and `honest.jsonl`, and scores
 * each folder with weights that were fitted to the others: `npm run fit-grounding --workspace packages/nlu -- FOLDER...
 * [--write] [--list]`.
 */
const args = process.argv.slice(2);
const folders = args.filter((one) => !one.startsWith("--"));
const examples = folders.flatMap((folder) =>
  ["lies", "honest"].flatMap((label) =>
    readCases(folder, `${label}.jsonl`).map((one) => {
      const ground = createGround(one.cited, one.others);
      const said = readStatement(one.sentence);
      const signs = readSigns(said, ground);
      const features: Feature[] = signs.map(({ name, value }) => [name, value]);
      return {
        folder,
        label,
        features,
        signs,
        isOut: findOutright(said, ground) !== undefined,
        one,
      };
    }),
  ),
);

/** How much more a lie counts that gets through than an honest sentence that is left out. */
const lieWeight = 1.6;

type Example = (typeof examples)[number];

/** What speaks against a sentence may only count against it, and the other way round: what does not is left out. */
function fit(from: readonly Example[]): { bias: number; weights: Record<string, number> } {
  const left = new Set<string>();
  for (;;) {
    const fitted = fitOnce(from, left);
    const wrong = Object.entries(fitted.weights).filter(([name, weight]) =>
      speaksFor.has(name) ? weight >= 0 : weight <= 0,
    );
    if (wrong.length === 0) return fitted;
    for (const [name] of wrong) left.add(name);
  }
}

const speaksFor = new Set(
  examples.flatMap(({ signs }) =>
    signs.flatMap(({ name, why }) => (why === undefined ? [name] : [])),
  ),
);

function fitOnce(
  from: readonly Example[],
  left: ReadonlySet<string>,
): { bias: number; weights: Record<string, number> } {
  const count = (label: string) => from.filter((one) => one.label === label).length;
  const model = createLinearModel(
    fitLinearModel(
      from
        .filter(({ isOut }) => !isOut)
        .map(({ features, label }) => ({
          features: features.filter(([name]) => !left.has(name)),
          label,
          weight: (label === "lies" ? lieWeight : 1) * (from.length / count(label)),
        })),
      { penalty: 0.001, rounds: 400 },
    ),
  );
  const at = model.labels.indexOf("lies");
  const difference = (features: readonly Feature[]) => {
    const scores = model.score(features);
    return (scores[at] ?? 0) - (scores[1 - at] ?? 0);
  };
  const bias = difference([]);
  const names = [...new Set(from.flatMap(({ features }) => features.map(([name]) => name)))]
    .filter((name) => !left.has(name))
    .sort();
  const round = (value: number) => Number(value.toFixed(2));
  return {
    bias: round(bias),
    weights: Object.fromEntries(names.map((name) => [name, round(difference([[name, 1]]) - bias)])),
  };
}

for (const folder of folders) {
  const { bias, weights } = fit(examples.filter((one) => one.folder !== folder));
  for (const label of ["lies", "honest"]) {
    const counts = new Map<string, [number, number]>();
    for (const { features, isOut, one } of examples.filter(
      (each) => each.folder === folder && each.label === label,
    )) {
      const sum = features.reduce(
        (total, [name, value]) => total + value * (weights[name] ?? 0),
        bias,
      );
      const isRight = (isOut || sum > 0) === (label === "lies");
      for (const kind of [one.kind, "all"]) {
        const [right, all] = counts.get(kind) ?? [0, 0];
        counts.set(kind, [right + Number(isRight), all + 1]);
      }
      if (!isRight && args.includes("--list"))
        console.log(
          one.id,
          one.kind,
          sum.toFixed(2),
          "|",
          one.sentence,
          "|",
          features
            .filter(([, v]) => v !== 0)
            .map(([n, v]) => `${n}=${v.toFixed(2)}`)
            .join(" "),
        );
    }
    console.log(
      folder,
      label,
      [...counts].map(([kind, [right, all]]) => `${kind} ${right}/${all}`).join(", "),
    );
  }
}
const fitted = fit(examples);
console.log(fitted);
if (args.includes("--write"))
  writeFileSync(
    new URL("../src/grounding/alignment-weights.ts", import.meta.url),
    `/** Fitted by \`npm run fit-grounding\`: above 0 speaks against a sentence. */\nexport const bias = ${fitted.bias};\nexport const weights: Readonly<Record<string, number>> = ${JSON.stringify(fitted.weights, null, 2)};\n`,
  );
