/**
 * Fits the score: `npm run fit -w librarians/workflow-selector` writes data/score.json. Pairs of an incident and an entry are of
 * the cases for tuning; entries of other catalogs, and incidents of other domains, do not belong. Each catalog is left out
 * whole once: of the pairs left out, the bias is set so that at semantic 0.4 at most 5 % of the unrelated pass.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { createMemoryCatalog } from "../src/catalog/memory-catalog.js";
import type { Workflow } from "../src/catalog/workflow.js";
import { gatherGiven } from "../src/incident/gather.js";
import { toCatalogQuery } from "../src/incident/incident-query.js";
import { resolveConditions } from "../src/policy/operating-conditions.js";
import { createComparison, readObserved } from "../src/search/comparison.js";
import { describeTraits } from "../src/search/conditions.js";
import { createPostings } from "../src/search/entry-postings.js";
import { type CheckedQuery, checkQuery } from "../src/search/query.js";
import { limitObservations, readTerms } from "../src/search/query-terms.js";
import {
  type Knowledge,
  knowledges,
  marginOf,
  type Picked,
  type PickWeights,
  pickProbability,
  supportOf,
} from "../src/search/score-model.js";
import { createSemanticIndex, featureNames } from "../src/search/semantic-index.js";
import { vouched } from "../test/workflows.js";
import { readOwnCases } from "./own-cases.js";

/** Semantic at which unrelated pairs pass by at most this share: confidence 0.7. */
const threshold = 0.4;
const maxUnrelated = 0.05;
/** Share of all picks that may be wrong and not be shown to a person. */
const maxWrong = { production: 0.01, elsewhere: 0.02 };
/** Share of the incidents that nothing of a catalog fits, and that get a proposal nevertheless. */
const maxUnfit = { reported: 0.08, observed: 0.5, known: 0.12 };
const turns = 300;
/** One of so many pairs of other catalogs is what the weights are fitted on. */
const keptUnrelated = 10;
const penalty = 0.004;
const standing = resolveConditions([]);

interface Pair {
  readonly catalog: string;
  readonly incident: string;
  readonly values: readonly number[];
  readonly belongs: boolean;
  readonly isObserved: boolean;
  /** Of the incident's own catalog. */
  readonly isOwn: boolean;
  /** What the conditions of the entry add to its logit. */
  readonly shift: number;
  readonly isKnown: boolean;
  /** What was observed for an entry of the incident's own catalog. */
  readonly comparison: Picked["comparison"];
}

/** The best entry of an incident, and whether it is the right one. */
interface Pick {
  readonly catalog: string;
  readonly knowledge: Knowledge;
  readonly best: Picked;
  readonly next: { readonly logit: number } | undefined;
  readonly isRight: boolean;
  /** The right entries of the incident were taken out of the catalog. */
  readonly isCut: boolean;
}

const url = new URL("../data/score.json", import.meta.url);
const cases = [
  ...readOwnCases("dev"),
  ...readOwnCases("dev-later"),
  ...readOwnCases("dev-operations"),
  ...readOwnCases("dev-alerts"),
  ...readOwnCases("dev-clusters"),
];
const names = [...new Set(cases.map(({ catalog }) => catalog))].sort();
const catalogs = new Map<string, readonly Workflow[]>();
for (const name of names) {
  const lines = readLines(`catalogs/${name}.jsonl`).map((line) => JSON.parse(line) as unknown);
  catalogs.set(name, (await createMemoryCatalog(lines).read()).workflows);
}
const far = readLines("unrelated-types.txt");

const noPick: PickWeights = { logit: 0, margin: 0, madeFor: 0, support: 0, bias: 0, minimum: 0 };
const commonness = measureCommonness();
write({
  weights: featureNames.map(() => 0),
  bias: { reported: 0, observed: 0 },
  pick: { reported: noPick, observed: noPick, known: noPick },
  sure: { production: 0, elsewhere: 0 },
  commonness,
});
const pairs = makePairs();
const left = names.flatMap((name) => {
  const weights = fit(
    pairs.filter(({ catalog, incident }) => catalog !== name && !incident.startsWith(`${name}/`)),
  );
  return pairs
    .filter(({ catalog }) => catalog === name)
    .map((pair) => ({ ...pair, z: dot(weights.weights, pair.values) + weights.start }));
});
const all = fit(pairs);
const bias = { reported: biasFor(false), observed: biasFor(true) };
const picks = makePicks();
const seen = picksLeftOut();
const pick = {
  reported: { ...fitPick("reported"), minimum: findMinimum("reported") },
  observed: { ...fitPick("observed"), minimum: findMinimum("observed") },
  known: { ...fitPick("known"), minimum: findMinimum("known") },
};
const sure = findSure();
write({ weights: all.weights.map(rounded), bias, pick, sure, commonness });
report();

