import { featureNames } from "../../src/search/semantic-index.js";
import { sigmoid } from "./numbers.js";
import { groupByIncident, type Pair } from "./pairs.js";

const turns = 300;
/** One of so many pairs of other catalogs is what the weights are fitted on. */
const keptUnrelated = 3;
const penalty = 0.004;

/** Logistic regression with a listwise term: of one incident, the right entry above the others of its catalog. */
export function fitScore(pairs: readonly Pair[]): {
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
