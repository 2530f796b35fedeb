/**
 * npm run fit -w librarians/triage -- FOLDER...: fits the weights of the mix on meshes that come as files, with the model of
 * @constellation/embeddings, and writes `src/ranked/mix-weights.ts`. README.md has the form of the files.
 *
 * - the mix: conditional logistic regression. The weights, none below 0, with which the right one of the librarians that only
 *   read is most probable, over all questions for one of them, in all three modes;
 * - a second librarian: logistic regression over questions of several parts for one or two of them, with that mix.
 *
 * For each mesh it prints what is right of it with weights that were fitted without it.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Delegate } from "@constellation/core";
import { openModelEmbedder } from "@constellation/embeddings";
import { createAnalyzer, estimateAnswers } from "@constellation/retrieval";
import { createMeaningReader } from "../src/meaning/meaning-reader.js";
import { compareText } from "../src/meaning/word-nearness.js";
import {
  findMain,
  readSecond,
  textsToCompare,
  toCertainties,
} from "../src/ranked/choose-delegates.js";
import { createIndexCache } from "../src/ranked/index-cache.js";
import { readParts } from "../src/ranked/query-parts.js";
import { createWordReader } from "../src/ranked/query-words.js";
import { readSignals } from "../src/ranked/score-delegates.js";

interface LibrarianCase {
  readonly id: string;
  readonly description: string;
  readonly capabilities?: readonly string[];
  readonly examples?: readonly string[];
  readonly content?: readonly string[];
  readonly effects?: "read" | "write";
}

type Vector = readonly number[];

/** A question in one mode, and the signals of each librarian for the whole of it and for its parts. */
interface Choice {
  readonly delegates: readonly Delegate[];
  readonly texts: readonly {
    readonly words: readonly { readonly isExtra: boolean }[];
    readonly signals: readonly Vector[];
  }[];
  readonly to: readonly string[];
}

interface Weights {
  readonly weights: Vector;
  readonly bias: number;
}

const folders = process.argv.slice(2);
if (folders.length === 0) throw new RangeError("Pass the folders with the meshes.");
const analyzer = createAnalyzer();
const readWords = createWordReader(analyzer);
const model = keepVectors(await openModelEmbedder());
const meaning = createMeaningReader(model);
const modes = ["descriptions", "examples", "content"] as const;
const kinds = ["plain", "embedded"] as const;
const choices = { plain: new Map<string, Choice[]>(), embedded: new Map<string, Choice[]>() };
for (const path of folders.flatMap(findMeshes)) await readMesh(path);
meaning.close();
await model.close();

const meshes = [...choices.plain.keys()];
const fitted = fitAll("");
for (const held of meshes) {
  const own = fitAll(held);
  for (const kind of kinds) {
    const all = choices[kind].get(held) ?? [];
    const singles = all.filter(({ to }) => to.length === 1);
    const first = singles.filter((one) => best(one, own[kind].weights) === rightOf(one));
    const several = all.filter(({ texts }) => texts.length > 1);
    const whole = several.filter((one) => isRight(one, own[kind], own.second));
    console.log(
      `${kind}, without ${held}: first ${first.length} of ${singles.length}, of several parts ${whole.length} of ${several.length}`,
    );
  }
}
const [plain, embedded] = kinds.map((kind) => {
  const sum = fitted[kind].weights.reduce((total, each) => total + each, 0);
  return `{ weights: [${fitted[kind].weights.map((each) => round(each / sum)).join(", ")}], sharpness: ${round(sum)} }`;
});
writeFileSync(
  fileURLToPath(new URL("../src/ranked/mix-weights.ts", import.meta.url)),
  `// Written by \`npm run fit -w librarians/triage\` from questions in ${meshes.length} meshes: see eval/fit-mix.ts.

interface Mix {
  /** In the order of \`readSignals\`; they come to 1. */
  readonly weights: readonly number[];
  /** By how much the logarithm of a librarian's probability changes with its score. */
  readonly sharpness: number;
}

/** Without an embedder. */
export const plain: Mix = ${plain};

/** With one. */
export const embedded: Mix = ${embedded};

/** Of the logit of a second librarian, in the order of \`readSecond\`. */
export const second = { bias: ${round(fitted.second.bias)}, weights: [${fitted.second.weights.map(round).join(", ")}] };
`,
);

