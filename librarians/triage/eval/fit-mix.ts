/**
 * npm run fit -w librarians/triage -- FOLDER...: fits the weights of the mix on meshes that come as files, with the model of
 * @constellation/embeddings, and writes `src/ranked/mix-weights.ts`. README.md has the form of the files.
 *
 * Conditional logistic regression: the weights, none below 0, with which the right one of the librarians that only read is
 * most probable, over all questions for one of them, in all three modes. For each mesh it prints the share of questions whose
 * right librarian comes first with weights that were fitted without that mesh.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openModelEmbedder } from "@constellation/embeddings";
import { toWordVector } from "@constellation/nlu";
import { createAnalyzer, estimateAnswers } from "@constellation/retrieval";
import { createMeaningReader } from "../src/meaning/meaning-reader.js";
import { compareWords } from "../src/meaning/word-nearness.js";
import { createIndexCache } from "../src/ranked/index-cache.js";
import { readParts } from "../src/ranked/query-parts.js";
import { createWordReader } from "../src/ranked/query-words.js";
import { readSignals, shareOf } from "../src/ranked/score-delegates.js";

interface LibrarianCase {
  readonly id: string;
  readonly description: string;
  readonly capabilities?: readonly string[];
  readonly examples?: readonly string[];
  readonly content?: readonly string[];
  readonly effects?: "read" | "write";
}

/** A question in one mode: the signals of each librarian that it may be for, and the place of the right one. */
interface Choice {
  readonly signals: readonly (readonly number[])[];
  readonly right: number;
}

const folders = process.argv.slice(2);
if (folders.length === 0) throw new RangeError("Pass the folders with the meshes.");
const analyzer = createAnalyzer();
const readWords = createWordReader(analyzer);
const model = await openModelEmbedder();
const meaning = createMeaningReader(model);
const meshes = folders.flatMap((folder) =>
  readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((path) => existsSync(join(path, "questions.jsonl"))),
);
const modes = ["descriptions", "examples", "content"] as const;
const choices = { plain: new Map<string, Choice[]>(), embedded: new Map<string, Choice[]>() };
for (const path of meshes) {
  const { librarians } = JSON.parse(readFileSync(join(path, "mesh.json"), "utf8")) as {
    librarians: readonly LibrarianCase[];
  };
  const readers = librarians.filter(({ effects }) => effects !== "write");
  if (readers.some(({ content = [] }) => content.length === 0)) continue;
  const estimates = readers.map(({ content = [] }) =>
    estimateAnswers(() => content, { embedder: model }),
  );
  const lines = readFileSync(join(path, "questions.jsonl"), "utf8").split("\n");
  const questions = lines
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as { q: string; to: readonly string[] })
    .filter(({ to }) => to.length === 1 && readers.some(({ id }) => id === to[0]));
  const own = { plain: [] as Choice[], embedded: [] as Choice[] };
  for (const mode of modes) {
    const delegates = readers.map(({ id, description, capabilities = [], examples = [] }) =>
      Object.freeze({
        id,
        description,
        capabilities,
        examples: mode === "descriptions" ? [] : examples,
      }),
    );
    const found = await createIndexCache(analyzer)(delegates, []);
    await meaning.prepare(found.index);
    for (const { q, to } of questions) {
      const { text } = readParts(q, new Set());
      const [near] = await meaning.compare([text], found.index, new AbortController().signal);
      if (near === undefined) continue;
      const probe = { query: text, vector: { embedder: model.id, values: near.vector } };
      while (mode === "content" && estimates.some((each) => each(probe).similarity === undefined))
        await new Promise((resolve) => setTimeout(resolve, 50)); // embedded in the background
      const words = found.index.weigh(readWords(text), found.left);
      const vector = toWordVector(text);
      const right = readers.findIndex(({ id }) => id === to[0]);
      const signalsOf = (withNear: boolean) =>
        delegates.map((delegate, place) =>
          readSignals({
            words: shareOf(found.index, words, place),
            byWords: compareWords(vector, delegate),
            near: withNear ? near.of(place) : undefined,
            estimate: mode === "content" ? estimates[place]?.(probe) : undefined,
          }),
        );
      own.plain.push({ signals: signalsOf(false), right });
      own.embedded.push({ signals: signalsOf(true), right });
    }
  }
  choices.plain.set(path, own.plain);
  choices.embedded.set(path, own.embedded);
}
meaning.close();
await model.close();

const fitted = Object.entries(choices).map(([name, byMesh]) => {
  for (const [path, held] of byMesh) {
    const weights = fit([...byMesh].flatMap(([other, own]) => (other === path ? [] : own)));
    const first = held.filter((one) => best(one, weights) === one.right).length;
    console.log(`${name}, without ${path}: ${first} of ${held.length}`);
  }
  const weights = fit([...byMesh.values()].flat());
  const total = weights.reduce((sum, each) => sum + each, 0);
  const shares = weights.map((each) => Number((each / total).toFixed(3)));
  return `/** ${name === "plain" ? "Without an embedder" : "With one"}, in the order of \`readSignals\`. */
export const ${name}: readonly number[] = [${shares.join(", ")}];
`;
});
const count = [...choices.plain.values()].flat().length;
writeFileSync(
  fileURLToPath(new URL("../src/ranked/mix-weights.ts", import.meta.url)),
  `// Written by \`npm run fit -w librarians/triage\` from ${count} choices of ${choices.plain.size} meshes: see eval/fit-mix.ts.

${fitted.join("\n")}`,
);

function best({ signals }: Choice, weights: readonly number[]): number {
  const scores = signals.map((own) => score(own, weights));
  return scores.indexOf(Math.max(...scores));
}

function score(own: readonly number[], weights: readonly number[]): number {
  return own.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), 0);
}

/** Gradient descent with a step of its own for each weight (Adam); a little pull towards 0. */
function fit(all: readonly Choice[]): readonly number[] {
  const size = all[0]?.signals[0]?.length ?? 0;
  const weights = new Array<number>(size).fill(1);
  const first = new Array<number>(size).fill(0);
  const second = new Array<number>(size).fill(0);
  for (let round = 1; round <= 300; round++) {
    const slope = weights.map((weight) => 1e-3 * weight);
    for (const { signals, right } of all) {
      const scores = signals.map((own) => score(own, weights));
      const most = Math.max(...scores);
      const raised = scores.map((one) => Math.exp(one - most));
      const sum = raised.reduce((total, each) => total + each, 0);
      for (const [place, own] of signals.entries()) {
        const excess = (raised[place] ?? 0) / sum - (place === right ? 1 : 0);
        for (let at = 0; at < size; at++)
          slope[at] = (slope[at] ?? 0) + (excess * (own[at] ?? 0)) / all.length;
      }
    }
    for (let at = 0; at < size; at++) {
      const one = slope[at] ?? 0;
      first[at] = 0.9 * (first[at] ?? 0) + 0.1 * one;
      second[at] = 0.99 * (second[at] ?? 0) + 0.01 * one * one;
      const step = (first[at] ?? 0) / (1 - 0.9 ** round);
      const size0 = Math.sqrt((second[at] ?? 0) / (1 - 0.99 ** round)) + 1e-8;
      weights[at] = Math.max(0, (weights[at] ?? 0) - (0.1 * step) / size0);
    }
  }
  return weights;
}