/** Of an alert alone, at most this share of incidents of other domains may find any workflow of a catalog. */
function biasFor(isObserved: boolean): number {
  const wrong = left.filter((one) => !one.belongs && one.isObserved === isObserved);
  const cutOf = (values: readonly number[]) =>
    values.toSorted((a, b) => b - a)[Math.floor(values.length * maxUnrelated)] ?? 0;
  const unrelated = cutOf(wrong.filter(({ isOwn }) => !isOwn).map(({ z }) => z));
  const highest = new Map<string, number>();
  for (const { catalog, incident, z } of isObserved ? [] : wrong) {
    if (incident.includes("/")) continue; // of a catalog, and not of another domain
    const key = JSON.stringify([catalog, incident]);
    highest.set(key, Math.max(z, highest.get(key) ?? z));
  }
  const cut = isObserved ? unrelated : Math.max(unrelated, cutOf([...highest.values()]));
  return rounded(all.start + Math.log(threshold / (1 - threshold)) - cut);
}

/**
 * The first entry of each incident, of the catalogs left out: with all entries, and with the right ones taken out, when nothing
 * of the catalog fits.
 */
function makePicks(): readonly Pick[] {
  return groupByIncident(left.filter(({ isOwn }) => isOwn)).flatMap((group) => {
    const ranked = group
      .map((one) => {
        const start = one.isObserved ? bias.observed : bias.reported;
        return {
          ...one,
          logit: one.z + start - all.start + one.shift,
          madeFor: one.isKnown ? one.values.at(-1) : undefined,
        };
      })
      .toSorted((a, b) => b.logit - a.logit);
    const toPick = (of: typeof ranked, isCut: boolean): readonly Pick[] => {
      const [best, next] = of;
      if (best === undefined) return [];
      const { catalog, isObserved, isKnown, belongs } = best;
      const knowledge = !isObserved ? "reported" : isKnown ? "known" : "observed";
      return [{ catalog, knowledge, best, next, isRight: belongs, isCut }];
    };
    const others = ranked.filter(({ belongs }) => !belongs);
    return [
      ...toPick(ranked, false),
      ...(others.length < ranked.length ? toPick(others, true) : []),
    ];
  });
}

/** Logistic regression of whether the first entry is the right one. */
function fitPick(knowledge: Knowledge, of: readonly Pick[] = picks): PickWeights {
  const rows = of
    .filter((one) => one.knowledge === knowledge)
    .map(({ best, next, isRight }) => ({
      x: [best.logit, marginOf(best, next), best.madeFor ?? 0, supportOf(best), 1] as const,
      y: isRight ? 1 : 0,
    }));
  const weights = [0, 0, 0, 0, 0];
  for (let turn = 0; turn < 4_000; turn++) {
    const gradient = [0, 0, 0, 0, 0];
    for (const { x, y } of rows) {
      const error = sigmoid(dot(weights, x)) - y;
      for (const [at, value] of x.entries())
        gradient[at] = (gradient[at] ?? 0) + (error * value) / rows.length;
    }
    for (const [at, one] of gradient.entries()) weights[at] = (weights[at] ?? 0) - 0.3 * one;
  }
  const [logit = 0, margin = 0, madeFor = 0, support = 0, start = 0] = weights.map(rounded);
  return { logit, margin, madeFor, support, bias: start, minimum: 0 };
}

/** The picks with their probability by the weights of the other catalogs, the highest first. */
function picksLeftOut(): readonly (Pick & { readonly probability: number })[] {
  return names
    .flatMap((name) => {
      const others = picks.filter(({ catalog }) => catalog !== name);
      return knowledges.flatMap((knowledge) => {
        const weights = fitPick(knowledge, others);
        return picks
          .filter((one) => one.catalog === name && one.knowledge === knowledge)
          .map((one) => ({ ...one, probability: pickProbability(one.best, one.next, weights) }));
      });
    })
    .toSorted((a, b) => b.probability - a.probability);
}