/** Embeds each text once: the modes have most of them in common. */
function keepVectors(opened: Awaited<ReturnType<typeof openModelEmbedder>>): typeof opened {
  const known = new Map<string, Float32Array | readonly number[]>();
  return {
    ...opened,
    async embed(texts, options) {
      const open = [...new Set(texts)].filter((text) => !known.has(text));
      const made = open.length === 0 ? [] : await opened.embed(open, options);
      for (const [at, text] of open.entries()) known.set(text, made[at] ?? []);
      return texts.map((text) => known.get(text) ?? []);
    },
  };
}

function findMeshes(folder: string): readonly string[] {
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((path) => existsSync(join(path, "questions.jsonl")));
}

async function readMesh(path: string): Promise<void> {
  const { librarians } = JSON.parse(readFileSync(join(path, "mesh.json"), "utf8")) as {
    librarians: readonly LibrarianCase[];
  };
  const readers = librarians.filter(({ effects }) => effects !== "write");
  if (readers.some(({ content = [] }) => content.length === 0)) return;
  const ids = new Set(readers.map(({ id }) => id));
  const estimates = readers.map(({ content = [] }) =>
    estimateAnswers(() => content, { embedder: model }),
  );
  const questions = readFileSync(join(path, "questions.jsonl"), "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as { q: string; to: readonly string[] })
    .filter(({ to }) => to.length > 0 && to.every((id) => ids.has(id)));
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
    const { index } = await createIndexCache(analyzer)(delegates, []);
    await meaning.prepare(index);
    for (const { q, to } of questions) {
      const texts = textsToCompare(readParts(q, new Set()));
      const near = await meaning.compare(texts, index, new AbortController().signal);
      const probes = texts.map((query, at) => ({
        query,
        vector: { embedder: model.id, values: near[at]?.vector ?? new Float32Array() },
      }));
      while (
        mode === "content" &&
        probes.some((one) => estimates.some((each) => each(one).similarity === undefined))
      )
        await new Promise((resolve) => setTimeout(resolve, 50)); // embedded in the background
      const read = (kind: (typeof kinds)[number]): Choice => ({
        delegates,
        to,
        texts: probes.map((probe, at) => {
          const compare = compareText(probe.query, delegates);
          return {
            words: readWords(probe.query),
            signals: delegates.map((delegate, place) => {
              const estimate = mode === "content" ? estimates[place]?.(probe) : undefined;
              const nearness = kind === "embedded" ? near[at]?.of(place) : undefined;
              return readSignals({ ...compare(delegate), near: nearness, estimate });
            }),
          };
        }),
      });
      for (const kind of kinds) own[kind].push(read(kind));
    }
  }
  for (const kind of kinds) choices[kind].set(path, own[kind]);
}

function fitAll(held: string) {
  const rest = (kind: (typeof kinds)[number]) =>
    [...choices[kind]].flatMap(([path, own]) => (path === held ? [] : own));
  const mix = (kind: (typeof kinds)[number]): Weights => ({
    weights: fit(
      rest(kind)
        .filter(({ to }) => to.length === 1)
        .map((one) => ({ options: one.texts[0]?.signals ?? [], right: rightOf(one) })),
    ),
    bias: 0,
  });
  const own = { plain: mix("plain"), embedded: mix("embedded") };
  const cases = kinds.flatMap((kind) =>
    rest(kind).flatMap((one) => {
      const read = readSeveral(one, own[kind]);
      // Only where one of both is right.
      return read?.signals === undefined || isSame(read.one, one.to) === isSame(read.two, one.to)
        ? []
        : {
            options: [[...read.signals, 1], read.signals.map(() => 0).concat(0)],
            right: isSame(read.two, one.to) ? 0 : 1,
          };
    }),
  );
  const [bias = 0, ...weights] = fit(cases, Number.NEGATIVE_INFINITY, 2_000).toReversed();
  return { ...own, second: { bias, weights: weights.toReversed() } };
}

