// npm run fit -w librarians/docs [-- --data DIR --corpora DIR]
// `--more DIR`, once for each: another folder of the same layout; whether a section is right is learnt from the answerable
// queries of its split "unseen", too.
// `--corpora` is where the knowledge bases of questions/ are, or are put; `--vectors` keeps their vectors.
// Needs the model of packages/embeddings: `npm run model -w packages/embeddings`.
// Fits the coefficients of src/calibration/coefficients.ts on the dev queries, tells how good they are on
// queries and on knowledge bases they were not fitted on, and writes the file.
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { openModelEmbedder } from "@constellation/embeddings";
import type { Embedder } from "@constellation/retrieval";
import { type Benchmark, readBenchmark } from "../../../packages/retrieval/bench/benchmark.js";
import { auroc } from "../../../packages/retrieval/bench/metrics.js";
import type { FeatureName } from "../src/calibration/features.js";
import { type Case, peopleBenchmark, readCases } from "./cases.js";
import { bestF1Cut, calibrationError, caughtAt, highCut, precisionCut } from "./cuts.js";
import { retrievalData } from "./data-folder.js";
import { fetchCorpora } from "./fetch-corpora.js";
import { fitLogistic } from "./fit-logistic.js";
import { examples, foretell } from "./foretell.js";
import { keepAll } from "./keep-all.js";
import { readNamedCases } from "./named-cases.js";
import { type FittedModels, printCoefficients, round } from "./print-coefficients.js";

const { values } = parseArgs({
  options: {
    data: { type: "string" },
    more: { type: "string", multiple: true, default: [] },
    corpora: { type: "string", default: join(tmpdir(), "constellation-corpora") },
    vectors: { type: "string", default: join(tmpdir(), "constellation-vectors") },
  },
});
const folder = retrievalData(values.data);
const benchmark = folder === undefined ? undefined : readBenchmark(folder, "dev");
if (benchmark === undefined) {
  console.log("fit: skipped, there is no data folder; name one with --data DIR");
  process.exit(0);
}

const answerableNames = ["evidence", "known", "title"] as const satisfies readonly FeatureName[];
const answerableMeaningNames = [
  "similar",
  "known",
  "passage",
] as const satisfies readonly FeatureName[];
const confidentNames = [
  "dominance",
  "headingAsked",
  "samePage",
  "size",
  "headingInOrder",
] as const satisfies readonly FeatureName[];

fetchCorpora(values.corpora);
const more = values.more.flatMap((data) => readBenchmark(data, "unseen") ?? []);
const benchmarks = [
  benchmark,
  peopleBenchmark(values.corpora),
  peopleBenchmark(values.corpora, "dev-2"),
];
const casesOf = async (some: readonly Benchmark[], embedder?: Embedder) => {
  const found: Case[] = [];
  for (const each of some) found.push(...(await readCases(each, embedder)));
  return found;
};
const isAnswerable = ({ query }: Case) => query.type === "answerable";
const cases = await casesOf(benchmarks);
const moreCases = (await casesOf(more)).filter(isAnswerable);
const model = await openModelEmbedder({ cache: values.vectors });
const embedder = keepAll(model);
const meaningCases = await casesOf(benchmarks, embedder);
const moreMeaningCases = (await casesOf(more, embedder)).filter(isAnswerable);
const namedFolders = [values.corpora, benchmark.corpus];
const named = {
  words: await readNamedCases(namedFolders),
  meaning: await readNamedCases(namedFolders, embedder),
};
await model.close();

const byBase = (each: Case) => each.query.kb;
const byTenth = (each: Case) => String(hash(each.query.query) % 10);
const answers = foretell(cases, answerableNames, isAnswerable, 1, byTenth);
const answersElsewhere = foretell(cases, answerableNames, isAnswerable, 1, byBase);
// Whether there is an answer is the other model's question: this one learns from those that have one.
const isRight = ({ isRight: right }: Case) => right;
const answered = [...cases.filter(isAnswerable), ...moreCases];
const answeredByMeaning = [...meaningCases.filter(isAnswerable), ...moreMeaningCases];
const rights = foretell(answered, confidentNames, isRight, 1, byTenth);
const rightsElsewhere = foretell(answered, confidentNames, isRight, 1, byBase, [
  ...cases,
  ...moreCases,
]);
const rightsByMeaning = foretell(answeredByMeaning, confidentNames, isRight, 1, byBase, [
  ...meaningCases,
  ...moreMeaningCases,
]);

