import { writeFileSync } from "node:fs";
import { fitLinearModel } from "../src/fit.js";
import { findOutright, readSigns } from "../src/grounding/align-sentence.js";
import { createGround } from "../src/grounding/ground.js";
import { readStatement } from "../src/grounding/read-statement.js";
import { createLinearModel, type Feature } from "../src/index.js";
import { type GroundingCase, readCases } from "./grounding-cases.js";

/**
 * Fits the weights of what speaks for and against a sentence to folders with `lies.jsonl` and `honest.jsonl`, and scores
 * each folder with weights that were fitted to the others, by kind: `npm run fit-grounding --workspace packages/nlu --
 * FOLDER... [--write] [--list] [--without SIGN...]`. A sentence that leaves out a warning is true: `score-grounding`
 * scores those by the text that ships.
 */
const args = process.argv.slice(2);
const without = args.includes("--without") ? args.splice(args.indexOf("--without")).slice(1) : [];
const folders = args.filter((one) => !one.startsWith("--"));
/** What no passage says of anything; each is true of something somewhere. */
const claims = [
  ...["is healthy", "runs out of memory", "works as expected", "was replaced last spring"],
  ...[
    "is out of date",
    "needs more capacity",
    "has been approved by the board",
    "cannot be reached",
  ],
  ...["is cheaper than before", "causes the delay", "has crashed", "is well protected"],
];

/** For each third case, a claim about what its passages name. */
function inventClaims(cases: readonly GroundingCase[]): readonly GroundingCase[] {
  return cases.flatMap((one, at) => {
    const sentence = `${nameOf(one)} ${claims[(at / 3) % claims.length]}.`;
    const { words } = readStatement(sentence);
    const isNew = !words
      .slice(1)
      .some(({ stem }) => one.cited.some(({ stems }) => stems.has(stem)));
    return at % 3 === 0 && isNew ? [{ ...one, sentence, kind: "invented-claim" }] : [];
  });
}

/** For each third case, what a statement of its passages says, denied. */
function inventDenials(cases: readonly GroundingCase[]): readonly GroundingCase[] {
  return cases.flatMap((one, at) => {
    const plain = one.cited
      .flatMap(({ statements }) => statements)
      .find(({ text, deniedParts }) => deniedParts.size === 0 && affirmed.test(text));
    if (at % 3 !== 1 || plain === undefined) return [];
    const sentence = plain.text.replace(affirmed, "$& not");
    return [{ ...one, sentence, kind: "invented-denial" }];
  });
}