/** The main librarian of a question of several parts, and a second one for the part that speaks most for another. */
function readSeveral({ texts, delegates }: Choice, { weights }: Weights) {
  if (texts.length < 3) return undefined;
  const scored = texts.map(({ words, signals }) => ({
    words: words as never,
    sharpness: 1,
    ranked: signals
      .map((own, place) => ({ place, score: dot(own, weights) }))
      .sort((a, b) => b.score - a.score)
      .flatMap(({ place, score }) => {
        const delegate = delegates[place];
        return delegate === undefined ? [] : { delegate, member: delegate, score };
      }),
  }));
  const certainties = scored.map(toCertainties);
  const main = findMain(certainties);
  const others = scored.slice(1).flatMap(({ ranked: [other] }, at) => {
    const part = certainties[at + 1];
    if (other === undefined || part === undefined || other.delegate === main) return [];
    return { signals: readSecond(part, other.delegate, scored.slice(1)), id: other.delegate.id };
  });
  const [most] = others.sort((a, b) => (b.signals[0] ?? 0) - (a.signals[0] ?? 0));
  const one = [main?.id ?? ""];
  return { one, two: most === undefined ? one : [...one, most.id], signals: most?.signals };
}

function isRight(one: Choice, mix: Weights, { weights, bias }: Weights): boolean {
  const read = readSeveral(one, mix);
  if (read === undefined) return false;
  const isTwo = read.signals !== undefined && dot(read.signals, weights) + bias > 0;
  return isSame(isTwo ? read.two : read.one, one.to);
}

function rightOf({ delegates, to }: Choice): number {
  return delegates.findIndex(({ id }) => id === to[0]);
}

function best({ texts }: Choice, weights: Vector): number {
  const scores = texts[0]?.signals.map((own) => dot(own, weights)) ?? [];
  return scores.indexOf(Math.max(...scores));
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one) => others.includes(one));
}

function dot(own: Vector, weights: Vector): number {
  return own.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), 0);
}

function round(value: number): number {
  return Number(value.toFixed(3));
}

/**
 * Gradient descent with a step of its own for each weight (Adam), with a little pull towards 0.
 *
 * @param least - Minimum of a weight.
 */
function fit(
  cases: readonly { readonly options: readonly Vector[]; readonly right: number }[],
  least = 0,
  rounds = 200,
): readonly number[] {
  const size = cases[0]?.options[0]?.length ?? 0;
  const weights = new Array<number>(size).fill(1);
  const first = new Array<number>(size).fill(0);
  const other = new Array<number>(size).fill(0);
  for (let round = 1; round <= rounds; round++) {
    const slope = weights.map((weight) => 1e-3 * weight);
    for (const { options, right } of cases) {
      const scores = options.map((own) => dot(own, weights));
      const most = Math.max(...scores);
      const powers = scores.map((one) => Math.exp(one - most));
      const sum = powers.reduce((total, each) => total + each, 0);
      for (const [place, own] of options.entries()) {
        const excess = ((powers[place] ?? 0) / sum - (place === right ? 1 : 0)) / cases.length;
        for (let at = 0; at < size; at++) slope[at] = (slope[at] ?? 0) + excess * (own[at] ?? 0);
      }
    }
    const rate = 0.5 * (1 - (round - 1) / rounds);
    for (let at = 0; at < size; at++) {
      const one = slope[at] ?? 0;
      first[at] = 0.9 * (first[at] ?? 0) + 0.1 * one;
      other[at] = 0.99 * (other[at] ?? 0) + 0.01 * one * one;
      const step = (first[at] ?? 0) / (1 - 0.9 ** round);
      const spread = Math.sqrt((other[at] ?? 0) / (1 - 0.99 ** round)) + 1e-8;
      weights[at] = Math.max(least, (weights[at] ?? 0) - (rate * step) / spread);
    }
  }
  return weights;
}
