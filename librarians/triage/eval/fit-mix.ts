/**
 * npm run fit -w librarians/triage -- FOLDER...: fits the weights of the mix on meshes that come as files, with the model of
 * @constellation/embeddings, and writes `src/ranked/mix-weights.ts`. README.md has the form of the files.
 *
 * - the mix: conditional logistic regression. The weights, none below 0, with which the right one of the librarians that only
 *   read is most probable, over all questions for one of them, in all three modes;
 * - a second librarian: logistic regression over questions of several parts for one or two of them, with that mix;
 * - leaving the librarian that answered before: conditional logistic regression over follow-ups, and with a quarter of their weight
 *   over questions that follow one of another librarian by chance, with that mix.
 *
 *     -- --vectors FILE   keeps vectors there, so that the next run is faster
 *     -- --held           prints, for each mesh, what is right of it with weights that were fitted without it
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Delegate } from "@constellation/core";
import { openModelEmbedder } from "@constellation/embeddings";
import { type ContentEstimate, createAnalyzer, estimateAnswers } from "@constellation/retrieval";
import { createMeaningReader } from "../src/meaning/meaning-reader.js";
import { compareText } from "../src/meaning/word-nearness.js";
import { createSecondReader } from "../src/ranked/certainties.js";
import { textsToCompare } from "../src/ranked/choose-delegates.js";
import { readLeaving } from "../src/ranked/follow-up.js";
import { createIndexCache } from "../src/ranked/index-cache.js";
import { type ReadQuery, readParts } from "../src/ranked/query-parts.js";
import { createWordReader } from "../src/ranked/query-words.js";
import { readSignals } from "../src/ranked/score-delegates.js";
import { keepVectors } from "./keep-vectors.js";

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
  readonly read: ReadQuery;
  readonly delegates: readonly Delegate[];
  readonly texts: readonly {
    readonly words: readonly { readonly isExtra: boolean }[];
    readonly signals: readonly Vector[];
  }[];
  readonly to: readonly string[];
}

/** A question behind another one, and the librarian that answered that. */
interface FollowUp extends Choice {
  readonly said: string;
  readonly before: string;
  /** How much it counts. */
  readonly weight: number;
}

interface Case {
  readonly options: readonly Vector[];
  readonly right: number;
  /** How much it counts. Default: 1. */
  readonly weight?: number;
}

interface Weights {
  readonly weights: Vector;
  readonly bias: number;
}

const { values, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: { held: { type: "boolean" }, vectors: { type: "string" } },
});
if (folders.length === 0) throw new RangeError("Pass the folders with the meshes.");
/** How far apart questions stand that follow each other by chance, and how much such a pair counts. */
const chanceDistance = 7;
const chanceWeight = 0.25;
/** Steps in which the router passes estimates on. */
const estimateStep = 0.05;
const analyzer = createAnalyzer();
const readWords = createWordReader(analyzer);
const model = keepVectors(await openModelEmbedder(), values.vectors);
const meaning = createMeaningReader(model);
const modes = ["descriptions", "examples", "content"] as const;
const kinds = ["plain", "embedded"] as const;
const choices = { plain: new Map<string, Choice[]>(), embedded: new Map<string, Choice[]>() };
const followUps = { plain: new Map<string, FollowUp[]>(), embedded: new Map<string, FollowUp[]>() };
for (const path of folders.flatMap(findMeshes)) await readMesh(path);
meaning.close();
await model.close();