/** Probability from which at most this share of the incidents that nothing of a catalog fits get a proposal. */
function findMinimum(knowledge: Knowledge): number {
  const own = seen.filter((one) => one.knowledge === knowledge);
  const cut = own.filter(({ isCut, isRight }) => isCut && !isRight);
  const found = cut[Math.floor(cut.length * maxUnfit[knowledge])]?.probability ?? 0;
  for (const minimum of [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, found]) {
    const passed = own.filter(({ probability }) => probability > minimum);
    const whole = own.filter(({ isCut }) => !isCut);
    console.log(knowledge, rounded(minimum), {
      right: `${passed.filter(({ isRight }) => isRight).length} of ${whole.length}`,
      wrong: passed.filter(({ isRight, isCut }) => !isRight && !isCut).length,
      "right ones taken out": `${passed.filter(({ isCut }) => isCut).length} of ${cut.length}`,
    });
  }
  return rounded(found + 1e-4);
}

/** Probability from which at most these shares of the picks on what was observed are wrong. */
function findSure() {
  const whole = seen.filter(({ isCut, knowledge }) => !isCut && knowledge !== "reported");
  const limitFor = (share: number) => {
    let wrong = 0;
    const at = whole.findIndex((one) => !one.isRight && ++wrong > share * whole.length);
    const kept = whole.slice(0, at === -1 ? whole.length : at);
    const right = kept.filter(({ isRight }) => isRight).length;
    console.log("sure", { share, right, wrong: kept.length - right, picks: whole.length });
    return rounded((kept.at(-1)?.probability ?? 0) - 1e-4);
  };
  return { production: limitFor(maxWrong.production), elsewhere: limitFor(maxWrong.elsewhere) };
}

function makePairs(): readonly Pair[] {
  return names.flatMap((catalog) => {
    const workflows = catalogs.get(catalog) ?? [];
    const postings = createPostings(workflows);
    const index = createSemanticIndex(workflows, postings);
    const compare = createComparison(workflows, postings);
    const add = (
      incident: string,
      query: CheckedQuery,
      right: ReadonlySet<string>,
      isOwn: boolean,
      skip: readonly string[] = [],
    ) => {
      const found = index.features(query);
      const observed = readObserved(limitObservations(query), describeTraits(query));
      const compared = (place: number) =>
        isOwn && observed.texts.length > 0
          ? { support: compare(place, observed).support }
          : undefined;
      return workflows.flatMap(({ id }, place): readonly Pair[] =>
        skip.includes(id)
          ? []
          : [
              {
                catalog,
                incident,
                isOwn,
                values: found.get(place)?.values ?? featureNames.map(() => 0),
                belongs: right.has(id),
                isObserved: (query.observations ?? []).length > 0,
                shift: found.get(place)?.shift ?? 0,
                isKnown: found.get(place)?.isKnown ?? false,
                comparison: compared(place),
              },
            ],
      );
    };
    return [
      ...cases.flatMap((one) => {
        const isOwn = one.catalog === catalog;
        const right = new Set(isOwn ? one.expected.workflow_ids : []);
        // What speaks against these is no matter of shared words.
        const skip = isOwn ? one.expected.must_not_select : [];
        return queriesFor(one).flatMap((query, at) =>
          add(`${one.catalog}/${one.id}/${at}`, query, right, isOwn, skip),
        );
      }),
      ...far.flatMap((incident_type) =>
        add(incident_type, checkQuery({ incident_type }), new Set(), false),
      ),
    ];
  });
}

/** A case as its alert's name alone, as the alert, and with what was observed. */
function queriesFor({ incident, observed_facts }: (typeof cases)[number]): readonly CheckedQuery[] {
  const facts = observed_facts.map((one) => (typeof one === "string" ? { observation: one } : one));
  const read = (signal: object, metadata: object) => {
    const gathered = gatherGiven(JSON.stringify(signal), vouched({ ...metadata }));
    return gathered === undefined ? [] : [checkQuery(toCatalogQuery(gathered.incident, standing))];
  };
  return [
    checkQuery({ incident_type: incident.signal_name }),
    ...read(incident, {}),
    ...(facts.length === 0 ? [] : read(incident, { facts })),
  ];
}