const affirmed =
  /^[^.:;,`\n]{3,40} (?:is|are|was|were|has|have|can|must|may|will)(?= [^.:;,\n]{2,60}\.?$)/;

function nameOf({ cited }: GroundingCase): string {
  const words = cited.flatMap(({ statements }) => statements.flatMap((one) => one.words));
  const isName = /^\p{Lu}/u;
  const name = words.find(({ isId, isFirst, text }) => isId || (!isFirst && isName.test(text)));
  return (name ?? words.find(({ isContent }) => isContent))?.text ?? "";
}

const examples = folders.flatMap((folder) =>
  ["lies", "honest"].flatMap((label) => {
    const cases = readCases(folder, `${label}.jsonl`);
    const invented = label === "lies" ? [...inventClaims(cases), ...inventDenials(cases)] : [];
    return [...cases, ...invented]
      .filter(({ kind }) => kind !== "omitted-warning")
      .map((one) => {
        const ground = createGround(one.cited, one.others);
        const said = readStatement(one.sentence);
        const features: Feature[] = readSigns(said, ground)
          .filter(({ name }) => !without.includes(name))
          .map(({ name, value }) => [name, value]);
        const isOut = findOutright(said, ground) !== undefined;
        return { folder, label, features, isOut, one };
      });
  }),
);
type Example = (typeof examples)[number];

/** How much more a lie counts that gets through than an honest sentence that is left out. */
const lieWeight = 1.8;
const invented = /^invented-(?:claim|denial)$/;
/** Invented claims only see to it that what is easy stays easy. */
const inventedWeight = 0.25;

function weightOf({ kind }: GroundingCase, label: string): number {
  return invented.test(kind) ? inventedWeight : label === "lies" ? lieWeight : 1;
}

interface Fitted {
  readonly bias: number;
  readonly weights: Readonly<Record<string, number>>;
}

function fit(all: readonly Example[]): Fitted {
  const from = all.filter(({ isOut }) => !isOut);
  const count = (label: string) =>
    from.filter((each) => each.label === label && !invented.test(each.one.kind)).length;
  const model = createLinearModel(
    fitLinearModel(
      from.map(({ features, label, one }) => ({
        features,
        label,
        weight: weightOf(one, label) * (from.length / count(label)),
      })),
      { rounds: 600 },
    ),
  );
  const at = model.labels.indexOf("lies");
  const difference = (features: readonly Feature[]) => {
    const scores = model.score(features);
    return (scores[at] ?? 0) - (scores[1 - at] ?? 0);
  };
  const bias = difference([]);
  const names = [...new Set(from.flatMap(({ features }) => features.map(([name]) => name)))].sort();
  const round = (value: number) => Number(value.toFixed(2));
  return {
    bias: round(bias),
    weights: Object.fromEntries(names.map((name) => [name, round(difference([[name, 1]]) - bias)])),
  };
}

function scoreOf({ features }: Example, { bias, weights }: Fitted): number {
  return features.reduce((total, [name, value]) => total + value * (weights[name] ?? 0), bias);
}

const totals = new Map<string, Map<string, [number, number]>>();
/** What speaks against each sentence, by weights fitted to the other folders. */
const apart: Readonly<Record<string, number[]>> = { lies: [], honest: [] };
for (const folder of folders) {
  const fitted = fit(examples.filter((one) => one.folder !== folder));
  for (const each of examples.filter((one) => one.folder === folder)) {
    const sum = scoreOf(each, fitted);
    const isRight = (each.isOut || sum > 0) === (each.label === "lies");
    if (!invented.test(each.one.kind))
      apart[each.label]?.push(each.isOut ? Number.POSITIVE_INFINITY : sum);
    for (const [name, kind] of [
      [folder, `all ${each.label}`],
      ["all folders", `all ${each.label}`],
      ["all folders", each.one.kind],
    ] as const) {
      if (invented.test(each.one.kind) && kind !== each.one.kind) continue;
      const counts = totals.get(name) ?? new Map<string, [number, number]>();
      totals.set(name, counts);
      const [right, all] = counts.get(kind) ?? [0, 0];
      counts.set(kind, [right + Number(isRight), all + 1]);
    }
    if (!isRight && args.includes("--list"))
      console.log(
        ...[each.one.id, each.one.kind, sum.toFixed(2), "|", each.one.sentence, "|"],
        each.features
          .filter(([, value]) => value !== 0)
          .map(([name, value]) => `${name}=${value.toFixed(2)}`)
          .join(" "),
      );
  }
}
for (const [name, counts] of totals)
  console.log(
    name,
    [...counts].map(([kind, [right, all]]) => `${kind} ${right}/${all}`).join(", "),
  );
const { lies = [], honest = [] } = apart;
honest.sort((a, b) => a - b);
for (const kept of [0.95, 0.92, 0.9, 0.88, 0.86, 0.84]) {
  const threshold = honest[Math.ceil(kept * honest.length) - 1] ?? 0;
  const found = lies.filter((sum) => sum > threshold).length / lies.length;
  console.log(`honest kept ${100 * kept} %: lies found ${(100 * found).toFixed(1)} %`);
}
const fitted = fit(examples);
console.log(fitted);
if (args.includes("--write"))
  writeFileSync(
    new URL("../src/grounding/alignment-weights.ts", import.meta.url),
    `/** Fitted by \`npm run fit-grounding\`: above 0 speaks against a sentence. */\nexport const bias = ${fitted.bias};\nexport const weights: Readonly<Record<string, number>> = ${JSON.stringify(fitted.weights, null, 2)};\n`,
  );
