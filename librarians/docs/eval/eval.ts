/**
 * npm run eval -w librarians/docs: the figures of the librarian without a model, on real documentation.
 *
 *     -- --data DIR       another folder of the same layout
 *     -- --split NAME     the queries of queries.NAME.jsonl; dev where not given
 *     -- --people         the questions of people in questions/ instead, over npm, undici and pino
 *     -- --corpora DIR    where these are, or are put; a temporary folder where not given
 *     -- --embedder       ranks by meaning too, with the model of packages/embeddings
 *     -- --vectors DIR    where the vectors are kept between runs; a temporary folder where not given
 *     -- --out RUN.jsonl  also writes what was found for each query, for the scorer beside the data
 *     -- --json           one JSON document
 *     -- --write-readme   writes the table into the README
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { openModelEmbedder } from "@constellation/embeddings";
import { type Benchmark, readBenchmark } from "../../../packages/retrieval/bench/benchmark.js";
import { peopleBenchmark } from "./cases.js";
import { evaluateClaims } from "./claims.js";
import { retrievalData } from "./data-folder.js";
import { fetchCorpora } from "./fetch-corpora.js";
import { figuresOf } from "./figures.js";
import { keepAll } from "./keep-all.js";
import { type Measured, measure } from "./measure.js";

const { values } = parseArgs({
  options: {
    data: { type: "string" },
    split: { type: "string", default: "dev" },
    people: { type: "boolean", default: false },
    corpora: { type: "string", default: join(tmpdir(), "constellation-corpora") },
    embedder: { type: "boolean", default: false },
    vectors: { type: "string", default: join(tmpdir(), "constellation-vectors") },
    out: { type: "string" },
    json: { type: "boolean" },
    "write-readme": { type: "boolean" },
  },
});
const folder = retrievalData(values.data);
const benchmark = values.people ? people() : documentation();
if (benchmark === undefined) {
  console.log(
    `eval: skipped, there are no queries "${values.split}"; name a folder with --data DIR`,
  );
} else {
  const model = values.embedder ? await openModelEmbedder({ cache: values.vectors }) : undefined;
  const measurement = await measure(benchmark, model && keepAll(model));
  await model?.close();
  const hasClaims = folder !== undefined && existsSync(join(folder, "tools/make-claims.mjs"));
  const claims = hasClaims && !values.people ? evaluateClaims(folder) : undefined;
  const figures = {
    ...figuresOf(measurement),
    ...(claims !== undefined && {
      "made-up tokens found": claims["made-up tokens found"].share,
      "verbatim sentences flagged": claims["verbatim sentences flagged"].share,
      "human statements flagged": claims["human statements flagged"].share,
    }),
  };
  if (values.out !== undefined) {
    writeFileSync(values.out, `${measurement.queries.map(lineOf).join("\n")}\n`);
  }
  const shown = Object.entries(figures).map(([name, value]) => [name, print(value)] as const);
  if (values.json === true)
    console.log(JSON.stringify({ split: values.split, ...figures }, undefined, 2));
  else for (const [name, value] of shown) console.log(`${name.padEnd(46)} ${value.padStart(8)}`);
  const wrong = measurement.queries.flatMap(({ check }) => [
    ...check.invented,
    ...check.strange,
    ...(check.raw === undefined ? [] : [`raw: ${check.raw}`]),
  ]);
  if (wrong.length > 0) console.error(wrong.slice(0, 20).join("\n"));
  if (values["write-readme"] === true) writeReadme(shown);
}

function documentation(): Benchmark | undefined {
  if (folder === undefined) return undefined;
  // The file of the split "held-out" is queries.heldout.jsonl.
  const names = [values.split, values.split.replaceAll("-", "")];
  return names.map((name) => readBenchmark(folder, name)).find((each) => each !== undefined);
}

function people(): Benchmark {
  fetchCorpora(values.corpora);
  return peopleBenchmark(values.corpora, values.split);
}

/** As the scorer reads it. */
function lineOf({ query, results, answerable, isAnswered, isOutside, answerMs }: Measured): string {
  return JSON.stringify({
    id: query.id,
    results,
    score: answerable,
    outOfDomain: isOutside,
    abstained: !isAnswered && !isOutside,
    ms: answerMs,
  });
}

function print(value: number): string {
  if (Number.isInteger(value)) return String(value);
  return value < 1 ? value.toFixed(3) : value.toFixed(1);
}

function writeReadme(shown: readonly (readonly [string, string])[]): void {
  const file = fileURLToPath(new URL("../README.md", import.meta.url));
  const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
  const date = new Date().toISOString().slice(0, 10);
  const table = [
    "## Figures",
    "",
    `\`npm run eval -w librarians/docs\`, ${date}, commit ${commit}, Node.js ${process.versions.node}: three knowledge`,
    `bases of real documentation, split \`${values.split}\`, no model, no network. Shares are 0 to 1.`,
    "",
    "| Figure | |",
    "| --- | --: |",
    ...shown.map(([name, value]) => `| ${name} | ${value} |`),
  ].join("\n");
  const text = readFileSync(file, "utf8");
  const marks = /<!-- figures -->[\s\S]*<!-- \/figures -->/;
  writeFileSync(
    file,
    text.replace(marks, () => `<!-- figures -->\n\n${table}\n\n<!-- /figures -->`),
  );
}
