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
import { createPostings } from "../src/search/entry-postings.js";
import { type CheckedQuery, checkQuery } from "../src/search/query.js";
import { readTerms } from "../src/search/query-terms.js";
import { certaintyOf, passLogit } from "../src/search/score-model.js";
import { createSemanticIndex, featureNames } from "../src/search/semantic-index.js";
import { vouched } from "../test/workflows.js";
import { readOwnCases } from "./own-cases.js";

/** Semantic at which unrelated pairs pass by at most this share: confidence 0.7. */
const threshold = 0.4;
const maxUnrelated = 0.05;
/** Share of all picks that may be wrong and not be shown to a person. */
const maxWrong = { production: 0.01, elsewhere: 0.03 };
const turns = 300;
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
}

const url = new URL("../data/score.json", import.meta.url);
const cases = [
  ...readOwnCases("dev"),
  ...readOwnCases("dev-later"),
  ...readOwnCases("dev-operations"),
];
const names = [...new Set(cases.map(({ catalog }) => catalog))].sort();
const catalogs = new Map<string, readonly Workflow[]>();
for (const name of names) {
  const lines = readLines(`catalogs/${name}.jsonl`).map((line) => JSON.parse(line) as unknown);
  catalogs.set(name, (await createMemoryCatalog(lines).read()).workflows);
}
const far = readLines("unrelated-types.txt");

const commonness = measureCommonness();
write({
  weights: featureNames.map(() => 0),
  bias: { reported: 0, observed: 0 },
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
const sure = findSure();
write({ weights: all.weights.map(rounded), bias, sure, commonness });
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

/** Certainty from which at most these shares of the picks on what was observed are wrong. */
function findSure() {
  const shift = bias.observed - all.start;
  const groups = groupByIncident(left.filter((one) => one.isOwn && one.isObserved));
  const picks = groups
    .flatMap((group) => {
      const [first, second] = group.toSorted((a, b) => b.z - a.z);
      const logit = (first?.z ?? 0) + shift;
      const next = second && { logit: second.z + shift };
      return first === undefined || logit < passLogit
        ? []
        : [{ isRight: first.belongs, certainty: certaintyOf({ logit }, next) }];
    })
    .toSorted((a, b) => b.certainty - a.certainty);
  const limitFor = (share: number) => {
    let wrong = 0;
    const at = picks.findIndex((one) => !one.isRight && ++wrong > share * picks.length);
    const kept = picks.slice(0, at === -1 ? picks.length : at);
    const right = kept.filter(({ isRight }) => isRight).length;
    console.log("sure", { share, right, wrong: kept.length - right, picks: picks.length });
    return rounded((kept.at(-1)?.certainty ?? 0) - 1e-4);
  };
  return { production: limitFor(maxWrong.production), elsewhere: limitFor(maxWrong.elsewhere) };
}

function makePairs(): readonly Pair[] {
  return names.flatMap((catalog) => {
    const workflows = catalogs.get(catalog) ?? [];
    const index = createSemanticIndex(workflows, createPostings(workflows));
    const add = (
      incident: string,
      query: CheckedQuery,
      right: ReadonlySet<string>,
      isOwn: boolean,
      skip: readonly string[] = [],
    ) => {
      const found = index.features(query);
      return workflows.flatMap(({ id }, place): readonly Pair[] =>
        skip.includes(id)
          ? []
          : [
              {
                catalog,
                incident,
                isOwn,
                values: found.get(place) ?? featureNames.map(() => 0),
                belongs: right.has(id),
                isObserved: (query.observations ?? []).length > 0,
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
function fit(given: readonly Pair[]): {
  readonly weights: readonly number[];
  readonly start: number;
} {
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
    ...cases.flatMap(({ incident, observed_facts }) => [
      incident.signal_name,
      JSON.stringify(observed_facts),
    ]),
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