/** Logistic regression with a listwise term: of one incident, the right entry above the others of its catalog. */
function fit(pairs: readonly Pair[]): {
  readonly weights: readonly number[];
  readonly start: number;
} {
  const given = pairs.filter(({ isOwn }, at) => isOwn || at % keptUnrelated === 0);
  const size = featureNames.length;
  const weights = new Float64Array(size + 1); // the last one is the start
  const velocity = new Float64Array(size + 1);
  weights[size] = -3;
  const rows = given.map(({ values, belongs }) => ({
    values: Float64Array.from([...values, 1]),
    belongs,
  }));
  const own = given.flatMap((pair, at) => (pair.isOwn ? [{ ...pair, row: rows[at]?.values }] : []));
  const groups = groupByIncident(own).filter((group) => group.some(({ belongs }) => belongs));
  const share = rows.filter(({ belongs }) => belongs).length / rows.length;
  const z = (row: Float64Array) => {
    let sum = 0;
    for (let at = 0; at <= size; at++) sum += (row[at] ?? 0) * (weights[at] ?? 0);
    return sum;
  };
  for (let turn = 0; turn < turns; turn++) {
    const gradient = weights.map((weight, at) => (at === size ? 0 : penalty * weight));
    const add = (row: Float64Array, error: number) => {
      for (let at = 0; at <= size; at++)
        gradient[at] = (gradient[at] ?? 0) + error * (row[at] ?? 0);
    };
    for (const { values, belongs } of rows) {
      const error = sigmoid(z(values)) - (belongs ? 1 : 0);
      add(values, (error * (belongs ? 0.5 / share : 0.5 / (1 - share))) / rows.length);
    }
    for (const group of groups) {
      const scores = group.map(({ row }) => z(row ?? new Float64Array()));
      const top = Math.max(...scores);
      const exps = scores.map((one) => Math.exp(one - top));
      const sum = exps.reduce((a, b) => a + b, 0);
      const right = group.filter(({ belongs }) => belongs).length;
      for (const [place, { row, belongs }] of group.entries()) {
        if (row !== undefined)
          add(row, ((exps[place] ?? 0) / sum - (belongs ? 1 / right : 0)) / groups.length);
      }
    }
    for (let at = 0; at <= size; at++) {
      velocity[at] = 0.9 * (velocity[at] ?? 0) - (gradient[at] ?? 0);
      const next = (weights[at] ?? 0) + (velocity[at] ?? 0);
      // A word that is shared never speaks against an entry.
      weights[at] = at === size ? next : Math.max(0, next);
    }
  }
  return { weights: [...weights.slice(0, size)], start: weights[size] ?? 0 };
}

/** Of names of alerts and of texts of workflows alike, the share that has a term. */
function measureCommonness(): Readonly<Record<string, number>> {
  const texts = [
    ...cases.map(({ incident }) => incident.signal_name),
    ...far,
    ...[...catalogs.values()]
      .flat()
      .map(({ id, description: { what, whenToUse = "" } }) => `${id} ${what} ${whenToUse}`),
  ];
  const counts = new Map<string, number>();
  for (const text of texts)
    for (const term of readTerms(text)) counts.set(term, (counts.get(term) ?? 0) + 1);
  const most = Math.log(1 + texts.length);
  return Object.fromEntries(
    [...counts]
      .filter(([, count]) => count >= 4)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([term, count]) => [term, rounded(Math.log(1 + count) / most)]),
  );
}

function report(): void {
  for (const isObserved of [false, true]) {
    const own = groupByIncident(left.filter((one) => one.isOwn && one.isObserved === isObserved));
    const named = own.filter((group) => group.some(({ belongs }) => belongs));
    const top = named.filter((group) => group.toSorted((a, b) => b.z - a.z)[0]?.belongs === true);
    const cut =
      Math.log(threshold / (1 - threshold)) -
      (isObserved ? bias.observed : bias.reported) +
      all.start;
    const passes = (of: readonly { readonly z: number }[]) =>
      of.filter(({ z }) => z >= cut).length / of.length;
    const kind = left.filter((one) => one.isObserved === isObserved);
    console.log(isObserved ? "observed" : "reported", {
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

function groupByIncident<One extends Pair>(of: readonly One[]): readonly (readonly One[])[] {
  const groups = new Map<string, One[]>();
  for (const one of of) {
    const group = groups.get(one.incident) ?? [];
    groups.set(one.incident, group);
    group.push(one);
  }
  return [...groups.values()];
}

function write(model: object): void {
  writeFileSync(url, `${JSON.stringify(model, undefined, 2)}\n`);
}
function readLines(name: string): readonly string[] {
  return readFileSync(new URL(name, import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "");
}
function dot(weights: readonly number[], values: readonly number[]): number {
  return values.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), 0);
}
function sigmoid(z: number): number {
  return 1 / (1 + Math.exp(-z));
}
function rounded(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
