/**
 * Fits the score: `npm run fit -w librarians/workflow-selector` writes data/score.json. Pairs of an incident and an entry are of
 * the cases for tuning; entries of other catalogs, and incidents of other domains, do not belong. Each catalog is left out
 * whole once: of the pairs left out, the bias is set so that at semantic 0.4 at most 5 % of the unrelated pass.
 */
import { writeFileSync } from "node:fs";
import { type Knowledge, knowledges, type PickWeights } from "../src/search/score-model.js";
import { featureNames } from "../src/search/semantic-index.js";
import { fitScore } from "./fit/fit-score.js";
import { dot, rounded } from "./fit/numbers.js";
import { groupByIncident, learnFrom, makePairs, measureCommonness, names } from "./fit/pairs.js";
import {
  findSure,
  fitPick,
  judgePicksLeftOut,
  makePicks,
  minimum,
  printPicks,
} from "./fit/picks.js";

/** Semantic at which unrelated pairs pass by at most this share: confidence 0.7. */
const threshold = 0.4;
const maxUnrelated = 0.05;
/** Number of parts of the catalogs, each of which is left out once. */
const folds = 6;
const url = new URL("../data/score.json", import.meta.url);
const noPick: PickWeights = { logit: 0, margin: 0, madeFor: 0, support: 0, bias: 0 };
const commonness = measureCommonness();
const remedies = learnFrom();
write({
  weights: featureNames.map(() => 0),
  bias: { reported: 0, observed: 0, known: 0 },
  pick: { reported: noPick, observed: noPick, known: noPick },
  minimum,
  sure: { production: 0, elsewhere: 0 },
  commonness,
  remedies,
});
const pairs = makePairs();
const left = Array.from({ length: folds }, (_, fold) => {
  const out = new Set(names.filter((__, at) => at % folds === fold));
  const weights = fitScore(
    pairs.filter(
      ({ catalog, incident }) => !out.has(catalog) && !out.has(incident.split("/", 1)[0] ?? ""),
    ),
  );
  return pairs
    .filter(({ catalog }) => out.has(catalog))
    .map((pair) => ({ ...pair, z: dot(weights.weights, pair.values) + weights.start }));
}).flat();
const all = fitScore(pairs);
const bias = {
  reported: biasFor("reported"),
  observed: biasFor("observed"),
  known: biasFor("known"),
};
const picks = makePicks(left, bias, all.start);
const seen = judgePicksLeftOut(picks);
const pick = {
  reported: fitPick("reported", picks),
  observed: fitPick("observed", picks),
  known: fitPick("known", picks),
};
for (const knowledge of knowledges) printPicks(seen, knowledge);
const sure = findSure(seen);
write({ weights: all.weights.map(rounded), bias, pick, minimum, sure, commonness, remedies });
report();

/** Of an alert alone, at most this share of incidents of other domains may find any workflow of a catalog. */
function biasFor(knowledge: Knowledge): number {
  const wrong = left.filter((one) => !one.belongs && one.knowledge === knowledge);
  const cutOf = (values: readonly number[]) =>
    values.toSorted((a, b) => b - a)[Math.floor(values.length * maxUnrelated)] ?? 0;
  const unrelated = cutOf(wrong.filter(({ isOwn }) => !isOwn).map(({ z }) => z));
  const highest = new Map<string, number>();
  for (const { catalog, incident, z } of knowledge === "reported" ? wrong : []) {
    if (incident.includes("/")) continue; // of a catalog, and not of another domain
    const key = JSON.stringify([catalog, incident]);
    highest.set(key, Math.max(z, highest.get(key) ?? z));
  }
  const cut = Math.max(unrelated, ...(highest.size === 0 ? [] : [cutOf([...highest.values()])]));
  return rounded(all.start + Math.log(threshold / (1 - threshold)) - cut);
}

function report(): void {
  for (const knowledge of knowledges) {
    const kind = left.filter((one) => one.knowledge === knowledge);
    const own = groupByIncident(kind.filter(({ isOwn }) => isOwn));
    const named = own.filter((group) => group.some(({ belongs }) => belongs));
    const top = named.filter((group) => group.toSorted((a, b) => b.z - a.z)[0]?.belongs === true);
    const cut = Math.log(threshold / (1 - threshold)) - bias[knowledge] + all.start;
    const passes = (of: readonly { readonly z: number }[]) =>
      of.filter(({ z }) => z >= cut).length / of.length;
    console.log(knowledge, {
      "first of those left out": `${top.length} of ${named.length}`,
      "unrelated pairs of other catalogs that pass": passes(
        kind.filter((one) => !one.belongs && !one.isOwn),
      ),
      "wrong pairs of the same catalog that pass": passes(
        kind.filter((one) => !one.belongs && one.isOwn),
      ),
      "right pairs that pass": passes(kind.filter((one) => one.belongs)),
    });
  }
  console.log(
    Object.fromEntries(featureNames.map((name, at) => [name, rounded(all.weights[at] ?? 0)])),
    all.start,
    bias,
  );
}

function write(model: object): void {
  writeFileSync(url, `${JSON.stringify(model, undefined, 2)}\n`);
}