const meshes = [...choices.plain.keys()];
const fitted = fitAll("");
for (const held of values.held === true ? meshes : []) {
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

/** Of the logit of a second librarian, in the order of \`ReadSecond\`. */
export const second = ${toText(fitted.second)};

/** Of the logit that a follow-up leaves the librarian that answered before, in the order of \`readLeaving\`. */
export const leaving = ${toText(fitted.leaving)};
`,
);

function findMeshes(folder: string): readonly string[] {
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((path) => existsSync(join(path, "questions.jsonl")));
}

function toText({ bias, weights }: Weights): string {
  return `{ bias: ${round(bias)}, weights: [${weights.map(round).join(", ")}] }`;
}

function readLines<Line>(path: string): readonly Line[] {
  const lines = existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
  return lines.filter((line) => line.trim() !== "").map((line) => JSON.parse(line) as Line);
}

async function readMesh(path: string): Promise<void> {
  const { mesh, librarians } = JSON.parse(readFileSync(join(path, "mesh.json"), "utf8")) as {
    mesh: string;
    librarians: readonly LibrarianCase[];
  };
  const readers = librarians.filter(({ effects }) => effects !== "write");
  if (readers.some(({ content = [] }) => content.length === 0)) return;
  const ids = new Set(readers.map(({ id }) => id));
  const estimates = readers.map(({ content = [] }) =>
    estimateAnswers(() => content, { embedder: model }),
  );
  const isForReaders = ({ to }: { to: readonly string[] }) =>
    to.length > 0 && to.every((id) => ids.has(id));
  const questions = readLines<{ q: string; to: readonly string[] }>(
    join(path, "questions.jsonl"),
  ).filter(isForReaders);
  const followed = readLines<{
    mesh: string;
    turns: readonly { q: string; answeredBy: string }[];
    q: string;
    to: readonly string[];
  }>(join(path, "..", "followups.jsonl")).filter((one) => one.mesh === mesh && isForReaders(one));
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
    const readChoices = async (q: string, to: readonly string[]) => {
      const read = readParts(q, new Set());
      const texts = textsToCompare(read);
      const near = await meaning.compare(texts, index, new AbortController().signal);
      const probes = texts.map((query, at) => ({
        query,
        vector: { embedder: model.id, values: near[at]?.vector ?? new Float32Array() },
      }));
      const [probe] = probes;
      while (probe !== undefined && estimates.some((each) => each(probe).similarity === undefined))
        await new Promise((resolve) => setTimeout(resolve, 50)); // embedded in the background
      return (kind: (typeof kinds)[number]): Choice => ({
        read,
        delegates,
        to,
        texts: probes.map((one, at) => {
          const compare = compareText(one.query, delegates);
          return {
            words: readWords(one.query),
            signals: delegates.map((delegate, place) => {
              const estimate =
                mode === "content" ? roundEstimate(estimates[place]?.(one)) : undefined;
              const nearness = kind === "embedded" ? near[at]?.of(place) : undefined;
              return readSignals({ ...compare(delegate), near: nearness, estimate });
            }),
          };
        }),
      });
    };
    for (const [at, { q, to }] of questions.entries()) {
      const read = await readChoices(q, to);
      for (const kind of kinds) add(choices[kind], path, read(kind));
      const other = [...questions.slice(at + chanceDistance), ...questions].find(
        (one) => one.to[0] !== to[0],
      );
      if (other?.to[0] === undefined || to.length > 1 || mode === "examples") continue;
      const before = other.to[0];
      for (const kind of kinds)
        add(followUps[kind], path, { ...read(kind), said: q, before, weight: chanceWeight });
    }
    for (const { q, turns, to } of followed) {
      const last = turns.at(-1);
      if (last === undefined || mode === "examples") continue;
      const read = await readChoices(q, to);
      for (const kind of kinds)
        add(followUps[kind], path, { ...read(kind), said: q, before: last.answeredBy, weight: 1 });
    }
  }
}

/** An estimate as the router passes it on. */
function roundEstimate(estimate: ContentEstimate | undefined): ContentEstimate | undefined {
  if (estimate === undefined) return undefined;
  const { coverage, similarity } = estimate;
  const down = (value: number) => Math.floor(value / estimateStep + 1e-9) * estimateStep;
  return { ...estimate, coverage: down(coverage), similarity: similarity && down(similarity) };
}

function add<Item>(to: Map<string, Item[]>, path: string, item: Item): void {
  const own = to.get(path) ?? [];
  own.push(item);
  to.set(path, own);
}

function fitAll(held: string) {
  const without = <Item>(all: ReadonlyMap<string, readonly Item[]>) =>
    [...all].flatMap(([path, own]) => (path === held ? [] : own));
  const rest = (kind: (typeof kinds)[number]) => without(choices[kind]);
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
        : toCase(read.signals, isSame(read.two, one.to));
    }),
  );
  const left = kinds.flatMap((kind) =>
    without(followUps[kind]).map((one) => readFollowUp(one, own[kind])),
  );
  return { ...own, second: fitLogit(cases), leaving: fitLogit(left) };
}

/** A case of a logistic regression: the signals and 1 for the bias, against nothing. */
function toCase(signals: Vector, isTrue: boolean): Case {
  return { options: [[...signals, 1], [...signals, 1].map(() => 0)], right: isTrue ? 0 : 1 };
}

function fitLogit(cases: readonly Case[]): Weights {
  const weights = fit(cases, Number.NEGATIVE_INFINITY, 1_000);
  return { weights: weights.slice(0, -1), bias: weights.at(-1) ?? 0 };
}

/** Of all librarians the right one: for the one that answered before speaks that it did, as `stayWith` reads it. */
function readFollowUp(
  { texts, delegates, said, before, to, weight }: FollowUp,
  { weights }: Weights,
): Case {
  const signals = readLeaving(said, 0).slice(1);
  return {
    options: delegates.map(({ id }, place) => [
      Math.max(...texts.map((text) => dot(text.signals[place] ?? [], weights))),
      ...[...signals, 1].map((value) => (id === before ? -value : 0)),
    ]),
    right: delegates.findIndex(({ id }) => id === to[0]),
    weight,
  };
}

/** The main librarian of a question of several parts, and a second one for the part that speaks most for another. */
function readSeveral({ read, texts, delegates }: Choice, { weights }: Weights) {
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
  const parts = scored.slice(1);
  const readSecond = createSecondReader(parts, read);
  const main = scored[0]?.ranked[0]?.delegate;
  const others = parts.flatMap(({ ranked: [other] }, at) => {
    if (other === undefined || other.delegate === main) return [];
    const signals = readSecond(at, other.delegate, main);
    return { signals, id: other.delegate.id };
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
  let sum = 0;
  for (let at = 0; at < own.length; at++) sum += (own[at] ?? 0) * (weights[at] ?? 0);
  return sum;
}

function round(value: number): number {
  return Number(value.toFixed(3));
}

/**
 * Gradient descent with a step of its own for each weight (Adam), with a little pull towards 0.
 *
 * @param least - Minimum of a weight.
 */
function fit(cases: readonly Case[], least = 0, rounds = 200): readonly number[] {
  const size = cases[0]?.options[0]?.length ?? 0;
  const weights = new Array<number>(size).fill(1);
  const first = new Array<number>(size).fill(0);
  const other = new Array<number>(size).fill(0);
  const total = cases.reduce((sum, { weight = 1 }) => sum + weight, 0);
  for (let round = 1; round <= rounds; round++) {
    const slope = weights.map((weight) => 1e-4 * weight);
    for (const { options, right, weight = 1 } of cases) {
      const scores = options.map((own) => dot(own, weights));
      const most = Math.max(...scores);
      const powers = scores.map((one) => Math.exp(one - most));
      const sum = powers.reduce((total, each) => total + each, 0);
      for (const [place, own] of options.entries()) {
        const excess = (weight * ((powers[place] ?? 0) / sum - (place === right ? 1 : 0))) / total;
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