const of = (chances: ReadonlyMap<Case, number>, some: readonly Case[]) =>
  some.map((each) => chances.get(each) ?? 0);
const pairs = (chances: ReadonlyMap<Case, number>) =>
  [...chances]
    .filter(([each]) => isAnswerable(each))
    .map(([each, chance]) => ({ chance, is: isRight(each) }));
const byMeaningElsewhere = foretell(meaningCases, answerableMeaningNames, isAnswerable, 1, byBase);
const answersByMeaning = foretell(meaningCases, answerableMeaningNames, isAnswerable, 1, byTenth);
const cut = answerCut(cases, answers);
const meaningCut = answerCut(meaningCases, answersByMeaning);
// Chances are comparable: one pair of thresholds serves ranking by words and by meaning too.
const foretold = [...pairs(rightsElsewhere), ...pairs(rightsByMeaning)];
const high = precisionCut(foretold, 0.88, 1);
const medium = precisionCut(foretold, 0.7, high.cut);

const sure = sureCut();
const highs = [
  ...highCases(cases, named.words, confidentNames, answerableNames),
  ...highCases(meaningCases, named.meaning, confidentNames, answerableMeaningNames),
];
const allAsked = [...cases, ...named.words, ...meaningCases, ...named.meaning];
const astray = astrayCut(() => true);

const report = {
  "out of domain, cross-validated": described(cases, answers),
  "out of domain, leaving one knowledge base out": described(cases, answersElsewhere),
  "the same, questions from documentation": described(cases.filter(isDocumented), answersElsewhere),
  "the same, by meaning too": described(meaningCases.filter(isDocumented), byMeaningElsewhere),
  "right at top 1, cross-validated": describedConfidence(rights),
  "right at top 1, leaving one knowledge base out": describedConfidence(rightsElsewhere),
  "the same, by meaning too, leaving one knowledge base out": describedConfidence(rightsByMeaning),
  "high, without and with what names tell, leaving one knowledge base out": namesTell(),
  cuts: { answer: cut, answerByMeaning: meaningCut, sure, high, medium, astray },
};
console.log(
  JSON.stringify(report, (_, value) => (typeof value === "number" ? round(value, 3) : value), 1),
);

const models = {
  answerable: fitLogistic(examples(cases, isAnswerable, byBase), answerableNames, 1),
  answerableByMeaning: fitLogistic(
    examples(meaningCases, isAnswerable, byBase),
    answerableMeaningNames,
    1,
  ),
  confident: fitLogistic(examples(answered, isRight, byBase), confidentNames, 1),
  confidentByMeaning: fitLogistic(examples(answeredByMeaning, isRight, byBase), confidentNames, 1),
};
const cuts = {
  answer: cut,
  answerByMeaning: meaningCut,
  sure,
  high: high.cut,
  medium: medium.cut,
  astray,
};
const target = fileURLToPath(new URL("../src/calibration/coefficients.ts", import.meta.url));
writeFileSync(
  target,
  printCoefficients(models as FittedModels, cuts, new Date().toISOString().slice(0, 10)),
);
console.log(`Wrote ${target}`);

function described(all: readonly Case[], chances: ReadonlyMap<Case, number>) {
  const chancesOf = (type: string) =>
    of(
      chances,
      all.filter(({ query }) => query.type === type),
    );
  const [yes, outside, unanswerable] = [
    chancesOf("answerable"),
    chancesOf("out-of-domain"),
    chancesOf("unanswerable"),
  ];
  return {
    auroc: auroc(yes, outside),
    f1: bestF1Cut(yes, outside).f1,
    caughtAt5: caughtAt(0.05, yes, outside),
    unanswerableCaughtAt5: caughtAt(0.05, yes, unanswerable),
  };
}

/**
 * Where seven in ten of the queries that the pages do not answer are refused, and seven in ten of those within the
 * domain, by models that were not fitted on them.
 */
function answerCut(all: readonly Case[], chances: ReadonlyMap<Case, number>): number {
  const others = all.filter((each) => !isAnswerable(each));
  const inDomain = others.filter(({ query }) => query.type === "unanswerable");
  const bounds = [others, inDomain].map((some) => {
    const sorted = of(chances, some).sort((a, b) => a - b);
    return sorted[Math.floor(0.7 * sorted.length)] ?? 0;
  });
  return Math.max(...bounds);
}

/**
 * From this chance of an answer on, at most 4 % of the queries out of domain have more than low confidence: of
 * those from documentation, by words and by meaning alike. Those of people are fewer and plainer.
 */
function sureCut(): number {
  const cutsOf = [
    { all: cases, rights: rightsElsewhere, answers: answersElsewhere },
    { all: meaningCases, rights: rightsByMeaning, answers: byMeaningElsewhere },
  ].map(({ all, rights: sureOf, answers: chanceOfAnswer }) => {
    const sorted = all
      .filter((each) => each.query.type === "out-of-domain" && isDocumented(each))
      .map((each) => {
        const isMore = (sureOf.get(each) ?? 0) >= medium.cut;
        return isMore ? (chanceOfAnswer.get(each) ?? 0) : 0;
      })
      .sort((a, b) => b - a);
    return (sorted[Math.floor(0.04 * sorted.length)] ?? 0) + 0.001;
  });
  return Math.max(...cutsOf);
}

/** A case that is said with high confidence but for what its names tell. */
function highCases(
  all: readonly Case[],
  others: readonly Case[],
  rightNames: typeof confidentNames,
  answerNames: typeof answerableNames | typeof answerableMeaningNames,
): readonly Case[] {
  const asked = [...all, ...others];
  const right = foretell(all.filter(isAnswerable), rightNames, isRight, 1, byBase, asked);
  const answer = foretell<FeatureName>(all, answerNames, isAnswerable, 1, byBase, asked);
  // As extractAnswer caps what is only mentioned.
  const isAbout = ({ features: { nearest, heading, title } }: Case) =>
    nearest > -1 || heading + title > 0;
  return asked.filter(
    (each) =>
      (right.get(each) ?? 0) >= high.cut && (answer.get(each) ?? 0) >= sure && isAbout(each),
  );
}

/** From this share on, right answers to at most 0.5 % of the questions that have one lose their high confidence. */
function astrayCut(isLearnt: (each: Case) => boolean): number {
  const shares = highs
    .filter((each) => isLearnt(each) && isRight(each))
    .map(({ features }) => features.astray)
    .sort((a, b) => b - a);
  const most = Math.floor(
    0.005 * allAsked.filter((each) => isLearnt(each) && isAnswerable(each)).length,
  );
  return (shares[most] ?? 0) + 0.001;
}

/** Answers with high confidence without and with what their names tell, by a cut that other knowledge bases gave. */
function namesTell() {
  const kept = highs.filter(
    (each) => each.features.astray < astrayCut((other) => byBase(other) !== byBase(each)),
  );
  const count = (all: readonly Case[]) => ({
    right: all.filter(isRight).length,
    wrong: all.filter((each) => !isRight(each)).length,
  });
  const isNamed = ({ query }: Case) => query.provenance.kind === "named";
  const compare = (is: (each: Case) => boolean) => ({
    questions: allAsked.filter(is).length,
    without: count(highs.filter(is)),
    with: count(kept.filter(is)),
  });
  return { named: compare(isNamed), others: compare((each) => !isNamed(each)) };
}

function isDocumented({ query }: Case): boolean {
  return query.provenance.kind !== "people";
}

function describedConfidence(chances: ReadonlyMap<Case, number>) {
  const all = pairs(chances);
  const chancesWhere = (is: boolean) =>
    all.filter((each) => each.is === is).map((each) => each.chance);
  const { cut: at, precision } = highCut(all, 0.3);
  return {
    auroc: auroc(chancesWhere(true), chancesWhere(false)),
    ece: calibrationError(all),
    at,
    precision,
  };
}

function hash(text: string): number {
  let value = 7;
  for (const character of text) value = (value * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return value;
}
